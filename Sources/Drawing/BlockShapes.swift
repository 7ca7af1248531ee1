/// Bars of block characters, with a resolution of an eighth of a cell.
public enum Bars {
    /// A horizontal bar that fills a fraction of its columns, rounded to an eighth of a column.
    ///
    /// The fraction is clamped to 0...1; NaN counts as 0. The other columns are spaces, because the
    /// rest of a part of a column has the background of the terminal too.
    public static func horizontal(fraction: Double, columns: Int) -> String {
        guard columns > 0, fraction > 0 else {
            return String(repeating: " ", count: max(0, columns))
        }
        let eighths = Int(min(fraction, 1) * Double(columns * 8) + 0.5)
        var bar = String(repeating: "█", count: eighths / 8)
        if eighths % 8 > 0 { bar.append(parts[eighths % 8 - 1]) }
        return bar.padded(to: columns)
    }

    /// A cell filled from the bottom by a number of eighths, clamped to 0...8.
    public static func vertical(eighths: Int) -> Character {
        levels[max(0, min(8, eighths))]
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let levels: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

/// A grid of braille dots: two in each column and four in each row of cells.
public struct DotCanvas: Equatable, Sendable {
    /// The width in cells; each has two columns of dots.
    public let columns: Int
    /// The height in cells; each has four rows of dots.
    public let rows: Int

    /// The dots of each cell, row by row, as bits in the order of Unicode.
    private var patterns: [UInt8]

    /// Makes an empty canvas; a negative extent counts as 0.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        patterns = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// Sets a dot, counted from 0 at the bottom left; does nothing outside of the canvas.
    public mutating func set(x: Int, y: Int) {
        guard (0..<columns * 2).contains(x), (0..<rows * 4).contains(y) else { return }
        let fromTop = rows * 4 - 1 - y
        patterns[fromTop / 4 * columns + x / 2] |= Self.dots[x % 2][fromTop % 4]
    }

    /// Draws a line at a height for each column of dots, from the left; its changes are vertical.
    ///
    /// Where the height is nil the line is interrupted.
    public mutating func stairs(_ heights: some Sequence<Int?>) {
        var before: Int?
        for (x, height) in heights.enumerated() {
            if let height {
                let from = before ?? height
                for y in min(from, height)...max(from, height) { set(x: x, y: y) }
            }
            before = height
        }
    }

    /// The character of a cell, counted from 0 at the top left; a space if it has no dots.
    public func character(row: Int, column: Int) -> Character {
        precondition(
            (0..<rows).contains(row) && (0..<columns).contains(column),
            "a cell is inside its canvas")
        let pattern = patterns[row * columns + column]
        guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(pattern)) else {
            return " "
        }
        return Character(scalar)
    }

    /// The bits of the left and the right column of dots, from the top.
    ///
    /// Source: Unicode, Braille Patterns (U+2800).
    private static let dots: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
}

/// Digits of three rows and three columns, drawn with block characters.
public enum LargeDigits {
    /// The height of the digits in rows.
    public static let rows = 3

    /// The rows of a text, from the top, all of the same width.
    ///
    /// A character that is not a digit, such as a comma, becomes a gap of two columns. With
    /// `isASCII` the digits consist of bars and underscores.
    public static func lines(_ text: String, isASCII: Bool = false) -> [String] {
        let shapes = isASCII ? lineShapes : blockShapes
        return (0..<rows).map { row in
            text.map { character in digit(character).map { shapes[$0][row] } ?? "" }
                .joined(separator: " ")
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
