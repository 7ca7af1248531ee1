/// A key pressed at a terminal, or a text pasted there.
public enum Key: Equatable, Sendable {
    /// A scalar of text, which may be a combining mark.
    case character(Character)
    /// A text of at most 4 KiB; line ends and tabs are spaces, other controls are removed.
    case pasted(String)
    /// Enter.
    case enter
    /// Tab.
    case tab
    /// Backspace.
    case backspace
    /// Delete.
    case delete
    /// Left arrow.
    case left
    /// Right arrow.
    case right
    /// Up arrow.
    case up
    /// Down arrow.
    case down
    /// Home.
    case home
    /// End.
    case end
    /// Control or Alt with left arrow, or Alt-B.
    case wordLeft
    /// Control or Alt with right arrow, or Alt-F.
    case wordRight
    /// Escape.
    case escape
    /// Control with a lower-case letter, or with one of `@ \ ] ^ _`; line feed is `control("j")`.
    case control(Character)
    /// Any other key, or a report of the terminal.
    case unknown
}

extension Key {
    /// Makes the key that sends a scalar.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x08, 0x7F: self = .backspace
        case 0x09: self = .tab
        case 0x0D: self = .enter
        case 1...26: self = .control(Character(Unicode.Scalar(UInt8(scalar.value) | 0x60)))
        case ..<0x20: self = .control(Character(Unicode.Scalar(UInt8(scalar.value) | 0x40)))
        default: self = scalar.isControl ? .unknown : .character(Character(scalar))
        }
    }

    /// U+FFFD, the replacement for invalid UTF-8.
    static let replacement = Key.character(Character(ScalarReader.replacement))
}

extension Unicode.Scalar {
    /// Whether this is a control character: C0, DEL or C1.
    var isControl: Bool { properties.generalCategory == .control }
}
