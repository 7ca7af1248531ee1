/// One reading of a command line, from left to right.
struct Parser {
    private let program: Program
    private var rest: ArraySlice<String>
    private var words: [String: [String]]
    private var operands: [String] = []

    init(_ program: Program, _ arguments: [String]) {
        self.program = program
        rest = arguments[...]
        words = Dictionary(uniqueKeysWithValues: program.flags.map { ($0.name, []) })
    }

    mutating func invocation() throws(UsageError) -> Invocation {
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                rest = []
            } else if word.looksLikeFlag {
                try takeFlag(word)
            } else {
                operands.append(word)
            }
        }
        let command = try command()
        if let command { try checkFlags(of: command) }
        return Invocation(command: command, operands: Array(operands.dropFirst()), words: words)
    }

    private mutating func takeFlag(_ word: String) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let flag = program.flags.first(where: { $0.isSpelled(parts[0]) }) else {
            let near = parts[0].drop { $0 == "-" }.nearest(among: program.flags.map(\.name))
            throw unknown("flag", parts[0], near.map { "--" + $0 })
        }
        guard flag.isRepeatable || words[flag.name] == [] else {
            throw program.misuse("\(flag.spelling) is given more than once: give it once")
        }
        let value = try takeValue(of: flag, attached: parts.count == 2 ? parts[1] : nil)
        words[flag.name, default: []].append(value)
    }

    /// The value attached with `=` or else in the next word; for a switch, the empty text.
    private mutating func takeValue(
        of flag: FlagDeclaration, attached: String?
    ) throws(UsageError) -> String {
        guard let format = flag.format else {
            guard attached == nil else {
                throw program.misuse("\(flag.spelling) takes no value: write it without '='")
            }
            return ""
        }
        guard let value = attached ?? nextValue(), !value.isEmpty else {
            throw program.misuse(
                "\(flag.spelling) needs a value: write \(flag.spelling) \(format.placeholder)")
        }
        guard let checked = format.read(value) else {
            throw program.misuse("\(flag.spelling) must be \(format.expected), not \(value.quoted)")
        }
        return checked
    }

    /// The next word, unless it is a flag, so that the one before it lacks its value.
    private mutating func nextValue() -> String? {
        guard let next = rest.first, !next.hasPrefix("--"),
            !program.flags.contains(where: { $0.isSpelled(next) })
        else { return nil }
        return rest.popFirst()
    }

    private func command() throws(UsageError) -> Command? {
        guard let word = operands.first else {
            guard let some = program.commands.first else { return nil }
            throw program.misuse("a command is missing: write one, such as \(some.synopsis)")
        }
        guard !program.commands.isEmpty else {
            throw program.misuse("unexpected \(word.quoted): \(program.name) takes only flags")
        }
        guard let command = program.commands.first(where: { $0.name == word }) else {
            throw unknown("command", word, word.nearest(among: program.commands.map(\.name)))
        }
        try checkCount(for: command)
        return command
    }

    private func checkCount(for command: Command) throws(UsageError) {
        let given = operands.dropFirst()
        guard !command.count.contains(given.count) else { return }
        let extra = given.dropFirst(command.count.upperBound)
        let fault =
            extra.isEmpty
            ? "\(command.name) needs more words"
            : "unexpected \(extra.joined(separator: " ").quoted)"
        throw program.misuse("\(fault): write \(command.synopsis)")
    }

    private func checkFlags(of command: Command) throws(UsageError) {
        for flag in program.flags where words[flag.name] != [] {
            guard !flag.commands.isEmpty, !flag.commands.contains(command.name) else { continue }
            let commands = flag.commands.joined(separator: ", ", last: " and ")
            throw program.misuse("\(flag.spelling) goes with \(commands) alone")
        }
    }

    private func unknown(_ kind: String, _ word: String, _ near: String?) -> UsageError {
        let hint = near.map { ": did you mean \($0)?" } ?? ""
        return program.misuse("unknown \(kind) \(word.quoted)\(hint)")
    }
}

extension String {
    /// Whether a word starts as a flag does; `-` alone and a negative number are operands.
    fileprivate var looksLikeFlag: Bool {
        hasPrefix("-") && utf8.dropFirst().first.map { !$0.isDigit } ?? false
    }
}
