/// A command of a program: the first word that is no flag, with the operands that follow it.
///
/// Equatable, so that a program can `switch` over `Invocation.command`.
public struct Command: Equatable, Sendable {
    /// The word that the user types.
    public let name: String
    let operands: String
    let count: ClosedRange<Int>
    let help: String

    /// Creates a command that takes `count` operands.
    ///
    /// `operands` is how the help writes them, such as "[FROM [COUNT]]"; `help` is one line
    /// without a full stop.
    public init(_ name: String, _ operands: String, _ count: ClosedRange<Int>, help: String) {
        self.name = name
        self.operands = operands
        self.count = count
        self.help = help
    }

    /// Creates a command without operands.
    public init(_ name: String, help: String) { self.init(name, "", 0...0, help: help) }

    var synopsis: String { operands.isEmpty ? name : "\(name) \(operands)" }
}
