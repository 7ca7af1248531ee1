import Load
import Posix
import Transport

/// A room that the load generator opens: how soon its bids are answered, and how late its lots end.
final class BenchRoom {
    /// The countdown of its lots.
    static let seconds = 1

    private let bidders: [Bidder]
    private let crowd: Crowd
    /// The connections of the room, each of which is sent the end of a lot.
    private let connections: Int
    /// The bidder whose turn is next.
    private var next = 0
    private let rate: Int
    /// When the bids of a war are due; nil while there is none.
    private var war: Schedule?
    private var rounds: BiddingRounds
    /// The replies to its bids.
    private(set) var tally = Tally()
    /// How late the load generator sent its bids.
    private(set) var delays = Histogram()
    /// How late its lots end, at its first bidder and at its last connection.
    private(set) var hammers: HammerTimes

    /// Opens a room, the first free one from `bench-N` on, and lets bidders and observers enter.
    ///
    /// `first` is tried first for the names of the bidders; `rate` is their bids a second.
    init(
        on loop: EventLoop, to server: Server, from number: Int, bidders count: Int,
        named first: Int, rate: Int, observers: Int
    ) throws {
        let opener = try Bidder(on: loop, to: server, speaking: .auction, from: first)
        let room = try opener.openRoom(from: number, "seconds=\(Self.seconds) pause=0 step=1")
        let dialect = Dialect.auction(inRoom: Bidder.name(ofRoom: room))
        var bidders = [opener]
        while bidders.count < count {
            bidders.append(
                try Bidder(
                    on: loop, to: server, speaking: dialect,
                    from: bidders[bidders.count - 1].number + 1))
        }
        crowd = Crowd(on: loop, around: [server], speaking: dialect)
        if observers > 0 { try crowd.gather(observers) }
        (self.bidders, self.number, self.rate) = (bidders, room, rate)
        connections = 1 + observers
        rounds = BiddingRounds(rate: rate)
        hammers = HammerTimes(seconds: Self.seconds, connections: connections)
    }

    /// The number in its name.
    let number: Int

    /// The number in the name of its newest bidder.
    var lastBidder: Int { bidders.last?.number ?? 0 }

    /// The names of its connections on the loop.
    var handles: [Handle] { bidders.map(\.handle) + crowd.handles }

    /// When its next bid is due; `.max` if none is.
    var nextBid: Int64 { war?.next ?? rounds.next }

    /// Forgets what was measured, and begins a round of bids at a given time.
    func begin(at time: Int64) throws {
        var ignored = Tally()
        for bidder in bidders { while try bidder.receive(&ignored) > 0 {} }
        (tally, delays) = (Tally(), Histogram())
        hammers = HammerTimes(seconds: Self.seconds, connections: connections)
        war = nil
        rounds.lotOpened(at: time)
    }

    /// Begins bids without an end, so that no lot ends until `begin`.
    func beginWar(at time: Int64) {
        war = Schedule(rate: rate, from: time)
    }

    /// Sends the bids that are due.
    func bidIfDue(at now: Int64) throws {
        while let due = war?.popDue(at: now) { try bid(at: due) }
        let due = rounds.next
        guard war == nil, let isLast = rounds.popDue(at: now) else { return }
        delays.record(now - due)
        try bid(at: now)
        if isLast { hammers.bidSent(at: now) }
    }

    private func bid(at time: Int64) throws {
        try bidders[next].bid(1, at: time)
        next = (next + 1) % bidders.count
    }

    /// Reads once from a connection; another room's is ignored.
    func receive(_ readiness: Readiness) throws {
        guard let index = bidders.firstIndex(where: { $0.handle == readiness.handle }) else {
            return try crowd.receive(readiness, receiveObserver)
        }
        if readiness.isWritable { try bidders[index].flush() }
        guard index == 0 else {
            try bidders[index].receive(&tally)
            return
        }
        try bidders[0].receive(&tally) { kind, now in
            switch kind {
            case .delivery: hammers.priceReceived(at: now)
            case .winner: hammers.winnerReceived(at: now, byBidder: true)
            case .lot: rounds.lotOpened(at: now)
            case .reply, .ping, .other, .invalid: break
            }
        }
        if bidders.count == 1 && tally.leading > 0 {
            throw Failure.leadsAlone(canHaveMore: true)
        }
    }

    private func receiveObserver(_ number: Int, _ bytes: Span<UInt8>) -> Int {
        let now = monotonicNanoseconds()
        return Dialect.auction.deliveries.scan(bytes) { kind, _ in
            if kind == .delivery { hammers.priceReceived(at: now) }
            if kind == .winner { hammers.winnerReceived(at: now, byBidder: false) }
        }
    }
}
