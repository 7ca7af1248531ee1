import AuctionRules

extension Bidder {
    /// Makes a name of a login; nil if nothing of it can be part of one.
    ///
    /// Each byte that a name may not have becomes `-`, at the beginning it is left out, and what is
    /// too long is cut.
    public init?(login: String) {
        let words = login.utf8.map { byte in
            Bidder([byte].span) == nil ? UInt8(ascii: "-") : byte
        }
        let name = words.drop { $0 == UInt8(ascii: "-") }.prefix(Bidder.longest)
        self.init(Array(name).span)
    }
}
