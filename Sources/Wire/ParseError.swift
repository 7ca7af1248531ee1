import Auction

/// The reason why a line is not a valid request.
public struct ParseError: Error, Equatable {
    /// The tag for the answer, if the line has a valid one.
    public let tag: String?

    /// The fault of the line.
    public let reason: Reason

    /// Creates an error.
    public init(tag: String?, reason: Reason) {
        self.tag = tag
        self.reason = reason
    }

    /// The possible faults of a line.
    public enum Reason: Equatable, Sendable {
        /// The bytes are not UTF-8.
        case notUTF8
        /// The first word is not a command.
        case unknownCommand
        /// The command has too many, too few or wrong words; the value is its correct form.
        case badArguments(usage: String)
        /// The amount of a bid is not a whole number in bounds.
        case badAmount
        /// The word is not a valid name.
        case badName
        /// The options of a lot or a room are not valid.
        case badOption(OptionProblem)
        /// The line is the first line of an HTTP request, or a `Host` header.
        case http
    }
}
