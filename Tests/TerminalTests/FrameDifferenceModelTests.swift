import Bidder
import Terminal
import TestSupport
import Testing

/// Random frames, rendered one after the other to a model of a terminal.
@Suite struct FrameDifferenceModelTests {
    @Test(
        "after random changes the terminal shows the new frame", arguments: 0..<40 as Range<UInt64>)
    func differences(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = Size(
            columns: .random(in: 1...24, using: &random), rows: .random(in: 1...6, using: &random))
        var screen = TerminalModel(size)
        var old: Frame?
        for _ in 0..<60 {
            let new = random.change(old ?? Frame(size))
            screen.apply(new.difference(from: old, in: .all))
            #expect(screen.faults == [])
            #expect(screen.shows(new, except: { _ in false }))
            #expect(screen.cursor == new.cursor)
            #expect(screen.style == .plain && !screen.isUpdating)
            old = new
        }
    }

    @Test(
        "a terminal with other character widths shows wrong cells only where they differ",
        arguments: 0..<40 as Range<UInt64>, [Widths.narrow, .separate])
    func disagreement(seed: UInt64, widths: Widths) {
        var random = SplitMix64(seed: seed)
        let size = Size(columns: 20, rows: 3)
        var screen = TerminalModel(size, columns: widths.columns)
        var old: Frame?
        for _ in 0..<60 {
            let new = random.change(old ?? Frame(size))
            screen.apply(new.difference(from: old, in: .all))
            #expect(screen.shows(new, except: { $0.unicodeScalars.count > 1 }))
            old = new
        }
    }

    /// The width that a terminal gives to a cluster of several scalars.
    enum Widths: Sendable {
        case narrow, separate

        func columns(_ character: Character) -> Int {
            guard character.unicodeScalars.count > 1 else { return character.columns }
            switch self {
            case .narrow: return 1
            case .separate:
                return character.unicodeScalars.reduce(0) { $0 + Character($1).columns }
            }
        }
    }
}

extension TerminalModel {
    fileprivate func shows(_ frame: Frame, except isExcepted: (Character) -> Bool) -> Bool {
        for row in 0..<frame.size.rows {
            var isSkipped = false
            for column in 0..<frame.size.columns {
                let cell = frame[row, column]
                if let character = cell.character { isSkipped = isExcepted(character) }
                let shown = cells[row][column]
                guard
                    isSkipped
                        || shown.text == cell.character.map(String.init) ?? ""
                            && shown.style == cell.style
                else { return false }
            }
        }
        return true
    }
}

extension SplitMix64 {
    private static let words = [
        "a", "gavel", " ", "   ", "1,250", "日", "日本語", "x한y", "é", "e\u{301}a\u{30A}o", "─│█",
        "👍", "👍🏽", "👨‍👩‍👧", "🇩🇪🇫🇷", "❤️", "☺\u{FE0F}b", "กำ", "a\u{1B}[2J",
        "e\u{301}e\u{301}e\u{301}", "e\u{300}e\u{300}e\u{300}",
    ]

    fileprivate mutating func change(_ frame: Frame) -> Frame {
        var frame = Int.random(in: 0..<10, using: &self) == 0 ? Frame(frame.size) : frame
        for _ in 0..<Int.random(in: 0...4, using: &self) {
            frame.write(
                Self.words.randomElement(using: &self) ?? "", row: row(of: frame),
                column: .random(in: -2...frame.size.columns, using: &self), style: style())
        }
        guard Bool.random(using: &self) else { return frame }
        let column = Int.random(in: 0..<frame.size.columns, using: &self)
        frame.cursor =
            Bool.random(using: &self) ? nil : Position(row: row(of: frame), column: column)
        return frame
    }

    private mutating func row(of frame: Frame) -> Int {
        .random(in: 0..<frame.size.rows, using: &self)
    }

    private mutating func style() -> Style {
        Style(
            color: [.standard, .standard, .red, .magenta, .cyan].randomElement(using: &self)
                ?? .standard,
            isBold: Int.random(in: 0..<4, using: &self) == 0,
            isReversed: Int.random(in: 0..<6, using: &self) == 0)
    }
}

/// A model of a terminal that accepts only the sequences of the renderer.
struct TerminalModel {
    private(set) var cells: [[(text: String, style: Style)]]
    private(set) var cursor: Position?
    private(set) var faults: [String] = []
    private(set) var isUpdating = false
    private(set) var style = Style.plain
    private var place = Position(row: 0, column: 0)
    private var isCursorShown = false
    private let size: Size
    private let columns: (Character) -> Int

    /// Makes a terminal whose cells contain other text.
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
        switch code {
        case 0: style = .plain
        case 1: style.isBold = true
        case 2: style.isDim = true
        case 7: style.isReversed = true
        case 31: style.color = .red
        case 32: style.color = .green
        case 35: style.color = .magenta
        case 36: style.color = .cyan
        // A reversed cell with a colour has a readable text on it.
        case 30, 37: style.isReversed = true
        case 41: style.color = .red
        case 45: style.color = .magenta
        case 46: style.color = .cyan
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

    /// Blanks all cells of the character at a position.
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
