/// A colour of text from the terminal's own palette, readable on light and dark backgrounds.
///
/// Source: ECMA-48, SGR 31, 32 and 35.
public enum Color: Sendable {
    /// The terminal's default colour.
    case standard
    /// The terminal's red.
    case red
    /// The terminal's green.
    case green
    /// The terminal's magenta.
    case magenta
}

/// The style of a cell.
public struct Style: Equatable, Sendable {
    /// The colour of the text.
    public var color: Color
    /// Whether the text is bold.
    public var isBold: Bool
    /// Whether the text is faint.
    public var isDim: Bool
    /// Whether the colours of text and background are swapped.
    public var isReversed: Bool

    /// The default style.
    public static let plain = Style()

    /// Makes a style.
    public init(
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
    var codes: [String] {
        var codes: [String] = []
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isReversed { codes.append("7") }
        if let code = color.code { codes.append(code) }
        return codes
    }
}

extension Color {
    fileprivate var code: String? {
        switch self {
        case .standard: nil
        case .red: "31"
        case .green: "32"
        case .magenta: "35"
        }
    }
}
