import AuctionRules
import Reactive
import Sale
import Wire

extension RequestClient {
    /// Loads the accepted bids: the newest 20, or the newest 1,000 if there are more.
    func laps(attempts: Int = 3) -> Signal<[Bid]> {
        request(.laps(nil)).map { [self] reply in
            guard case .laps(let count) = reply.answer, count > reply.data.count,
                let range = ListRange(
                    first: max(1, count - ListRange.longest + 1), count: ListRange.longest)
            else { return .of(reply.bids) }
            return request(.laps(range)).map { [self] reply in
                // Fewer bids than before are those of the next lot. The attempts are limited, in
                // case the server sends wrong numbers.
                guard attempts > 1, case .laps(let count) = reply.answer, count < range.first else {
                    return .of(reply.bids)
                }
                return laps(attempts: attempts - 1)
            }
            .switchToLatest()
        }
        .switchToLatest()
    }
}

extension RequestClient.Reply {
    var bids: [Bid] {
        data.compactMap { if case .lap(let bid) = $0 { bid } else { nil } }
    }

    var bidders: [Bidder] {
        data.compactMap { if case .who(let bidder) = $0 { bidder } else { nil } }
    }

    var rooms: [RoomRow] {
        data.compactMap { if case .room(let row) = $0 { row } else { nil } }
    }

    var standings: [StandingsRow] {
        data.compactMap { if case .standing(let row) = $0 { row } else { nil } }
    }
}
