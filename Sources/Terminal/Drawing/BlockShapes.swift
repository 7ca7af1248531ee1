import Bidder

/// Bars of block characters, with a resolution of an eighth of a cell.
package enum Bars {
    /// A horizontal bar that fills a fraction of its columns, rounded to an eighth of a column.
    ///
    /// The fraction is clamped to 0...1; NaN counts as 0. The other columns are spaces, because the
    /// rest of a part of a column has the background of the terminal too.
    package static func horizontal(fraction: Double, columns: Int) -> String {
        guard columns > 0, fraction > 0 else {
            return String(repeating: " ", count: max(0, columns))
        }
        let eighths = Int(min(fraction, 1) * Double(columns * 8) + 0.5)
        var bar = String(repeating: "█", count: eighths / 8)
        if eighths % 8 > 0 { bar.append(parts[eighths % 8 - 1]) }
        return bar.padded(to: columns)
    }

    /// A cell filled from the bottom by a number of eighths, clamped to 0...8.
    package static func vertical(eighths: Int) -> Character {
        levels[max(0, min(8, eighths))]
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let levels: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

/// Digits of three rows and three columns, drawn with block characters.
package enum LargeDigits {
    /// The height of the digits in rows.
    package static let rows = 3

    /// The rows of a text, from the top, all of the same width.
    ///
    /// A character that is not a digit, such as a comma, becomes a gap of two columns. With
    /// `isASCII` the digits consist of bars and underscores, and with `isDouble` they have twice
    /// the size.
    package static func lines(
        _ text: String, isASCII: Bool = false, isDouble: Bool = false
    ) -> [String] {
        guard !isDouble else { return lines(text).flatMap(doubled) }
        let shapes = isASCII ? lineShapes : blockShapes
        return (0..<rows).map { row in
            text.map { character in digit(character).map { shapes[$0][row] } ?? "" }
                .joined(separator: " ")
        }
    }

    /// Two rows of twice the columns with the shape of a row; in ASCII they are of `#`.
    private static func doubled(_ line: String) -> [String] {
        [Array<Character>(["█", "▀"]), ["█", "▄"]].map { filled in
            String(
                line.flatMap { [Character](repeating: filled.contains($0) ? "█" : " ", count: 2) })
        }
    }

    private static func digit(_ character: Character) -> Int? {
        character.isASCII ? character.wholeNumberValue : nil
    }

    private static let lineShapes = [
        [" _ ", "| |", "|_|"],
        ["   ", "  |", "  |"],
        [" _ ", " _|", "|_ "],
        [" _ ", " _|", " _|"],
        ["   ", "|_|", "  |"],
        [" _ ", "|_ ", " _|"],
        [" _ ", "|_ ", "|_|"],
        [" _ ", "  |", "  |"],
        [" _ ", "|_|", "|_|"],
        [" _ ", "|_|", " _|"],
    ]

    private static let blockShapes = [
        ["█▀█", "█ █", "▀▀▀"],
        ["▄█ ", " █ ", "▀▀▀"],
        ["▀▀█", "█▀▀", "▀▀▀"],
        ["▀▀█", " ▀█", "▀▀▀"],
        ["█ █", "▀▀█", "  ▀"],
        ["█▀▀", "▀▀█", "▀▀▀"],
        ["█▀▀", "█▀█", "▀▀▀"],
        ["▀▀█", "  █", "  ▀"],
        ["█▀█", "█▀█", "▀▀▀"],
        ["█▀█", "▀▀█", "▀▀▀"],
    ]
}
