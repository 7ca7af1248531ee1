import Auction

/// The mark of a bidder: the initial on a background of the bidder's colour.
///
/// The page and the big screen compute the same colour from the name.
package struct Face: Equatable, Sendable {
    /// The index of the colour in the palette of twelve.
    package let index: Int
    /// The initial.
    package let initial: String

    /// Makes the face of a bidder.
    ///
    /// Source: FNV-1a of 32 bits, over the name in lower case.
    package init(of bidder: Bidder) {
        let name = "\(bidder)"
        let hash = name.lowercased().utf8.reduce(UInt32(2_166_136_261)) {
            ($0 ^ UInt32($1)) &* 16_777_619
        }
        index = Int(hash % UInt32(Self.colors.count))
        initial = name.prefix(1).uppercased()
    }

    /// Makes the face of a bidder whom people call by another name.
    init(initial name: String, of bidder: Bidder) {
        index = Face(of: bidder).index
        initial = name.prefix(1).uppercased()
    }

    /// The parameters of the background of a colour, with dark text.
    ///
    /// Source: xterm, SGR 48;5.
    static func codes(of index: Int, in depth: ColorDepth) -> [String] {
        switch depth {
        case .none: []
        case .sixteen: ["1", "30", "\(colors[index].sixteen)"]
        case .all: ["38;5;16", "48;5;\(colors[index].all)"]
        }
    }

    /// The nearest of 256 colours to each of the palette, and the background of a near one of 16.
    private static let colors: [(all: Int, sixteen: Int)] = [
        (157, 42), (211, 41), (117, 46), (223, 43), (183, 45), (221, 43),
        (116, 46), (215, 41), (147, 44), (218, 45), (185, 42), (187, 47),
    ]
}

/// How many colours a terminal shows.
package enum ColorDepth: Sendable {
    /// None; cells can still be bold, dim and reversed.
    case none
    /// The terminal's own palette.
    case sixteen
    /// 256 colours.
    case all

    /// The depth of a coloured terminal, as far as its environment tells.
    package init(environment: (String) -> String?) {
        let term = environment("TERM") ?? ""
        let hasAll = term.contains("256color") || !(environment("COLORTERM") ?? "").isEmpty
        self = hasAll ? .all : .sixteen
    }
}

extension Frame {
    /// Draws a face over the initial that a text in an area begins with.
    mutating func draw(_ face: Face, _ row: Int = 0, in area: Area, from column: Int = 0) {
        let style = Style(color: .face(face.index), isReversed: true)
        write(face.initial, row, in: area, from: column, style: style)
    }
}

extension Bidder {
    /// The initial and the name; a face is drawn over the initial.
    var labelled: String { "\(Face(of: self).initial) \(self)" }
}
