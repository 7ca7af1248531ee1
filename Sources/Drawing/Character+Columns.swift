extension Character {
    /// The columns it takes on a terminal: 0, 1 or 2.
    ///
    /// Flags, joined emoji, and what U+FE0F makes an emoji take two.
    ///
    /// Source: Unicode Standard Annex 11; Unicode Technical Standard 51.
    public var columns: Int {
        guard utf8.count > 1 else { return 1 }
        var sum = 0
        for scalar in unicodeScalars {
            if scalar == "\u{FE0F}" && isEmojiBase { return 2 }
            sum += scalar.columns
        }
        return min(sum, 2)
    }

    /// The columns that a terminal may take which joins nothing.
    var separateColumns: Int {
        unicodeScalars.reduce(0) { $0 + $1.columns }
    }

    private var isEmojiBase: Bool {
        unicodeScalars.first?.properties.isEmoji ?? false
    }
}
