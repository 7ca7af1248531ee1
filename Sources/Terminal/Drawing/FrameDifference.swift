import Bidder

extension Frame {
    /// The bytes that change a terminal from `old` to this frame; empty if they are equal.
    ///
    /// Clears and draws everything if `old` is nil or of another size. Without colours, cells can
    /// still be bold, dim and reversed. Leaves the terminal with plain style, and with its cursor
    /// where the frame shows it. Line wrap must be off, because a terminal may draw a character
    /// wider than expected. O(cells).
    ///
    /// Source: ECMA-48 CUP, ED, SGR; DEC private modes 25 (cursor) and 2026 (synchronized output).
    package func difference(from old: Frame?, in depth: ColorDepth) -> [UInt8] {
        let old = old.flatMap { $0.size == size ? $0 : nil }
        var pen = Pen(at: old?.visibleCursor, depth: depth)
        let rows = pen.paint(self, over: old ?? Frame(size))
        pen.finish(at: visibleCursor)
        let isShown = visibleCursor != nil
        guard let old else {
            return Control.beginUpdate + Control.hideCursor + Control.clear + pen.bytes
                + (isShown ? Control.showCursor : []) + Control.endUpdate
        }
        let wasShown = old.visibleCursor != nil
        guard rows > 1 else {
            guard wasShown != isShown else { return pen.bytes }
            return isShown ? pen.bytes + Control.showCursor : Control.hideCursor + pen.bytes
        }
        return Control.beginUpdate + (wasShown ? Control.hideCursor : []) + pen.bytes
            + (isShown ? Control.showCursor : []) + Control.endUpdate
    }
}

private enum Control {
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
    static let hideCursor = Array("\u{1B}[?25l".utf8)
    static let showCursor = Array("\u{1B}[?25h".utf8)
    /// Plain style first, because cleared cells take the background of the current style.
    static let clear = Array("\u{1B}[m\u{1B}[2J".utf8)
}

/// The bytes for a terminal, and the cursor and style that it has after them.
struct Pen {
    private(set) var bytes: [UInt8] = []
    /// The position of the terminal's cursor; nil if it is uncertain.
    private var position: Position?
    private var style = Style.plain
    private let depth: ColorDepth

    init(at position: Position?, depth: ColorDepth) {
        self.position = position
        self.depth = depth
    }

    /// Resets the style, and moves the cursor if it is to be shown.
    mutating func finish(at cursor: Position?) {
        use(.plain)
        if let cursor { move(to: cursor) }
    }

    /// Writes the character of a cell; returns the maximum columns a terminal may use for it.
    private mutating func write(cellAt place: Position, of frame: Frame) -> Int {
        let cell = frame[place.row, place.column]
        guard let character = cell.character else { return 0 }
        move(to: place)
        use(cell.style)
        guard !character.isCertain else {
            bytes.append(contentsOf: character.utf8)
            // At the right edge a terminal may wrap only before the next character.
            let isLast = place.column + 1 == frame.size.columns
            position = isLast ? nil : Position(row: place.row, column: place.column + 1)
            return 1
        }
        if character.isCluster && character.columns == 2 {
            // A terminal that takes one column for it would not overwrite the second.
            bytes.append(contentsOf: "  ".utf8)
            position = nil
            move(to: place)
        }
        bytes.append(contentsOf: character.utf8)
        position = nil
        return character.separateColumns
    }

    private mutating func move(to place: Position) {
        guard place != position else { return }
        bytes.append(contentsOf: Self.movement(to: place).utf8)
        position = place
    }

    /// A parameter of 1 may be omitted.
    private static func movement(to place: Position) -> String {
        switch (place.row, place.column) {
        case (0, 0): "\u{1B}[H"
        case (_, 0): "\u{1B}[\(place.row + 1)H"
        case (0, _): "\u{1B}[;\(place.column + 1)H"
        case (_, _): "\u{1B}[\(place.row + 1);\(place.column + 1)H"
        }
    }

    private mutating func use(_ wanted: Style) {
        let wanted = visible(wanted)
        guard wanted != style else { return }
        let reset = style == .plain || wanted == .plain ? [] : ["0"]
        let codes = (reset + wanted.codes(in: depth)).joined(separator: ";")
        bytes.append(contentsOf: "\u{1B}[\(codes)m".utf8)
        style = wanted
    }

    private func visible(_ style: Style) -> Style {
        guard depth == .none else { return style }
        var style = style
        if case .face = style.color { return .plain }
        style.color = .standard
        return style
    }

    /// Writes the cells in which two frames of one size differ, and returns the changed rows.
    mutating func paint(_ new: Frame, over old: Frame) -> Int {
        var rows = 0
        for row in 0..<new.size.rows where paint(row: row, of: new, over: old) { rows += 1 }
        return rows
    }

    private mutating func paint(row: Int, of new: Frame, over old: Frame) -> Bool {
        var isTouched = false
        // A character of uncertain width may have overwritten the columns before this one.
        var doubtfulEnd = 0
        for column in 0..<new.size.columns {
            let index = row * new.size.columns + column
            guard column < doubtfulEnd || new.cells[index] != old.cells[index],
                let character = new.cells[index].character
            else { continue }
            isTouched = true
            let place = Position(row: row, column: column)
            doubtfulEnd = max(doubtfulEnd, column + write(cellAt: place, of: new))
            let end = column + new.columns(at: index)
            if character.isCluster, end == new.size.columns { rewrite(leftOf: place, of: new) }
        }
        return isTouched
    }

    /// Rewrites the character to the left of a cluster at the right edge.
    ///
    /// Without wrap the cursor stays in the last column, and tmux then adds the marks of the
    /// cluster to the character before it.
    private mutating func rewrite(leftOf place: Position, of frame: Frame) {
        guard place.column > 0 else { return }
        let index = place.row * frame.size.columns + place.column
        let columns = frame.cells[index - 1].isContinuation ? 2 : 1
        _ = write(cellAt: Position(row: place.row, column: place.column - columns), of: frame)
    }
}

extension Character {
    /// Whether the character has more than one scalar.
    fileprivate var isCluster: Bool {
        utf8.count > 1 && unicodeScalars.dropFirst().first != nil
    }

    /// Whether every terminal advances its cursor by exactly one column for it.
    fileprivate var isCertain: Bool { utf8.count == 1 || !isCluster && columns == 1 }
}
