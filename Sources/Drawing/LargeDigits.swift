/// Digits three rows high and three columns wide, of half blocks and full blocks.
public enum LargeDigits {
    /// How many rows they take.
    public static let rows = 3

    /// How many columns a text takes: three a digit, one between two characters.
    public static func columns(of text: String) -> Int {
        lines(text)[0].columns
    }

    /// The rows of a text, from the top, all of one width.
    ///
    /// Whatever is no digit, such as the comma of thousands, is a gap one column wider than that
    /// between digits.
    public static func lines(_ text: String) -> [String] {
        (0..<rows).map { row in
            text.map { character in shape(character).map { $0[row] } ?? "" }
                .joined(separator: " ")
        }
    }

    private static func shape(_ character: Character) -> [String]? {
        guard character.isASCII, let digit = character.wholeNumberValue else { return nil }
        return shapes[digit]
    }

    private static let shapes = [
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
