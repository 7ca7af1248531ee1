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
    /// between digits. With `isASCII` the digits are made of bars and underscores.
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
