/// A wrong command line.
public struct UsageError: Error, Equatable, Sendable {
    /// One line without its newline: the program, what is wrong, and what to write instead.
    public let message: String
}

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

    mutating func invocation(
        _ environment: (String) -> String?
    ) throws(UsageError) -> Invocation {
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
        let given = Set(words.filter { $1 != [] }.keys)
        try takeVariables(environment, for: command)
        return Invocation(
            command: command, operands: Array(operands.dropFirst()), words: words, given: given)
    }

    private mutating func takeFlag(_ word: String) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let flag = program.flags.first(where: { $0.isSpelled(parts[0]) }) else {
            let near = parts[0].drop { $0 == "-" }.nearest(among: program.flags.map(\.name))
            throw program.unknown("flag", parts[0], near.map { "--" + $0 })
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
        let word = if let attached { attached } else { try nextValue(of: flag, format) }
        guard let value = word, !value.isEmpty else {
            throw program.misuse(
                "\(flag.spelling) needs a value: write \(flag.spelling) \(format.placeholder)")
        }
        return try checked(value, of: flag.spelling, format)
    }

    /// The next word; nil if it is a flag, so that the flag before it has no value.
    ///
    /// A value that begins with a dash could be a misspelt flag, so it must be attached with `=`.
    private mutating func nextValue(
        of flag: FlagDeclaration, _ format: ValueFormat<String>
    ) throws(UsageError) -> String? {
        guard let next = rest.first, !next.hasPrefix("--"),
            !program.flags.contains(where: { $0.isSpelled(next) })
        else { return nil }
        if next.hasPrefix("-"), next != "-", format.read(next) != nil {
            throw program.misuse(
                "\(next.quoted) begins with '-': write \(flag.spelling)=\(next.escaped) if it is the "
                    + "value of \(flag.spelling)")
        }
        return rest.popFirst()
    }

    private func checked(
        _ value: String, of source: String, _ format: ValueFormat<String>
    ) throws(UsageError) -> String {
        guard let checked = format.read(value) else {
            let meant = value.split(separator: ",").lazy
                .filter { !format.words.contains(String($0)) }
                .compactMap { $0.nearest(among: format.words) }.first
            throw program.misuse(
                "\(source) must be \(format.expected), not \(value.quoted)"
                    + (meant.map { ": did you mean \($0)?" } ?? ""))
        }
        return checked
    }

    /// Reads the environment variables of the command's flags that were not given.
    private mutating func takeVariables(
        _ environment: (String) -> String?, for command: Command?
    ) throws(UsageError) {
        for flag in program.flags where words[flag.name] == [] {
            guard let variable = flag.variable, let format = flag.format,
                command.map(flag.goes(with:)) ?? true,
                let value = environment(variable), !value.isEmpty
            else { continue }
            words[flag.name] = [try checked(value, of: variable, format)]
        }
    }

    private func command() throws(UsageError) -> Command? {
        guard let word = operands.first else {
            guard let some = program.commands.first else { return nil }
            throw program.misuse("a command is missing: write one, such as \(some.synopsis)")
        }
        guard !program.commands.isEmpty else {
            throw program.misuse("unexpected \(word.quoted): \(program.name) takes only flags")
        }
        let command = try program.command(named: word)
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
            guard !flag.goes(with: command) else { continue }
            let commands = flag.commands.joined(separator: ", ", last: " and ")
            throw program.misuse("\(flag.spelling) goes with \(commands) alone")
        }
    }
}

extension String {
    /// Whether a word begins like a flag; `-` alone and a negative number are operands.
    var looksLikeFlag: Bool {
        hasPrefix("-") && utf8.dropFirst().first.map { !$0.isDigit } ?? false
    }

    /// The text as a message shows it: in single quotes, on one line, control characters escaped.
    var quoted: String { "'\(escaped)'" }

    /// The text on one line, control characters escaped.
    var escaped: String {
        unicodeScalars.map { $0 == "'" ? "'" : $0.escaped(asASCII: false) }.joined()
    }
}

extension StringProtocol {
    /// The closest candidate, the first of equals; nil if none is close.
    ///
    /// Close means a prefix of the candidate, or at most one edit for every two of its characters,
    /// and at most two edits.
    func nearest(among candidates: [String]) -> String? {
        guard count >= 2 else { return nil }
        let ranked = candidates.map { (name: $0, edits: $0.hasPrefix(self) ? 0 : edits(to: $0)) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        return best.edits <= Swift.min(2, best.name.count / 2) ? best.name : nil
    }

    /// The Levenshtein distance to another text.
    private func edits(to other: String) -> Int {
        var row = Array(0...other.count)
        for (i, left) in enumerated() {
            var next = [i + 1]
            for (j, right) in other.enumerated() {
                let replaced = row[j] + (left == right ? 0 : 1)
                next.append(Swift.min(row[j + 1] + 1, next[j] + 1, replaced))
            }
            row = next
        }
        return row[other.count]
    }
}
