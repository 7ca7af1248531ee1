import SafeText

extension Frame {
    /// Writes text from a place on, clipped at the frame and at `limit` columns, and returns how
    /// many it took.
    ///
    /// What is not printable becomes U+FFFD: this is where text reaches a frame. A wide
    /// character that is cut in half becomes a space, as does the rest of one that is written over.
    /// What takes no column and is no part of the character before it is left out. Columns to the
    /// left of the frame, and those of a row outside of it, count as taken.
    @discardableResult
    public mutating func write(
        _ text: String, row: Int, column: Int, style: Style = .plain, limit: Int? = nil
    ) -> Int {
        let room = min(limit ?? .max, size.columns - column)
        guard !text.isPlain else {
            return writePlain(text, row: row, column: column, style: style, room: room)
        }
        var taken = 0
        for character in text.harmless {
            let columns = character.columns
            guard columns > 0 else { continue }
            guard taken < room else { break }
            let isWhole = columns <= room - taken
            let glyph = isWhole ? Glyph(character, columns: columns) : .space
            put(
                glyph, cluster: glyph.isCluster ? character : nil, row: row,
                column: column + taken, style: style)
            taken += isWhole ? columns : 1
        }
        return taken
    }

    private mutating func writePlain(
        _ text: String, row: Int, column: Int, style: Style, room: Int
    ) -> Int {
        var taken = 0
        for byte in text.utf8.prefix(max(0, room)) {
            put(Glyph(ascii: byte), cluster: nil, row: row, column: column + taken, style: style)
            taken += 1
        }
        return taken
    }

    /// Makes cells of a row blank, in a style; clipped.
    public mutating func fill(row: Int, column: Int, columns: Int, style: Style) {
        for place in max(0, column)..<max(0, column, min(size.columns, column + columns)) {
            put(.space, cluster: nil, row: row, column: place, style: style)
        }
    }

    /// Copies another frame, with its top left corner at a place; clipped.
    ///
    /// Its cursor, if it has one, becomes the cursor of this frame, and is hidden if clipped.
    /// O(cells of the other).
    public mutating func draw(_ other: Frame, row: Int, column: Int) {
        for line in 0..<other.size.rows {
            for place in 0..<other.size.columns {
                let index = line * other.size.columns + place
                let cell = other.cells[index]
                guard !cell.glyph.isContinuation else { continue }
                put(
                    cell.glyph, cluster: cell.glyph.isCluster ? other.clusters[index] : nil,
                    row: row + line, column: column + place, style: cell.style)
            }
        }
        guard let shown = other.visibleCursor else { return }
        cursor = Position(row: row + shown.row, column: column + shown.column)
    }
}
