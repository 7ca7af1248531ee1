extension String {
    /// Whether it is one line that can be shown to anybody as it is.
    public var isPrintable: Bool {
        unicodeScalars.allSatisfy(\.isPrintable)
    }

    /// The text with U+FFFD for each scalar that is not printable.
    public var harmless: String {
        replacingUnprintable { _ in "\u{FFFD}" }
    }

    /// The text with an escape such as `\u{1B}` for each scalar that is not printable.
    public var escaped: String {
        replacingUnprintable { "\\u{\($0.digits)}" }
    }

    /// JSON that means the same, with an escape such as `\u001b` for each scalar that is not
    /// printable.
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
    /// Its number in hexadecimal, of two digits at least.
    fileprivate var digits: String {
        (value < 0x10 ? "0" : "") + String(value, radix: 16, uppercase: true)
    }
}
