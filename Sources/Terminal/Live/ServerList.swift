import Auction
import Bidder
import Reactive
import Wire

/// A list of the server that can be loaded again; the newest load counts.
final class ServerList<Element> {
    /// The loads, with their results and errors.
    let resource: Resource<[Element]>
    /// Whether it was loaded since it last became out of date.
    private(set) var isCurrent = false

    private let loads = Subject<Signal<[Element]>>()
    private let request: () -> Signal<[Element]>
    private let bag = SubscriptionBag()

    /// Makes a list that each load requests anew.
    init(_ request: @escaping () -> Signal<[Element]>) {
        self.request = request
        resource = Resource(loads.signal)
        resource.result.observe(in: bag) { [unowned self] _ in isCurrent = true }
    }

    /// Begins to load the list.
    func load() {
        loads.notify(request())
    }

    /// Loads the list if it is out of date.
    func update() {
        if !isCurrent { load() }
    }

    /// Records that the list may have changed.
    func expire() {
        isCurrent = false
    }
}

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
