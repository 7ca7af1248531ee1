import AuctionRules

extension [UInt8] {
    mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    mutating func append(_ bidder: Bidder) {
        bidder.forEachByte { append($0) }
    }

    /// Appends a whole number that is not negative, with zeros before it to make `width` digits.
    mutating func append(_ number: Int64, width: Int = 1) {
        let start = count
        var rest = number
        while rest > 0 || count - start < width {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }

    mutating func append(_ number: Int) {
        append(Int64(number))
    }

    mutating func appendLineFeed() {
        append(UInt8(ascii: "\n"))
    }
}
