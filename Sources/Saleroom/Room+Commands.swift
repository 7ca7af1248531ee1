import AuctionRules
import Wire

extension Room {
    /// How many of the newest bids `laps` lists by itself.
    private static let newestLaps = 20

    /// Does what was asked, and answers it by exactly one `OK` or `ERROR`.
    mutating func obey(_ request: Request, of id: SessionID, at now: Instant) {
        let tag = request.tag
        switch request.command {
        case .name(let bidder, let token):
            claim(bidder, token: token, by: id, tag: tag)
        case .bid(let price):
            bid(price, by: id, tag: tag, at: now)
        case .laps(let range):
            listLaps(range, to: id)
            reply(.ok(.laps(auction.bids.count), tag: tag), to: id)
        case .who:
            let bidders = presentBidders()
            for bidder in bidders { reply(.who(bidder), to: id) }
            reply(.ok(.who(bidders.count), tag: tag), to: id)
        case .status:
            replySnapshot(to: id, at: now)
            reply(.ok(.status, tag: tag), to: id)
        case .format(let format):
            reply(.ok(.format(format), tag: tag), to: id)
            perform(.use(format, for: id))
        case .ping:
            reply(.ok(.ping, tag: tag), to: id)
        case .help:
            for line in Help.lines { reply(.help(line), to: id) }
            reply(.ok(.help, tag: tag), to: id)
        case .quit:
            dismiss(id, .quit)
        }
    }

    private mutating func listLaps(_ range: LapRange?, to id: SessionID) {
        let bids = auction.bids
        let first =
            range.map { min($0.first - 1, bids.count) } ?? max(bids.count - Self.newestLaps, 0)
        for bid in bids[first...].prefix(range?.count ?? Self.newestLaps) {
            reply(.lap(bid), to: id)
        }
    }
}
