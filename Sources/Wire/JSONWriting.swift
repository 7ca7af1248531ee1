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
        append(memberName: name)
        append("\"")
        append(bidder)
        append("\"")
    }

    mutating func append(member name: String, _ text: String) {
        append(memberName: name)
        append("\"")
        for byte in text.utf8 { append(escaping: byte) }
        append("\"")
    }

    mutating func append(memberName name: String) {
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
            append(Self.hexadecimal[Int(byte >> 4)])
            append(Self.hexadecimal[Int(byte & 15)])
        default:
            append(byte)
        }
    }

    private static var hexadecimal: [UInt8] { Array("0123456789abcdef".utf8) }
}
