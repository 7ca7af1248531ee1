extension Unicode.Scalar {
    /// Whether the scalar is safe in a line that other people read on a terminal.
    ///
    /// Not safe are scalars that control the terminal, end the line, reverse text or are invisible:
    /// C0, DEL and C1, bidirectional controls, zero-width spaces, marks and tags, the byte order
    /// mark, and unassigned scalars. U+200C and U+200D are safe, because Persian and emoji need
    /// them.
    ///
    /// Source: Unicode Standard Annex 44, `General_Category`.
    public var isPrintable: Bool {
        if value < 0x7F { return value >= 0x20 }
        if value == 0x200C || value == 0x200D { return true }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned:
            return false
        default:
            return true
        }
    }

    /// Whether the scalar is visible.
    public var isVisible: Bool {
        isPrintable && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }
}
