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
