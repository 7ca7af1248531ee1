extension History {
    /// What a history holds, for one line: `3 lots, lot 4 open at 120 by alice, 18 bids`.
    public var summary: String {
        guard let lot else { return "nothing" }
        let done = isClosed ? lot.number : lot.number - 1
        let lots = done == 0 ? [] : [counted(done, "lot")]
        return (lots + present(lot.number) + (isPaused ? ["paused"] : [])).joined(separator: ", ")
    }

    private func present(_ number: Int) -> [String] {
        guard !isClosed else { return isOver ? ["the sale is over"] : [] }
        guard let bid = bids.last else { return ["lot \(number) open", "no bids"] }
        return [
            "lot \(number) open at \(bid.price.amount) by \(bid.bidder)",
            counted(bid.number, "bid"),
        ]
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
