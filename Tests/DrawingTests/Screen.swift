import Drawing

/// A terminal that understands what the renderer sends, and nothing else.
struct Screen {
    private(set) var cells: [[(text: String, style: Style)]]
    private(set) var cursor: Position?
    private(set) var faults: [String] = []
    private(set) var isUpdating = false
    private(set) var style = Style.plain
    private var place = Position(row: 0, column: 0)
    private var isCursorShown = false
    private let size: Size
    private let columns: (Character) -> Int

    /// Makes a screen full of what somebody else left there.
    init(_ size: Size, columns: @escaping (Character) -> Int = \.columns) {
        self.size = size
        self.columns = columns
        cells = Array(
            repeating: Array(repeating: ("?", .plain), count: size.columns), count: size.rows)
    }

    mutating func apply(_ bytes: [UInt8]) {
        var pieces = String(decoding: bytes, as: UTF8.self).unicodeScalars
            .split(separator: "\u{1B}", omittingEmptySubsequences: false)
        write(pieces.removeFirst())
        for piece in pieces {
            guard let end = piece.firstIndex(where: { $0.properties.isAlphabetic }) else {
                faults.append("no end: \(piece)")
                continue
            }
            obey(String(piece[..<end].dropFirst()), Character(piece[end]))
            write(piece[piece.index(after: end)...])
        }
        cursor = isCursorShown ? place : nil
    }

    private mutating func obey(_ parameters: String, _ command: Character) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        switch (command, parameters) {
        case ("H", _):
            place.row = max(1, numbers[0]) - 1
            place.column = max(1, numbers.count > 1 ? numbers[1] : 1) - 1
            if place.row >= size.rows || place.column >= size.columns { faults.append("outside") }
        case ("m", _): for number in numbers { apply(number) }
        case ("J", "2"):
            for row in cells.indices { for column in cells[row].indices { erase(row, column) } }
        case ("h", "?25"), ("l", "?25"): isCursorShown = command == "h"
        case ("h", "?2026"), ("l", "?2026"): isUpdating = command == "h"
        default: faults.append("unknown: \(parameters)\(command)")
        }
    }

    private mutating func apply(_ code: Int) {
        let colors: [Color] = [.red, .green, .yellow, .blue, .magenta, .cyan]
        switch code {
        case 0: style = .plain
        case 1: style.isBold = true
        case 2: style.isDim = true
        case 7: style.isReversed = true
        case 31...36: style.color = colors[code - 31]
        default: faults.append("unknown style: \(code)")
        }
    }

    private mutating func write(_ text: Substring.UnicodeScalarView) {
        for character in Substring(text) {
            guard place.column < size.columns else {
                faults.append("wrapped at \(character)")
                return
            }
            let end = min(size.columns, place.column + columns(character))
            for column in place.column..<end { cut(place.row, column) }
            for column in place.column..<end { cells[place.row][column] = ("", style) }
            cells[place.row][place.column].text = String(character)
            place.column = end
        }
    }

    /// Blanks the whole of the character of which a part is at a place.
    private mutating func cut(_ row: Int, _ column: Int) {
        var first = column
        while cells[row][first].text.isEmpty { first -= 1 }
        var end = column + 1
        while end < size.columns, cells[row][end].text.isEmpty { end += 1 }
        for place in first..<end { cells[row][place].text = " " }
    }

    private mutating func erase(_ row: Int, _ column: Int) {
        cells[row][column] = (" ", style)
    }
}
