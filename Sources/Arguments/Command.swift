/// A command of a program: the first word that is no flag, with the operands that follow it.
///
/// Equatable, so that a program can `switch` over `Invocation.command`.
public struct Command: Equatable, Sendable {
    /// The word that the user types.
    public let name: String
    let operands: String
    let count: ClosedRange<Int>
    let help: String
    let details: String
    let examples: [String]

    /// Creates a command that takes `count` operands.
    ///
    /// `operands` is how the help writes them, such as "[FROM [COUNT]]"; `help` is one line
    /// without a full stop. `details` are whole sentences for the command's own help, and
    /// `examples` are lines for it.
    public init(
        _ name: String, _ operands: String, _ count: ClosedRange<Int>, help: String,
        details: String = "", examples: [String] = []
    ) {
        self.name = name
        self.operands = operands
        self.count = count
        self.help = help
        self.details = details.isEmpty ? "" : " " + details
        self.examples = examples
    }

    /// Creates a command without operands.
    public init(_ name: String, help: String, details: String = "", examples: [String] = []) {
        self.init(name, "", 0...0, help: help, details: details, examples: examples)
    }

    var synopsis: String { operands.isEmpty ? name : "\(name) \(operands)" }
}
