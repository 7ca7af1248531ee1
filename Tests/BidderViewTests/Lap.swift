import AuctionRules

/// A bid in few words.
func lap(_ number: Int, _ amount: Int64, _ name: String, at elapsed: Duration = .zero) -> Bid {
    Bid(number: number, price: price(amount), bidder: bidder(name), elapsed: elapsed)
}
