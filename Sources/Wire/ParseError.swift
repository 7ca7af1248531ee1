/// Why a line is no request.
public struct ParseError: Error, Equatable {
    /// The tag that the answer is to repeat, where one could be read.
    public let tag: String?

    /// What is wrong with the line.
    public let reason: Reason

    /// Makes the error of a line.
    public init(tag: String?, reason: Reason) {
        self.tag = tag
        self.reason = reason
    }

    /// What can be wrong with a line.
    public enum Reason: Equatable, Sendable {
        /// The bytes are no UTF-8.
        case notUTF8
        /// The first word is no command.
        case unknownCommand
        /// There are too many or too few words for the command, or they mean nothing to it: how it
        /// is written.
        case badArguments(usage: String)
        /// The amount of a bid is not a whole number in bounds.
        case badAmount
        /// The name asked for cannot be one.
        case badName
        /// The line is the first of a web browser's request, or its `Host` header.
        case http
    }
}
