import SafeText

extension String {
    /// The columns that it takes in a frame.
    public var columns: Int {
        isPlain ? utf8.count : harmless.reduce(0) { $0 + $1.columns }
    }

    /// The text, cut with `…` at its end if it takes more columns than there are.
    ///
    /// It can be one column short where a wide character was cut.
    public func fitted(to columns: Int) -> String {
        guard self.columns > columns else { return self }
        guard columns > 0 else { return "" }
        var kept = ""
        var taken = 0
        for character in harmless {
            taken += character.columns
            guard taken < columns else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text with spaces after it, up to so many columns; never cut.
    public func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - self.columns))
    }

    /// The text with spaces before it, up to so many columns; never cut.
    public func leftPadded(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - self.columns)) + self
    }

    /// Whether each of its bytes is a character of one column, as in most of what is written.
    ///
    /// Found without cutting it into characters, which takes most of the time otherwise.
    var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}
