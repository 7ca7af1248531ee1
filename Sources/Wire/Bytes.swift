import Auction

extension [UInt8] {
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    package mutating func append(_ bidder: Bidder) {
        appendBuffered { $0.append(bidder) }
    }

    /// Appends a non-negative whole number, padded with zeros to `width` digits.
    package mutating func append(_ number: Int64, width: Int = 1) {
        appendBuffered { $0.append(number, width: width) }
    }

    package mutating func append(_ number: Int) {
        append(Int64(number))
    }

    mutating func appendLineFeed() {
        append(UInt8(ascii: "\n"))
    }
}
