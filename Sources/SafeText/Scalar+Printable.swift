extension Unicode.Scalar {
    /// Whether it may stand in a line that somebody else reads on a terminal.
    ///
    /// It neither steers the terminal nor ends the line, turns nothing around and hides nothing:
    /// no C0, DEL or C1, no bidirectional control, no zero-width space, mark or tag, no byte order
    /// mark, nothing that Unicode has yet to assign. U+200C and U+200D may: Persian and emoji are
    /// written with them.
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

    /// Whether there is something to be seen of it.
    public var isVisible: Bool {
        isPrintable && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }
}
