import Drawing

/// The looks that the parts of the screen share: few colours, and none that is lost on a light or on
/// a dark ground.
extension Style {
    static let heading = Style(isBold: true)
    static let faint = Style(isDim: true)
    static let good = Style(color: .green, isBold: true)
    static let bad = Style(color: .red, isBold: true)
    static let title = Style(isBold: true, isReversed: true)
}
