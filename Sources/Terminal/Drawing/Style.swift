import Bidder

/// A colour of the terminal's own palette of sixteen.
///
/// Red, green and magenta are readable as text on light and dark backgrounds. Yellow, blue and cyan
/// are for bars and for reversed cells.
///
/// Source: ECMA-48, SGR 31 to 36.
package enum Color: Equatable, Sendable {
    /// The terminal's default colour, and six of its palette.
    case standard, red, green, yellow, blue, magenta, cyan
    /// The colour of a face, by its index; only as a background.
    case face(Int)
}

/// The style of a cell.
package struct Style: Equatable, Sendable {
    /// The colour of the text; of a reversed cell, the colour of its background.
    package var color: Color
    /// Whether the text is bold.
    package var isBold: Bool
    /// Whether the text is faint.
    package var isDim: Bool
    /// Whether the colours of text and background are swapped.
    ///
    /// With a colour the text is black or white, whichever is readable on it, so the cell looks the
    /// same on light and dark backgrounds.
    package var isReversed: Bool

    /// The default style.
    package static let plain = Style()

    /// Makes a style.
    package init(
        color: Color = .standard, isBold: Bool = false, isDim: Bool = false,
        isReversed: Bool = false
    ) {
        self.color = color
        self.isBold = isBold
        self.isDim = isDim
        self.isReversed = isReversed
    }
}

extension Style {
    /// The parameters that change plain style to this one.
    ///
    /// Source: ECMA-48, SGR.
    func codes(in depth: ColorDepth) -> [String] {
        if case .face(let index) = color { return Face.codes(of: index, in: depth) }
        var codes: [String] = []
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isReversed {
            codes += color.backgroundCodes(in: depth) ?? ["7"]
        } else if depth != .none, let number = color.number {
            codes.append("3\(number)")
        }
        return codes
    }
}

extension Color {
    /// The parameters of a background of this colour with readable text; nil for the default.
    fileprivate func backgroundCodes(in depth: ColorDepth) -> [String]? {
        guard depth != .none else { return nil }
        return switch self {
        case .standard, .face: nil
        case .red, .blue, .magenta: number.map { ["37", "4\($0)"] }
        case .green, .yellow, .cyan: number.map { ["30", "4\($0)"] }
        }
    }

    /// The number of the colour in the palette; nil for the default.
    fileprivate var number: Int? {
        switch self {
        case .standard, .face: nil
        case .red: 1
        case .green: 2
        case .yellow: 3
        case .blue: 4
        case .magenta: 5
        case .cyan: 6
        }
    }
}
