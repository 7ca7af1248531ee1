/// A program as its user sees it: it parses the command line and prints the help.
public struct Program: Sendable {
    /// The name that the user types.
    public let name: String
    let version: String
    let abstract: String
    let commands: [Command]
    let examples: [String]
    let exits: [ExitStatus]
    private var declared: [FlagDeclaration] = []

    /// The declared flags, `--help`, `--help-all` if there are advanced flags, and `--version`.
    var flags: [FlagDeclaration] {
        declared + [.help] + (hasAdvancedFlags ? [.fullHelp] : []) + [.version]
    }

    /// Whether `--help` leaves out some flags.
    var hasAdvancedFlags: Bool { declared.contains(where: \.isAdvanced) }

    /// Creates a program; `--help`, `-h` and `--version` are added to its flags.
    ///
    /// Flags and commands keep their order in the help, and each name is used once. The abstract is
    /// one paragraph. Examples are printed as they are, at most 78 columns each.
    public init<each Value>(
        name: String, version: String, abstract: String, commands: [Command] = [],
        heading: String = "Flags", flags: repeat Flag<each Value>, exits: [ExitStatus] = [],
        examples: [String]
    ) {
        self.name = name
        self.version = version
        self.abstract = abstract
        self.commands = commands
        self.exits = exits
        self.examples = examples
        for flag in repeat each flags { declare(flag.declaration, under: heading) }
        precondition(Set(commands.map(\.name)).count == commands.count, "a command declared twice")
        checkNames()
    }

    /// The same program with more flags, which stand in the help under a heading of their own.
    ///
    /// Advanced flags are listed by `--help-all` and not by `--help`. Flags of several sections
    /// with one heading stand together.
    public func section<each Value>(
        _ heading: String, isAdvanced: Bool = false, _ flags: repeat Flag<each Value>
    ) -> Program {
        var program = self
        for flag in repeat each flags {
            program.declare(flag.declaration, under: heading, isAdvanced: isAdvanced)
        }
        program.checkNames()
        return program
    }

    private mutating func declare(
        _ flag: FlagDeclaration, under heading: String, isAdvanced: Bool = false
    ) {
        var flag = flag
        flag.heading = heading
        flag.isAdvanced = isAdvanced
        declared.append(flag)
    }

    private func checkNames() {
        let names = flags.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
        precondition(Set(names).count == names.count, "a flag declared twice")
    }

    /// Parses the words after the program's own name.
    ///
    /// `--help` anywhere before `--` has priority; after a command it prints the help of that
    /// command, like `help COMMAND`. `--help-all` comes next, then `--version`. `environment`
    /// returns the values of variables, for the flags that have one.
    ///
    /// - Throws: `UsageError` for the first error. For a line without words, and a program with
    ///   commands, its text is the help.
    public func parse(
        _ arguments: some Sequence<String>, environment: (String) -> String? = { _ in nil }
    ) throws(UsageError) -> Parsed {
        let arguments = Array(arguments)
        let flagged = arguments.prefix { $0 != "--" }
        if flagged.contains(where: FlagDeclaration.help.isSpelled) {
            return .print(helpedCommand(in: flagged).map { help(of: $0) } ?? help)
        }
        if !commands.isEmpty, arguments.first == "help" {
            return .print(try explained(arguments.dropFirst()).map { help(of: $0) } ?? help)
        }
        if hasAdvancedFlags, flagged.contains(where: FlagDeclaration.fullHelp.isSpelled) {
            return .print(fullHelp)
        }
        let asksVersion = flagged.contains(where: FlagDeclaration.version.isSpelled)
        if asksVersion { return .print("\(name) \(version)") }
        if arguments.isEmpty, !commands.isEmpty { throw UsageError(message: help) }
        var parser = Parser(self, arguments)
        return .run(try parser.invocation(environment))
    }

    /// Parses a whole command line as the system gives it, the program's own name first.
    ///
    /// - Throws: `UsageError` as above, and for an empty command line: the arguments were lost, so
    ///   the defaults may be wrong. Linux gives one empty word in place of no words.
    ///
    /// Source: execve(2).
    public func parse(
        commandLine: [String], environment: (String) -> String? = { _ in nil }
    ) throws(UsageError) -> Parsed {
        guard let name = commandLine.first, !name.isEmpty else {
            throw misuse(
                "the system gave this process no arguments, not even its name: mount /proc, and "
                    + "start it without preloaded libraries")
        }
        return try parse(commandLine.dropFirst(), environment: environment)
    }

    /// An error like those that `parse` throws, for checks of the program itself.
    ///
    /// The reason is one line; it says what is wrong and what to write instead.
    public func misuse(_ reason: String) -> UsageError {
        UsageError(message: "\(name): \(reason) (see --help)")
    }

    /// The command after the word `help`; nil if there is none.
    private func explained(_ words: ArraySlice<String>) throws(UsageError) -> Command? {
        guard let word = words.first else { return nil }
        guard words.count == 1 else { throw misuse("help takes one COMMAND") }
        return try command(named: word)
    }

    /// The command with a name.
    ///
    /// - Throws: `UsageError` if there is none, with the one that is meant.
    func command(named word: String) throws(UsageError) -> Command {
        guard let command = commands.first(where: { $0.name == word }) else {
            throw unknown("command", word, word.nearest(among: commands.map(\.name) + ["help"]))
        }
        return command
    }

    /// The error about a word that names nothing, with the name that is meant, if one is near.
    func unknown(_ kind: String, _ word: String, _ near: String?) -> UsageError {
        let hint = near.map { ": did you mean \($0)?" } ?? ""
        return misuse("unknown \(kind) \(word.quoted)\(hint)")
    }

    /// The command for which help is requested; the value of a flag is never mistaken for one.
    private func helpedCommand(in words: ArraySlice<String>) -> Command? {
        var words = words
        while let word = words.popFirst() {
            guard word.looksLikeFlag else { return commands.first { $0.name == word } }
            let flag = flags.first { $0.isSpelled(word) }
            if flag?.format != nil, words.first?.looksLikeFlag == false { words.removeFirst() }
        }
        return nil
    }
}

/// A code that the program exits with.
public struct ExitStatus: Equatable, Sendable {
    let code: Int32
    let meaning: String

    /// Creates a code with its meaning, in one line without a full stop.
    public init(_ code: Int32, _ meaning: String) {
        self.code = code
        self.meaning = meaning
    }
}

/// What a valid command line asks for.
public enum Parsed: Sendable {
    /// The help or the version, without its last newline: to be printed, with success.
    case print(String)
    /// The program itself.
    case run(Invocation)
}

/// The flags, the command and the operands of one run of a program.
public struct Invocation: Sendable {
    /// The command; nil exactly when the program declares none.
    public let command: Command?
    /// The words after the command, in order, as many as it declares.
    public let operands: [String]
    /// The words for every declared flag; empty if it is not given.
    let words: [String: [String]]
    /// The names of the flags on the command line, without those from the environment.
    let given: Set<String>

    /// The value of a flag, else of its environment variable, else its default.
    ///
    /// The program must declare the flag.
    public subscript<Value>(flag: Flag<Value>) -> Value {
        guard let given = words[flag.declaration.name] else {
            preconditionFailure("\(flag.declaration.spelling) is not declared by this program")
        }
        return flag.value(given)
    }

    /// Whether a flag is on the command line.
    public func isGiven<Value>(_ flag: Flag<Value>) -> Bool {
        given.contains(flag.declaration.name)
    }
}
