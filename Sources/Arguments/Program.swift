/// A program as its user sees it: what parses its command line and what its help is made of.
public struct Program: Sendable {
    /// The name that the user types.
    public let name: String
    let version: String
    let abstract: String
    let commands: [Command]
    private(set) var flags: [FlagDeclaration]
    let examples: [String]

    /// Creates a program; `--help`, `-h` and `--version` are added to its flags.
    ///
    /// Flags and commands keep their order in the help, and each name is used once. The abstract is
    /// one paragraph. Examples are printed as they are, at most 78 columns each.
    public init<each Value>(
        name: String, version: String, abstract: String, commands: [Command] = [],
        flags: repeat Flag<each Value>, examples: [String]
    ) {
        self.name = name
        self.version = version
        self.abstract = abstract
        self.commands = commands
        self.examples = examples
        var declarations: [FlagDeclaration] = []
        for flag in repeat each flags { declarations.append(flag.declaration) }
        self.flags = declarations + [.version, .help]
        precondition(Set(commands.map(\.name)).count == commands.count, "a command declared twice")
        checkNames()
    }

    /// The same program with more flags, which stand in the help under a heading of their own.
    public func section<each Value>(
        _ heading: String, _ flags: repeat Flag<each Value>
    ) -> Program {
        var program = self
        for flag in repeat each flags {
            var declaration = flag.declaration
            declaration.heading = heading
            program.flags.append(declaration)
        }
        program.checkNames()
        return program
    }

    private func checkNames() {
        precondition(Set(flags.map(\.name)).count == flags.count, "a flag declared twice")
    }

    /// Parses the words after the program's own name.
    ///
    /// `--help` anywhere before `--` wins over whatever else is written, then `--version` does.
    ///
    /// - Throws: `UsageError` for the first thing that is wrong.
    public func parse(_ arguments: some Sequence<String>) throws(UsageError) -> Parsed {
        let arguments = Array(arguments)
        let flagged = arguments.prefix { $0 != "--" }
        if flagged.contains(where: FlagDeclaration.help.isSpelled) { return .print(help) }
        let asksVersion = flagged.contains(where: FlagDeclaration.version.isSpelled)
        if asksVersion { return .print("\(name) \(version)") }
        var parser = Parser(self, arguments)
        return .run(try parser.invocation())
    }

    /// An error in the form of those that `parse` throws, for what only the program can check.
    ///
    /// The reason is one line; it says what is wrong and what to write instead.
    public func misuse(_ reason: String) -> UsageError {
        UsageError(message: "\(name): \(reason) (see --help)")
    }
}
