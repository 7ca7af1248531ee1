/// A flag of a program, and the key to its value in an `Invocation`.
///
/// Names are without the dashes; `help` is one line without a full stop, as the default follows it.
public struct Flag<Value: Sendable>: Sendable {
    private(set) var declaration: FlagDeclaration
    /// The value of the words on the command line, which the declaration has checked.
    let value: @Sendable ([String]) -> Value

    /// Creates a flag with a value and a default.
    ///
    /// If the flag is repeated, the last value counts.
    public init(_ name: String, _ format: ValueFormat<Value>, default: Value, help: String) {
        declaration = FlagDeclaration(
            name: name, help: help, format: format.unread, defaultWord: format.write(`default`))
        value = { words in words.last.flatMap(format.read) ?? `default` }
    }

    /// Creates a flag whose value is its default, or without one nil, if it is not given.
    ///
    /// If it is repeated, the last value counts.
    public init<Wrapped>(
        _ name: String, _ format: ValueFormat<Wrapped>, default: Wrapped? = nil, help: String
    ) where Value == Wrapped? {
        declaration = FlagDeclaration(
            name: name, help: help, format: format.unread,
            defaultWord: `default`.map(format.write))
        value = { words in words.last.flatMap(format.read) ?? `default` }
    }

    /// Creates a flag that may be given any number of times; its values keep their order.
    public init<Element>(repeating name: String, _ format: ValueFormat<Element>, help: String)
    where Value == [Element] {
        declaration = FlagDeclaration(
            name: name, help: help, format: format.unread, isRepeatable: true)
        value = { words in words.compactMap(format.read) }
    }

    /// Creates a switch: true when it is given.
    public init(_ name: String, help: String) where Value == Bool {
        declaration = FlagDeclaration(name: name, help: help)
        value = { words in !words.isEmpty }
    }

    /// The same flag for some commands only; with another command it is an error.
    public func only(with commands: Command...) -> Flag {
        changed { $0.commands = commands.map(\.name) }
    }

    /// The same flag with a short spelling: a dash and one letter.
    public func short(_ letter: Character) -> Flag {
        changed { $0.short = "-\(letter)" }
    }

    /// The same flag with an environment variable, which is used if the flag is not given.
    ///
    /// An empty variable counts as unset.
    public func orVariable(_ name: String) -> Flag {
        changed { $0.variable = name }
    }

    private func changed(_ change: (inout FlagDeclaration) -> Void) -> Flag {
        var flag = self
        change(&flag.declaration)
        return flag
    }
}

/// What the parser and the help know of a flag, whatever the type of its value.
struct FlagDeclaration: Sendable {
    static let help = FlagDeclaration(name: "help", help: "Print this help and exit", short: "-h")
    static let fullHelp = FlagDeclaration(name: "help-all", help: "Print all flags and exit")
    static let version = FlagDeclaration(name: "version", help: "Print the version and exit")

    let name: String
    let help: String
    /// The short spelling with its dash.
    var short: String?
    /// How the value that follows is written; nil for a switch.
    var format: ValueFormat<String>?
    var defaultWord: String?
    var isRepeatable = false
    /// The commands that it belongs to; all commands if it is empty.
    var commands: [String] = []
    var variable: String?
    /// The heading in the help under which it stands; nil for a flag that every program has.
    var heading: String?
    /// Whether `--help` leaves it out, and only `--help-all` lists it.
    var isAdvanced = false

    var spelling: String { "--" + name }

    func isSpelled(_ word: some StringProtocol) -> Bool {
        word == spelling || short.map { word == $0 } ?? false
    }

    func goes(with command: Command) -> Bool {
        commands.isEmpty || commands.contains(command.name)
    }
}

/// A command of a program: the first word that is not a flag, and the operands after it.
///
/// Equatable, so that a program can `switch` over `Invocation.command`.
public struct Command: Equatable, Sendable {
    /// The word that the user types.
    public let name: String
    let operands: String
    let count: ClosedRange<Int>
    let help: String
    let details: String
    let topic: HelpTopic?
    let examples: [String]

    /// Creates a command that takes `count` operands.
    ///
    /// `operands` is how the help writes them, such as "[FROM [COUNT]]"; `help` is one line
    /// without a full stop. `details` are whole sentences for the command's own help, `topic` is a
    /// table for it, and `examples` are lines for it.
    public init(
        _ name: String, _ operands: String, _ count: ClosedRange<Int>, help: String,
        details: String = "", topic: HelpTopic? = nil, examples: [String] = []
    ) {
        self.name = name
        self.operands = operands
        self.count = count
        self.help = help
        self.details = details.isEmpty ? "" : " " + details
        self.topic = topic
        self.examples = examples
    }

    /// Creates a command without operands.
    public init(_ name: String, help: String, details: String = "", examples: [String] = []) {
        self.init(name, "", 0...0, help: help, details: details, examples: examples)
    }

    var synopsis: String { operands.isEmpty ? name : "\(name) \(operands)" }
}

/// A table in the help of a command: what the words mean that a flag or an operand may have.
public struct HelpTopic: Equatable, Sendable {
    let title: String
    let rows: [Row]

    /// Creates a table from a title without a colon, and its rows in order.
    public init(_ title: String, _ rows: [(term: String, meaning: String)]) {
        self.title = title
        self.rows = rows.map { Row(term: $0.term, meaning: $0.meaning) }
    }

    struct Row: Equatable, Sendable {
        let term: String
        let meaning: String
    }
}
