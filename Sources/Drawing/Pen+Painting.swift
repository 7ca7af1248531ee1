extension Pen {
    /// The most unchanged cells that are written again rather than passed by.
    private static let longestGap = 4

    /// Draws where two frames of one size differ, and returns in how many rows they do.
    @discardableResult
    mutating func paint(_ new: Frame, over old: Frame) -> Int {
        var rows = 0
        for row in 0..<new.size.rows where paint(row: row, of: new, over: old) { rows += 1 }
        return rows
    }

    private mutating func paint(row: Int, of new: Frame, over old: Frame) -> Bool {
        var isTouched = false
        // The terminal may have painted over the columns before this one.
        var doubtfulEnd = 0
        for column in 0..<new.size.columns {
            let index = row * new.size.columns + column
            guard column < doubtfulEnd || new.differs(from: old, at: index),
                !new.cells[index].glyph.isContinuation
            else { continue }
            isTouched = true
            approach(Position(row: row, column: column), in: new)
            let taken = write(cellAt: Position(row: row, column: column), of: new)
            doubtfulEnd = max(doubtfulEnd, column + taken)
            if new.cells[index].glyph.isCluster, new.isAtRightEdge(index) {
                rewrite(leftOf: Position(row: row, column: column), of: new)
            }
        }
        return isTouched
    }

    /// Writes a cell, and returns how many columns a terminal may take for it.
    private mutating func write(cellAt place: Position, of frame: Frame) -> Int {
        let index = place.row * frame.size.columns + place.column
        let (glyph, style) = (frame.cells[index].glyph, frame.cells[index].style)
        guard !glyph.isCertain else {
            write(glyph, style, at: place, isLast: place.column + 1 == frame.size.columns)
            return 1
        }
        let character = frame.clusters[index] ?? Character(glyph.scalar)
        write(character, style, at: place, isCluster: glyph.isCluster)
        return character.separateColumns
    }

    /// Writes what stands to the left of a cluster at the right edge once more.
    ///
    /// The cursor does not leave the last column when it does not wrap, and a terminal (tmux) then
    /// adds the marks of the cluster to the character before.
    private mutating func rewrite(leftOf place: Position, of frame: Frame) {
        guard place.column > 0 else { return }
        let index = place.row * frame.size.columns + place.column
        let columns = frame.cells[index - 1].glyph.isContinuation ? 2 : 1
        _ = write(cellAt: Position(row: place.row, column: place.column - columns), of: frame)
    }

    private mutating func approach(_ place: Position, in frame: Frame) {
        guard let position, position.row == place.row,
            (1...Self.longestGap).contains(place.column - position.column)
        else { return }
        let start = place.row * frame.size.columns
        pass(over: frame.cells[start + position.column..<start + place.column], to: place)
    }
}

extension Frame {
    fileprivate func isAtRightEdge(_ index: Int) -> Bool {
        index % size.columns + (cells[index].glyph.isWide ? 2 : 1) == size.columns
    }

    fileprivate func differs(from other: Frame, at index: Int) -> Bool {
        cells[index] != other.cells[index]
            || cells[index].glyph.isCluster && clusters[index] != other.clusters[index]
    }
}
