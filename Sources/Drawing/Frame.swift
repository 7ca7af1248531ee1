/// A screen of text as a value: cells in rows, and where the terminal's cursor is shown.
///
/// Whatever is drawn is clipped at its edges.
public struct Frame: Equatable, Sendable {
    /// How many cells it has; never negative.
    public let size: Size
    /// Where the terminal's cursor is shown; nil, or outside of the frame, hides it.
    public var cursor: Position?

    /// The cells, row by row.
    ///
    /// - Invariant: a continuation stands to the right of each wide glyph, and nowhere else.
    private(set) var cells: [StoredCell]
    /// The characters of several scalars, by the index of their cell.
    ///
    /// - Invariant: there is one for each glyph that is a cluster, and no other.
    private(set) var clusters: [Int: Character] = [:]

    /// Makes a blank frame without a cursor; a negative extent counts as none.
    public init(_ size: Size) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
    }

    /// What stands at a place inside the frame.
    public subscript(row: Int, column: Int) -> Cell {
        precondition(contains(Position(row: row, column: column)), "a cell is inside its frame")
        let index = row * size.columns + column
        let cell = cells[index]
        guard !cell.glyph.isContinuation else { return Cell(character: nil, style: cell.style) }
        return Cell(
            character: clusters[index] ?? Character(cell.glyph.scalar), style: cell.style)
    }

    /// The text of each row, without the spaces at its end.
    public var lines: [String] {
        (0..<size.rows).map { row in
            var line = String((0..<size.columns).compactMap { self[row, $0].character })
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Where the terminal's cursor is shown, if it is.
    var visibleCursor: Position? {
        cursor.flatMap { contains($0) ? $0 : nil }
    }

    func contains(_ position: Position) -> Bool {
        (0..<size.rows).contains(position.row) && (0..<size.columns).contains(position.column)
    }
}

extension Frame {
    /// Puts a glyph into its one or two cells; a half of it that has no other becomes a space.
    mutating func put(
        _ glyph: Glyph, cluster: Character?, row: Int, column: Int, style: Style
    ) {
        guard (0..<size.rows).contains(row) else { return }
        let isInside = (0..<size.columns).contains(column)
        let index = row * size.columns + column
        guard glyph.isWide else {
            return isInside ? set(glyph, cluster, style, at: index) : ()
        }
        switch (isInside, (0..<size.columns).contains(column + 1)) {
        case (true, true):
            set(glyph, cluster, style, at: index)
            set(.continuation, nil, style, at: index + 1)
        case (true, false): set(.space, nil, style, at: index)
        case (false, true): set(.space, nil, style, at: index + 1)
        case (false, false): break
        }
    }

    /// Sets one cell, and blanks the other half of a wide character that it cuts.
    private mutating func set(
        _ glyph: Glyph, _ cluster: Character?, _ style: Style, at index: Int
    ) {
        let before = cells[index].glyph
        if before.isContinuation { blank(at: index - 1) }
        if before.isWide { blank(at: index + 1) }
        if before.isCluster || cluster != nil { clusters[index] = cluster }
        cells[index] = StoredCell(glyph: glyph, style: style)
    }

    private mutating func blank(at index: Int) {
        if cells[index].glyph.isCluster { clusters[index] = nil }
        cells[index].glyph = .space
    }
}
