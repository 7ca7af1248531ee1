import AuctionRules
import SafeText

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
        append(memberName: name)
        text.appendQuotedJSON(to: &self)
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
}
