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
            claim(bidder, token: token, by: id, tag: tag, at: now)
        case .bid(let price):
            bid(price, by: id, tag: tag, at: now)
        case .laps(let range):
            listLaps(range, to: id)
            reply(.ok(.laps(auction.bidCount), tag: tag), to: id)
        case .who:
            let present = presentBidders(after: 0, limit: .max)
            for entry in present { reply(.who(entry.bidder), to: id) }
            reply(.ok(.who(present.count), tag: tag), to: id)
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
            dismiss(id, .quit, at: now)
        case .auctioneer(let token):
            appoint(id, token: token, tag: tag, at: now)
        case .rule(let ruling):
            obey(ruling, of: id, tag: tag, at: now)
        }
    }

    /// Lists the bids asked for, as far as they are known.
    private mutating func listLaps(_ range: LapRange?, to id: SessionID) {
        let bids = auction.bids
        let newest = max(auction.bidCount - Self.newestLaps, 0) + 1
        let first = min(range?.first ?? newest, auction.bidCount + 1)
        let asked = first..<first + (range?.count ?? Self.newestLaps)
        let known = (bids.first?.number ?? 1)..<auction.bidCount + 1
        for number in asked.clamped(to: known) {
            reply(.lap(bids[number - known.lowerBound]), to: id)
        }
    }
}
