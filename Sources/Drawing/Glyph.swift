/// What is written in one cell, as a number: a scalar, whether it is wide, whether more follow.
///
/// Of a cluster of several scalars this is the first; the whole of it is kept beside the cells.
struct Glyph: Equatable, Sendable {
    private static let wide: UInt32 = 1 << 30
    private static let cluster: UInt32 = 1 << 31

    static let space = Glyph(bits: 0x20)
    /// The right half of a wide character: U+0000 never reaches a frame.
    static let continuation = Glyph(bits: 0)

    private let bits: UInt32

    private init(bits: UInt32) {
        self.bits = bits
    }

    /// The glyph of a character that takes one column or two.
    init(_ character: Character, columns: Int) {
        let scalars = character.unicodeScalars
        let isCluster = scalars.index(after: scalars.startIndex) != scalars.endIndex
        bits =
            scalars[scalars.startIndex].value | (columns == 2 ? Self.wide : 0)
            | (isCluster ? Self.cluster : 0)
    }

    /// The glyph of a printable character of ASCII.
    init(ascii: UInt8) {
        bits = UInt32(ascii)
    }

    var isContinuation: Bool { bits == 0 }
    var isWide: Bool { bits & Self.wide != 0 }
    var isCluster: Bool { bits & Self.cluster != 0 }

    /// Tells whether every terminal moves on by one column after it.
    var isCertain: Bool { bits & (Self.wide | Self.cluster) == 0 && !isContinuation }

    var scalar: Unicode.Scalar {
        Unicode.Scalar(bits & ~(Self.wide | Self.cluster)) ?? "\u{FFFD}"
    }
}
