extension Frame {
    /// The same frame in ASCII, for a terminal that can show nothing else.
    ///
    /// Blocks, braille and lines become ASCII characters of similar weight; other characters become
    /// `?`. O(cells).
    public func inASCII() -> Frame {
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
        case 0x250A: ":"  // the mark of somebody who joined
        case 0x2575: "|"  // a tick of the time
        case 0xBB: ">"
        case 0x2026: "~"
        case 0x2717: "x"
        default: "?"
        }
    }

    /// Dots one above the other are a line up, else they are low or high in their cell.
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
