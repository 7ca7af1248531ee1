/// Where the terminal writes next and how, and the bytes that made it so.
struct Pen {
    private(set) var bytes: [UInt8] = []
    /// Where the terminal's cursor is; nil if that is not certain.
    private(set) var position: Position?
    private var style = Style.plain
    private let isColoured: Bool

    init(at position: Position?, isColoured: Bool) {
        self.position = position
        self.isColoured = isColoured
    }

    /// Leaves the terminal's style plain, and its cursor at a place if it is to be shown.
    mutating func finish(at cursor: Position?) {
        use(.plain)
        if let cursor { move(to: cursor) }
    }

    /// Writes a glyph that every terminal takes to be one column wide.
    mutating func write(_ glyph: Glyph, _ style: Style, at place: Position, isLast: Bool) {
        move(to: place)
        use(style)
        bytes.append(contentsOf: glyph.scalar.utf8)
        // A terminal may wait at the right edge for the next character, and then wrap.
        position = isLast ? nil : Position(row: place.row, column: place.column + 1)
    }

    /// Writes a character after which the cursor may be anywhere.
    mutating func write(_ character: Character, _ style: Style, at place: Position, isCluster: Bool)
    {
        move(to: place)
        use(style)
        if isCluster && character.columns == 2 {
            // What stood in the second column would stay if the terminal took only one.
            bytes.append(contentsOf: "  ".utf8)
            position = nil
            move(to: place)
        }
        bytes.append(contentsOf: String(character).utf8)
        position = nil
    }

    /// Writes unchanged cells again, from the cursor to the place, if that is shorter than to move.
    mutating func pass(over cells: ArraySlice<StoredCell>, to place: Position) {
        let isSimple = cells.allSatisfy { $0.glyph.isCertain && visible($0.style) == style }
        let length = cells.reduce(0) { $0 + UTF8.width($1.glyph.scalar) }
        guard isSimple, length < Self.movement(to: place).utf8.count else { return }
        for cell in cells { bytes.append(contentsOf: cell.glyph.scalar.utf8) }
        position = place
    }

    private mutating func move(to place: Position) {
        guard place != position else { return }
        bytes.append(contentsOf: Self.movement(to: place).utf8)
        position = place
    }

    /// Whatever is 1 may be left out.
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
        let codes = (reset + wanted.codes).joined(separator: ";")
        bytes.append(contentsOf: "\u{1B}[\(codes)m".utf8)
        style = wanted
    }

    private func visible(_ style: Style) -> Style {
        guard !isColoured else { return style }
        var style = style
        style.color = .standard
        return style
    }
}
