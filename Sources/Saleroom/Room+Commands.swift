import AuctionRules
import Wire

extension Room {
    /// How many of the newest entries a list has if no range was requested.
    private static let newestEntries = 20

    /// Does what was asked, and answers it by exactly one `OK` or `ERROR`.
    mutating func obey(_ request: Request, of id: SessionID, at now: Instant) {
        let tag = request.tag
        switch request.command {
        case .name(let bidder, let token):
            claim(bidder, token: token, by: id, tag: tag, at: now)
        case .bid(let price):
            bid(price, by: id, tag: tag, at: now)
        case .laps(let range):
            let laps = list(range, of: auction.bidCount)
            answer(.list(.laps(lot: auction.lot.number), laps), tag: tag, to: id, at: now)
        case .results(let range):
            answer(.list(.results, list(range, of: sale.lotsEnded)), tag: tag, to: id, at: now)
        case .who:
            answer(
                .who(after: 0, through: sale.names.lastNumber, told: 0), tag: tag, to: id, at: now)
        case .resume(let number):
            resume(after: number, of: id, tag: tag, at: now)
        case .status:
            answer(.status, tag: tag, to: id, at: now)
        case .format(let format):
            reply(.ok(.format(format), tag: tag), to: id)
            sessions[id]?.format = format
            perform(.use(format, for: id))
        case .ping:
            reply(.ok(.ping, tag: tag), to: id)
        case .help:
            answer(.help(from: 0), tag: tag, to: id, at: now)
        case .quit:
            reply(.ok(.quit, tag: tag), to: id)
            dismiss(id, .quit, at: now)
        case .auctioneer(let token):
            appoint(id, token: token, tag: tag, at: now)
        case .rule(let ruling):
            obey(ruling, of: id, tag: tag, at: now)
        }
    }

    /// Sends the news after a number, which must have been reached.
    private mutating func resume(
        after number: Int, of id: SessionID, tag: String?, at now: Instant
    ) {
        let newest = sale.eventNumber
        guard number <= newest else {
            let usage = "resume NUMBER with a NUMBER up to \(newest), the newest"
            return reply(.error(ErrorReply(.badArguments(usage: usage)), tag: tag), to: id)
        }
        let missed = LongAnswer.Numbers(left: number + 1..<newest + 1, count: newest - number)
        answer(.list(.news, missed), tag: tag, to: id, at: now)
    }

    /// The requested part of a list that now has `count` entries.
    private func list(_ range: ListRange?, of count: Int) -> LongAnswer.Numbers {
        let first = min(range?.first ?? max(count - Self.newestEntries, 0) + 1, count + 1)
        let end = min(first + (range?.count ?? Self.newestEntries), count + 1)
        return LongAnswer.Numbers(left: first..<end, count: count)
    }
}
