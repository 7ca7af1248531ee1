private let width = 80
private let widestTerm = 28  // a longer one stands on a line of its own

extension Program {
    /// The text of `--help`, in at most 80 columns, without its last newline.
    ///
    /// If there are advanced flags, these and the exit codes are left to `--help-all`.
    public var help: String {
        let usage = "usage: \(name) [flags]" + (commands.isEmpty ? "" : " COMMAND [operands]")
        var commandTable = titled("Commands:", table(commands.map { ($0.synopsis, $0.help) }))
        if !commands.isEmpty {
            commandTable += wrapped("\(name) help COMMAND explains one command.", to: width)
        }
        return joined(
            [[usage], wrapped(abstract, to: width), commandTable]
                + sections(of: flags.filter { !$0.isAdvanced })
                + [hasAdvancedFlags ? [] : exitCodes, exampleLines(examples)])
    }

    /// The text of `--help-all`, without its last newline.
    var fullHelp: String {
        joined([["usage: \(name) [flags]"]] + sections(of: flags) + [exitCodes])
    }

    /// The text of the help of one command, without its last newline.
    func help(of command: Command) -> String {
        let usage = "usage: \(name) \(command.name) [flags] \(command.operands)"
        let own = flags.filter { !$0.isAdvanced && $0.goes(with: command) }
        return joined(
            [[usage.trimmed], wrapped(command.help + "." + command.details, to: width)]
                + [
                    command.topic.map {
                        titled($0.title + ":", table($0.rows.map { ($0.term, $0.meaning) }))
                    } ?? []
                ]
                + sections(of: own, namesCommands: false)
                + [exitCodes, exampleLines(command.examples)])
    }

    /// Tables of flags by heading, in the order in which the headings come.
    ///
    /// The flags that every program has stand under the last heading of `--help`. With
    /// `namesCommands` a flag says which commands it goes with.
    private func sections(
        of flags: [FlagDeclaration], namesCommands: Bool = true
    ) -> [[String]] {
        let builtin = lastMainHeading
        let headings = flags.map { $0.heading ?? builtin }
        let ordered = headings.enumerated().filter { headings.firstIndex(of: $1) == $0 }
        return ordered.map { _, heading in
            let rows = flags.filter { ($0.heading ?? builtin) == heading }
            return titled(
                heading + ":",
                table(
                    rows.map { ($0.synopsis, $0.description(namesCommands: namesCommands)) }))
        }
    }

    private var lastMainHeading: String {
        flags.last { !$0.isAdvanced && $0.heading != nil }?.heading ?? "Flags"
    }

    private var exitCodes: [String] {
        titled("Exit codes:", table(exits.map { ("\($0.code)", $0.meaning) }))
    }

    private func exampleLines(_ examples: [String]) -> [String] {
        titled("Examples:", examples.map { "  " + $0 })
    }

    private func joined(_ sections: [[String]]) -> String {
        sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }
}

extension FlagDeclaration {
    fileprivate var synopsis: String {
        (short.map { $0 + ", " } ?? "")
            + [spelling, format?.placeholder].compactMap(\.self).joined(separator: " ")
    }

    fileprivate func description(namesCommands: Bool) -> String {
        let facts = [
            commands.isEmpty || !namesCommands
                ? nil : "with " + commands.joined(separator: ", ", last: " and "),
            format?.bounds, variable.map { "else $\($0)" }, defaultWord.map { "default " + $0 },
            isRepeatable ? "repeatable" : nil,
        ].compactMap(\.self)
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: ", ")))"
    }
}

extension String {
    fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}

private func titled(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [title] + lines
}

/// Two columns: the terms, as wide as they need, and their wrapped descriptions.
private func table(_ rows: [(term: String, description: String)]) -> [String] {
    let column = rows.map(\.term.count).filter { $0 <= widestTerm }.max() ?? 0
    let indent = String(repeating: " ", count: 2 + column + 2)
    return rows.flatMap { row in
        let lines = wrapped(row.description, to: width - indent.count)
        let term = "  " + row.term
        guard row.term.count <= column, let first = lines.first else {
            return [term] + lines.map { indent + $0 }
        }
        return [term + indent.dropFirst(term.count) + first] + lines.dropFirst().map { indent + $0 }
    }
}

/// Breaks text at its spaces; a word wider than a line stays whole.
private func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
        if let last = lines.last, last.count + 1 + word.count <= width {
            lines[lines.count - 1] = last + " " + word
        } else {
            lines.append(String(word))
        }
    }
    return lines
}
