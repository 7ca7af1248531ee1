import AuctionRules

/// Writing of flat JSON objects, member by member, with no value in between. Source: RFC 8259.
extension [UInt8] {
    mutating func beginObject() {
        append("{")
    }

    mutating func endObject() {
        append("}")
    }

    mutating func append(member name: String, _ number: Int64) {
        append(memberName: name)
        append(number)
    }

    mutating func append(member name: String, _ number: Int) {
        append(member: name, Int64(number))
    }

    mutating func append(member name: String, _ bidder: Bidder) {
        append(member: name) { $0.append(bidder) }
    }

    mutating func append(member name: String, _ text: String) {
        append(member: name) { bytes in
            for byte in text.utf8 { bytes.append(escaping: byte) }
        }
    }

    /// Appends a member whose text is what `write` appends; nothing of that may need an escape.
    mutating func append(member name: String, quoting write: (inout [UInt8]) -> Void) {
        append(memberName: name)
        append("\"")
        write(&self)
        append("\"")
    }

    private mutating func append(memberName name: String) {
        if last != UInt8(ascii: "{") { append(",") }
        append("\"")
        append(name)
        append("\":")
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0..<0x20, 0x7F:
            append("\\u00")
            append(hexadecimal: byte >> 4)
            append(hexadecimal: byte & 15)
        default:
            append(byte)
        }
    }

    private mutating func append(hexadecimal digit: UInt8) {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
}
