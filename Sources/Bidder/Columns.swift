import Basics

extension String {
    /// The number of columns that the text takes in a frame.
    package var columns: Int {
        isPrintableASCII ? utf8.count : harmless.reduce(0) { $0 + $1.columns }
    }

    /// The text, or if it takes more than `columns`, its beginning and `…`.
    ///
    /// The result is one column narrower than `columns` if a wide character does not fit.
    package func fitted(to columns: Int) -> String {
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

    /// The text, or if it takes more than `columns`, its beginning, `…` and its end.
    ///
    /// Names that are numbered at their ends stay different.
    package func elided(to columns: Int) -> String {
        guard self.columns > columns else { return self }
        let tail = (columns - 1) / 2
        var (end, taken) = ("", 0)
        for character in harmless.reversed() {
            taken += character.columns
            guard taken <= tail else { break }
            end.insert(character, at: end.startIndex)
        }
        return fitted(to: columns - end.columns) + end
    }

    /// The text in lines of at most `columns`, broken at spaces, and in words that are longer.
    ///
    /// With more than `lines` lines, the last ends in `…`.
    package func wrapped(to columns: Int, lines limit: Int) -> [String] {
        guard columns > 0, limit > 0 else { return [] }
        var lines: [String] = []
        var rest = split(separator: " ").flatMap { String($0).broken(to: columns) }[...]
        while var line = rest.popFirst() {
            while let next = rest.first, line.columns + 1 + next.columns <= columns {
                line += " " + next
                rest.removeFirst()
            }
            guard lines.count + 1 < limit || rest.isEmpty else {
                lines.append((line + " " + rest.joined(separator: " ")).fitted(to: columns))
                break
            }
            lines.append(line.fitted(to: columns))
        }
        return lines
    }

    /// The text in pieces of at most `columns`.
    private func broken(to columns: Int) -> [String] {
        guard self.columns > columns else { return [self] }
        var (pieces, taken) = ([""], 0)
        for character in harmless {
            if taken > 0, taken + character.columns > columns {
                pieces.append("")
                taken = 0
            }
            pieces[pieces.count - 1].append(character)
            taken += character.columns
        }
        return pieces
    }

    /// The text with spaces appended up to `columns`; never cut.
    package func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - self.columns))
    }

    /// The text with spaces before it up to `columns`; never cut.
    package func leftPadded(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - self.columns)) + self
    }

    /// Whether each byte of the text is a printable ASCII character, which takes one column.
    ///
    /// Most text is; this avoids the expensive search for character boundaries.
    package var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}

extension Character {
    /// The number of columns that the character takes on a terminal: 0, 1 or 2.
    ///
    /// Two for flags, for emoji joined by U+200D, and for a character that U+FE0F makes an emoji.
    ///
    /// Source: Unicode Standard Annex 11; Unicode Technical Standard 51.
    package var columns: Int {
        guard utf8.count > 1 else { return 1 }
        var sum = 0
        for scalar in unicodeScalars {
            if scalar == "\u{FE0F}" && isEmojiBase { return 2 }
            sum += scalar.columns
        }
        return min(sum, 2)
    }

    /// The number of columns on a terminal that does not combine scalars into one character.
    package var separateColumns: Int {
        unicodeScalars.reduce(0) { $0 + $1.columns }
    }

    private var isEmojiBase: Bool {
        unicodeScalars.first?.properties.isEmoji ?? false
    }
}

extension Unicode.Scalar {
    /// The number of columns of the scalar by itself: 0, 1 or 2.
    ///
    /// 1 for ambiguous width, and for unprintable scalars, which are drawn as U+FFFD.
    var columns: Int {
        if value < 0x300 || !isPrintable { return 1 }
        if hasNoWidth { return 0 }
        return isWide ? 2 : 1
    }

    /// Marks, joiners, and the Hangul letters that complete a syllable.
    private var hasNoWidth: Bool {
        switch value {
        case 0x1160...0x11FF, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: return true
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return true
        default: return false
        }
    }

    private var isWide: Bool {
        properties.isEmojiPresentation
            || Self.wideRanges.first { value <= $0.upperBound }?.contains(value) == true
    }
}

extension Unicode.Scalar {
    /// The ranges of scalars that take two columns, in order, without emoji.
    ///
    /// Source: Unicode 17, EastAsianWidth.txt (W and F).
    static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x2E99,
        0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x2FF0...0x303E, 0x3041...0x3096, 0x3099...0x30FF,
        0x3105...0x312F, 0x3131...0x318E, 0x3190...0x31E5, 0x31EF...0x321E, 0x3220...0x3247,
        0x3250...0xA48C, 0xA490...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE52, 0xFE54...0xFE66, 0xFE68...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x16FE4, 0x16FF0...0x16FF6, 0x17000...0x18CD5, 0x18CFF...0x18D1E,
        0x18D80...0x18DF2, 0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB, 0x1AFFD...0x1AFFE,
        0x1B000...0x1B122, 0x1B132...0x1B132, 0x1B150...0x1B152, 0x1B155...0x1B155,
        0x1B164...0x1B167, 0x1B170...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376,
        0x1F1E6...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F260...0x1F265,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
