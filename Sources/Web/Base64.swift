/// The Base64 encoding of bytes, with padding.
///
/// Source: RFC 4648, section 4.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes as Base64.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            let digits = [18, 12, 6, 0].map { alphabet[bits >> $0 & 63] }
            text += digits.prefix(group.count + 1)
            text += repeatElement(padding, count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the text is the Base64 encoding of 16 bytes.
    package static func isSixteenBytes(_ text: String) -> Bool {
        let characters = Array(text.utf8)
        return characters.count == 24 && characters[..<22].allSatisfy(alphabet.contains)
            && characters[22...] == [padding, padding]
    }
}
