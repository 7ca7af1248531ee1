import AuctionRules
import SafeText

extension [UInt8] {
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends a text that somebody else will read: what is not printable is escaped.
    ///
    /// A title that was checked has nothing to escape, but one may have come out of a journal that
    /// was written by hand.
    mutating func append(safely text: String) {
        append(text.escaped)
    }

    package mutating func append(_ bidder: Bidder) {
        appendShort { $0.append(bidder) }
    }

    /// Appends a whole number that is not negative, with zeros before it to make `width` digits.
    package mutating func append(_ number: Int64, width: Int = 1) {
        appendShort { $0.append(number, width: width) }
    }

    package mutating func append(_ number: Int) {
        append(Int64(number))
    }

    mutating func appendLineFeed() {
        append(UInt8(ascii: "\n"))
    }
}
