/// A key that was pressed at a terminal, or a text that was pasted there.
public enum Key: Equatable, Sendable {
    /// A scalar of text, which may be a mark on the character before it.
    case character(Character)
    /// A text of at most 4 KiB, with spaces for its ends of lines and tabs and no other controls.
    case pasted(String)
    /// The key that ends a line.
    case enter
    /// The key that completes a word.
    case tab
    /// The key that deletes backwards.
    case backspace
    /// The key that deletes forwards.
    case delete
    /// The arrow to the left.
    case left
    /// The arrow to the right.
    case right
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The key to the start of the line.
    case home
    /// The key to the end of the line.
    case end
    /// Control or Alt with the arrow to the left, or Alt-B.
    case wordLeft
    /// Control or Alt with the arrow to the right, or Alt-F.
    case wordRight
    /// The key for the page before.
    case pageUp
    /// The key for the page after.
    case pageDown
    /// The escape key.
    case escape
    /// Control with a lower-case letter, or with one of `@ \ ] ^ _`; line feed is `control("j")`.
    case control(Character)
    /// Any other key, or what the terminal says of itself.
    case unknown
}
