import Drawing
import TestSupport
import Testing

/// Random frames, drawn one after the other on a terminal that keeps a grid.
@Suite struct RendererModelTests {
    @Test("whatever changes, the terminal shows the new frame", arguments: 0..<40 as Range<UInt64>)
    func differences(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = Size(
            columns: .random(in: 1...24, using: &random), rows: .random(in: 1...6, using: &random))
        var screen = Screen(size)
        var old: Frame?
        for _ in 0..<60 {
            let new = random.change(old ?? Frame(size))
            screen.apply(Renderer().difference(from: old, to: new, isColoured: true))
            #expect(screen.faults == [])
            #expect(screen.shows(new, except: { _ in false }))
            #expect(screen.cursor == new.cursor)
            #expect(screen.style == .plain && !screen.isUpdating)
            old = new
        }
    }

    @Test(
        "where a terminal sees other widths, the error stays where it is",
        arguments: 0..<40 as Range<UInt64>, [Widths.narrow, .separate])
    func disagreement(seed: UInt64, widths: Widths) {
        var random = SplitMix64(seed: seed)
        let size = Size(columns: 20, rows: 3)
        var screen = Screen(size, columns: widths.columns)
        var old: Frame?
        for _ in 0..<60 {
            let new = random.change(old ?? Frame(size))
            screen.apply(Renderer().difference(from: old, to: new, isColoured: true))
            #expect(screen.shows(new, except: { $0.unicodeScalars.count > 1 }))
            old = new
        }
    }

    /// What terminals make of several scalars in one cluster.
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

extension Screen {
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
            color: [.standard, .standard, .red, .cyan].randomElement(using: &self) ?? .standard,
            isBold: Int.random(in: 0..<4, using: &self) == 0,
            isReversed: Int.random(in: 0..<6, using: &self) == 0)
    }
}
