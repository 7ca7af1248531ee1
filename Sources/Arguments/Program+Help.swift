private let width = 80
private let widestTerm = 26  // a longer one stands on a line of its own

extension Program {
    /// The text of `--help`, in at most 80 columns, without its last newline.
    public var help: String {
        let usage = "usage: \(name) [flags]" + (commands.isEmpty ? "" : " COMMAND [operands]")
        let opening = [
            [usage],
            wrapped(abstract, to: width),
            titled("Commands:", table(commands.map { ($0.synopsis, $0.help) })),
        ]
        let tables = headings.map { heading in
            let rows = flags.filter { $0.heading == heading }
            return titled(heading + ":", table(rows.map { ($0.synopsis, $0.description) }))
        }
        let sections = opening + tables + [titled("Examples:", examples.map { "  " + $0 })]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    /// The headings of the flags, in the order of their coming.
    private var headings: [String] {
        flags.reduce(into: []) { if !$0.contains($1.heading) { $0.append($1.heading) } }
    }
}

extension FlagDeclaration {
    fileprivate var synopsis: String {
        [spelling, format?.placeholder].compactMap(\.self).joined(separator: " ")
            + (alias.map { ", " + $0 } ?? "")
    }

    fileprivate var description: String {
        let facts = [
            commands.isEmpty ? nil : "with " + commands.joined(separator: ", ", last: " and "),
            format?.bounds, defaultWord.map { "default " + $0 }, isRepeatable ? "repeatable" : nil,
        ].compactMap(\.self)
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: ", ")))"
    }
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
