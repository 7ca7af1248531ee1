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
