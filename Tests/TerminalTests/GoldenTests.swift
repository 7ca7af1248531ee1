import Bidder
import Posix
import Terminal
import Testing

/// The screen in every state, compared with the approved frame.
///
/// `UPDATE_GOLDEN=1 swift test --filter GoldenTests` writes the files; review the diff.
@Suite struct GoldenTests {
    @Test("a state has its approved frame", arguments: Scene.all.flatMap(\.views))
    func looks(_ view: Scene.View) throws {
        let screen = Picture(frame: view.frame).description
        let path = Self.folder + view.file
        guard environmentVariable("UPDATE_GOLDEN") != "1" else {
            try replaceFile(path, with: Array(screen.utf8), mode: 0o644)
            print("renewed \(view.file)")
            return
        }
        guard let approved = Self.text(at: path) else {
            Issue.record("\(view.file) is missing; the screen is\n\(screen)")
            return
        }
        guard approved != screen else { return }
        Issue.record("\(view.file) is\n\(approved)\nbut the screen is\n\(screen)")
    }

    @Test("every state has a unique name")
    func isUnique() {
        let files = Scene.all.flatMap(\.views).map(\.file)
        #expect(Set(files).count == files.count)
    }

    private static let folder =
        (#filePath.lastIndex(of: "/").map { String(#filePath[...$0]) } ?? "") + "Golden/"

    private static func text(at path: String) -> String? {
        (try? readFile(path, atMost: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A frame as readable text: its rows, its cursor and its styles.
///
/// The styles have one letter for each cell: `#` reversed, or the number of the colour if it is
/// reversed, `*` bold, `-` dim, and the first letter of a colour, as a capital if it is bold.
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
        if style.isReversed { return style.color.look?.number ?? "#" }
        // Only the background of a space is visible.
        if cell.character == " " { return " " }
        if style.isDim { return "-" }
        guard let letter = style.color.look?.letter else { return style.isBold ? "*" : " " }
        return style.isBold ? Character(letter.uppercased()) : letter
    }
}

extension Color {
    /// The first letter of the name, and the number in the palette.
    fileprivate var look: (letter: Character, number: Character)? {
        switch self {
        case .standard: nil
        case .red: ("r", "1")
        case .green: ("g", "2")
        case .yellow: ("y", "3")
        case .blue: ("b", "4")
        case .magenta: ("m", "5")
        case .cyan: ("c", "6")
        case .face: ("f", "@")
        }
    }
}
