import Drawing

/// A frame as text that a person can read and compare: its rows, its cursor, and how it looks.
///
/// Below the rows stand those that have any style, each with one letter for a cell: `#` reversed,
/// `*` bold, `-` dim, and of a colour its first letter, as a capital where it is bold.
struct Picture: CustomStringConvertible {
    let frame: Frame

    var description: String {
        (frame.lines + [cursor] + styles).map { "\($0)\n" }.joined()
    }

    private var cursor: String {
        guard let cursor = frame.cursor else { return "== no cursor" }
        return "== cursor in row \(cursor.row), column \(cursor.column)"
    }

    private var styles: [String] {
        (0..<frame.size.rows).compactMap { row in
            var letters = (0..<frame.size.columns).map { letter(of: frame[row, $0]) }
            while letters.last == " " { letters.removeLast() }
            return letters.isEmpty ? nil : "\(row)".leftPadded(to: 2) + " " + String(letters)
        }
    }

    private func letter(of cell: Cell) -> Character {
        let style = cell.style
        if style.isReversed { return "#" }
        // Of a space nothing is seen but its ground.
        if cell.character == " " { return " " }
        if style.isDim { return "-" }
        guard let letter = style.color.letter else { return style.isBold ? "*" : " " }
        return style.isBold ? Character(letter.uppercased()) : letter
    }
}

extension Color {
    fileprivate var letter: Character? {
        switch self {
        case .standard: nil
        case .red: "r"
        case .green: "g"
        case .yellow: "y"
        case .blue: "b"
        case .magenta: "m"
        case .cyan: "c"
        }
    }
}
