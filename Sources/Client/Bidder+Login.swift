import AuctionRules

extension Bidder {
    /// Makes a name from a login; nil if no character of the login is allowed in a name.
    ///
    /// Bytes that are not allowed become `-`, or are dropped at the beginning; a long name is cut.
    public init?(login: String) {
        let words = login.utf8.map { byte in
            Bidder([byte].span) == nil ? UInt8(ascii: "-") : byte
        }
        let name = words.drop { $0 == UInt8(ascii: "-") }.prefix(Bidder.longest)
        self.init(Array(name).span)
    }
}
