import Basics
import Bidder

/// A size in columns and rows of cells.
package struct Size: Equatable, Hashable, Sendable {
    /// The number of columns.
    package var columns: Int
    /// The number of rows.
    package var rows: Int

    /// Makes a size.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The position of a cell, counted from 0 at the top left.
package struct Position: Equatable, Sendable {
    /// The row, from the top.
    package var row: Int
    /// The column, from the left.
    package var column: Int

    /// Makes a position.
    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// The content of one cell of a frame.
package struct Cell: Equatable, Sendable {
    static let blank = Cell(character: " ", style: .plain)

    /// The character; nil in the right half of a wide character.
    package internal(set) var character: Character?
    /// The style of the character.
    package internal(set) var style: Style

    /// Whether this is the right half of the wide character to its left.
    package var isContinuation: Bool { character == nil }
}

/// A screen of text as a value: rows of cells, and the position of the cursor.
///
/// Drawing is clipped at the edges.
package struct Frame: Equatable, Sendable {
    /// The size; never negative.
    package let size: Size
    /// The position of the cursor, which is hidden if this is nil or outside of the frame.
    package var cursor: Position?

    /// The cells, row by row.
    ///
    /// - Invariant: a continuation is to the right of each wide character, and nowhere else.
    private(set) var cells: [Cell]

    /// Makes a blank frame without a cursor; a negative extent counts as 0.
    package init(_ size: Size) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
    }

    /// The cell at a position inside the frame.
    package subscript(row: Int, column: Int) -> Cell {
        precondition(contains(Position(row: row, column: column)), "a cell is inside its frame")
        return cells[row * size.columns + column]
    }

    /// The text of each row, without trailing spaces.
    package var lines: [String] {
        (0..<size.rows).map { row in
            var line = String((0..<size.columns).compactMap { self[row, $0].character })
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The position of the cursor; nil if it is hidden.
    var visibleCursor: Position? {
        cursor.flatMap { contains($0) ? $0 : nil }
    }

    func contains(_ position: Position) -> Bool {
        (0..<size.rows).contains(position.row) && (0..<size.columns).contains(position.column)
    }

    /// The number of columns of the character in a cell.
    func columns(at index: Int) -> Int {
        let isFollowed = index + 1 < cells.count && cells[index + 1].isContinuation
        return isFollowed ? 2 : 1
    }

    /// Sets the cells of a character; if only one of two is inside the frame, to a space.
    private mutating func put(
        _ character: Character, columns: Int, row: Int, column: Int, style: Style
    ) {
        guard (0..<size.rows).contains(row) else { return }
        let visible = (column..<column + columns).clamped(to: 0..<size.columns)
        for place in visible {
            let half: Character? = place == column ? character : nil
            set(
                Cell(character: visible.count == columns ? half : " ", style: style),
                at: row * size.columns + place)
        }
    }

    /// Sets one cell, and blanks the other half of a wide character that was there.
    private mutating func set(_ cell: Cell, at index: Int) {
        if cells[index].isContinuation { cells[index - 1].character = " " }
        if columns(at: index) == 2 { cells[index + 1].character = " " }
        cells[index] = cell
    }
}

extension Frame {
    /// Writes text, clipped at the frame and at `limit` columns, and returns the columns it took.
    ///
    /// Unprintable scalars become U+FFFD. A wide character that is cut in half becomes a space, and
    /// so does the other half of one that is overwritten. Characters without a width are skipped.
    /// Columns outside of the frame count as taken.
    @discardableResult
    package mutating func write(
        _ text: String, row: Int, column: Int, style: Style = .plain, limit: Int? = nil
    ) -> Int {
        let room = min(limit ?? .max, size.columns - column)
        var taken = 0
        for character in text.isPrintableASCII ? text : text.harmless {
            let columns = character.columns
            guard columns > 0 else { continue }
            guard taken < room else { break }
            let isWhole = columns <= room - taken
            put(
                isWhole ? character : " ", columns: isWhole ? columns : 1, row: row,
                column: column + taken, style: style)
            taken += isWhole ? columns : 1
        }
        return taken
    }

    /// Writes text into a row of an area, from a column of the area up to its right edge.
    @discardableResult
    mutating func write(
        _ text: String, _ row: Int = 0, in area: Area, from column: Int = 0, style: Style = .plain
    ) -> Int {
        write(
            text, row: area.row + row, column: area.column + column, style: style,
            limit: area.columns - column)
    }

    /// Fills an area with spaces in a style.
    mutating func fill(_ area: Area, style: Style) {
        for row in 0..<max(0, area.rows) {
            write(String(repeating: " ", count: max(0, area.columns)), row, in: area, style: style)
        }
    }
}

extension Frame {
    /// Draws a box of lines with rounded corners, which join the lines that they meet.
    ///
    /// A box of one column is a vertical line. Clipped at the frame.
    package mutating func drawBox(at corner: Position, size box: Size, style: Style = .plain) {
        let (bottom, right) = (corner.row + box.rows - 1, corner.column + box.columns - 1)
        for row in corner.row..<corner.row + box.rows {
            for column in corner.column..<corner.column + box.columns {
                let isEnd = row == corner.row || row == bottom
                let isSide = column == corner.column || column == right
                guard isEnd || isSide, contains(Position(row: row, column: column)) else {
                    continue
                }
                let known = self[row, column].character ?? " "
                var arms = known == " " ? 0 : Self.boxLines.lastIndex(of: known) ?? 0
                if isSide, row > corner.row { arms |= 1 }
                if isSide, row < bottom { arms |= 2 }
                if isEnd, column > corner.column { arms |= 4 }
                if isEnd, column < right { arms |= 8 }
                put(Self.boxLines[arms], columns: 1, row: row, column: column, style: style)
            }
        }
    }

    /// The lines by their arms as bits: 1 is up, 2 down, 4 left, 8 right; one arm is a whole line.
    ///
    /// Source: Unicode, Box Drawing (U+2500).
    private static let boxLines: [Character] = Array(" │││─╯╮┤─╰╭├─┴┬┼")

    /// Draws a line of braille dots, two for each column and four for each row, from `corner` on.
    ///
    /// The line has a height from 0 for each column of dots, and changes vertically. A height of
    /// nil interrupts it. Cells without a dot stay as they are.
    package mutating func drawStairs(
        _ heights: [Int?], at corner: Position, rows: Int, style: Style = .plain
    ) {
        var before: Int?
        for (x, height) in heights.enumerated() {
            if let height {
                let from = before ?? height
                for y in min(from, height)...max(from, height) where (0..<rows * 4).contains(y) {
                    let fromTop = rows * 4 - 1 - y
                    let place = Position(
                        row: corner.row + fromTop / 4, column: corner.column + x / 2)
                    addDot(Self.dots[x % 2][fromTop % 4], at: place, style: style)
                }
            }
            before = height
        }
    }

    private mutating func addDot(_ dot: UInt32, at place: Position, style: Style) {
        guard contains(place) else { return }
        let known = self[place.row, place.column].character?.unicodeScalars.first?.value ?? 0
        let pattern = Self.braille.contains(known) ? known : Self.braille.lowerBound
        guard let scalar = Unicode.Scalar(pattern | dot) else { return }
        put(Character(scalar), columns: 1, row: place.row, column: place.column, style: style)
    }

    private static let braille: ClosedRange<UInt32> = 0x2800...0x28FF

    /// The bits of the left and the right column of dots, from the top.
    ///
    /// Source: Unicode, Braille Patterns (U+2800).
    private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// Makes all text faint, without colours, because it may be out of date.
    package mutating func fade() {
        for index in cells.indices { cells[index].style = Style(isDim: true) }
    }
}

extension Frame {
    /// The frame in ASCII, for a terminal that shows nothing else.
    ///
    /// O(cells). Blocks, braille and lines become ASCII characters of similar weight, others `?`.
    package func inASCII() -> Frame {
        var frame = Frame(size)
        frame.cursor = cursor
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let cell = self[row, column]
                let text = cell.character.map { $0.inASCII } ?? "?"
                frame.write(text, row: row, column: column, style: cell.style)
            }
        }
        return frame
    }
}

extension Character {
    fileprivate var inASCII: String {
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return "?" }
        return scalar.isASCII ? String(self) : scalar.inASCII
    }
}

extension Unicode.Scalar {
    /// Source: Unicode, Block Elements (U+2580) and Braille Patterns (U+2800).
    fileprivate var inASCII: String {
        switch value {
        case 0x2580: "^"  // the upper half of a cell
        case 0x2581...0x2583, 0x258D...0x258F: value < 0x2588 ? "_" : "-"
        case 0x2584...0x2586, 0x258A...0x258C: "="
        case 0x2587...0x2589: "#"
        case 0x2591: "."
        case 0x2801...0x28FF: Self.line(ofDots: value - 0x2800)
        case 0x2500: "-"
        case 0x2502, 0x2575: "|"
        case 0x250A: ":"  // the mark where a bidder joined
        case 0x254C: "-"
        case 0x2571: "/"
        case 0x2572: "\\"
        case 0x250C...0x2570: "+"  // the corners and junctions of frames
        case 0xB7: "."
        case 0xBB: ">"
        case 0x2022: "*"
        case 0x2026: "~"
        case 0x2717: "x"
        default: "?"
        }
    }

    /// A full column of dots becomes `|`; other dots become a character by their height.
    private static func line(ofDots dots: UInt32) -> String {
        let (left, right): (UInt32, UInt32) = (0x47, 0xB8)
        if dots & left == left || dots & right == right { return "|" }
        return switch (dots & 0x1B != 0, dots & 0xE4 != 0) {
        case (true, true): ":"
        case (true, false): "'"
        case (false, _): "."
        }
    }
}
