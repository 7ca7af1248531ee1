extension Unicode.Scalar {
    /// Whether the scalar is safe in a line that other people read on a terminal.
    ///
    /// Unsafe are control and format characters (among them bidirectional controls and zero-width
    /// spaces), line and paragraph separators, and unassigned scalars. U+200C and U+200D are safe,
    /// because Persian and emoji need them. Some invisible letters and variation selectors are
    /// safe; see `isVisible`.
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

extension String {
    /// Whether the text is one line that can be printed without escapes.
    public var isPrintable: Bool {
        unicodeScalars.allSatisfy(\.isPrintable)
    }

    /// The text with U+FFFD for each unprintable scalar.
    public var harmless: String {
        replacingUnprintable { _ in "\u{FFFD}" }
    }

    /// The text with an escape such as `\u{1B}` for each unprintable scalar.
    public var escaped: String {
        replacingUnprintable { "\\u{\($0.digits)}" }
    }

    /// Equivalent JSON with an escape such as `\u001b` for each unprintable scalar.
    ///
    /// Source: RFC 8259, section 7.
    public var escapedJSON: String {
        replacingUnprintable(\.escapedJSON)
    }

    private func replacingUnprintable(_ replacement: (Unicode.Scalar) -> String) -> String {
        guard !isPrintable else { return self }
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isPrintable {
                text.append(scalar)
            } else {
                text.append(contentsOf: replacement(scalar).unicodeScalars)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// The scalar's value in hexadecimal, with at least two digits.
    fileprivate var digits: String {
        (value < 0x10 ? "0" : "") + String(value, radix: 16, uppercase: true)
    }
}

extension String {
    /// Appends the text as a quoted JSON string, with an escape for each unprintable scalar.
    ///
    /// Source: RFC 8259, section 7.
    public func appendQuotedJSON(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" { bytes.append(UInt8(ascii: "\\")) }
            if scalar.isPrintable {
                bytes.append(contentsOf: scalar.utf8)
            } else {
                bytes.append(contentsOf: scalar.escapedJSON.utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension Unicode.Scalar {
    /// One escape such as `\u001b`, or two for a surrogate pair.
    var escapedJSON: String {
        String(self).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
        .joined()
    }
}
