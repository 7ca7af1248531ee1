extension Sale {
    /// What the sale holds, for one line: `3 lots, lot 4 open at 120 by alice, 18 bids`.
    public var summary: String {
        guard hasLot else { return "nothing" }
        let done = auction.isClosed ? auction.lot.number : auction.lot.number - 1
        let lots = done == 0 ? [] : [counted(done, "lot")]
        return (lots + present + (auction.isPaused ? ["paused"] : [])).joined(separator: ", ")
    }

    private var present: [String] {
        guard !auction.isClosed else { return isOver ? ["the sale is over"] : [] }
        let lot = "lot \(auction.lot.number) open"
        guard let bid = auction.leading else { return [lot, "no bids"] }
        return ["\(lot) at \(bid.price.amount) by \(bid.bidder)", counted(bid.number, "bid")]
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
