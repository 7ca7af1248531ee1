import Load
import Posix
import Transport

/// A room with a few bids and short lots: how soon its bids are answered, and how late its lots end.
final class QuietRoom {
    /// The countdown of its lots.
    static let seconds = 1
    private static let bidsPerSecond = 20

    private let bidders: [Bidder]
    /// The bidder whose turn is next.
    private var next = 0
    private var rounds = BiddingRounds(rate: bidsPerSecond)
    /// The replies to its bids.
    private(set) var tally = Tally()
    /// How late the load generator sent its bids.
    private(set) var delays = Histogram()
    /// How late its lots end, at its first bidder.
    private(set) var hammers = HammerTimes(seconds: seconds, connections: 1)

    /// Opens a room, the first free one from `bench-N` on, and lets a number of bidders enter.
    init(
        on loop: EventLoop, to server: Server, from number: Int, bidders count: Int,
        named first: Int
    ) throws {
        let opener = try Bidder(on: loop, to: server, speaking: .auction, from: first)
        let room = try opener.openRoom(from: number, "seconds=\(Self.seconds) pause=0 step=1")
        var bidders = [opener]
        while bidders.count < count {
            let bidder = try Bidder(
                on: loop, to: server, speaking: .auction,
                from: bidders[bidders.count - 1].number + 1)
            try bidder.join(room: room)
            bidders.append(bidder)
        }
        (self.bidders, self.number) = (bidders, room)
    }

    /// The number in its name.
    let number: Int

    /// The number in the name of its newest bidder.
    var lastBidder: Int { bidders.last?.number ?? 0 }

    /// The names of its connections on the loop.
    var handles: [Handle] { bidders.map(\.handle) }

    /// When its next bid is due; `.max` if none is.
    var nextBid: Int64 { rounds.next }

    /// Forgets what was measured, and begins a round of bids at a given time.
    func begin(at time: Int64) throws {
        var ignored = Tally()
        for bidder in bidders { while try bidder.receive(&ignored) > 0 {} }
        (tally, delays) = (Tally(), Histogram())
        hammers = HammerTimes(seconds: Self.seconds, connections: 1)
        rounds.lotOpened(at: time)
    }

    /// Sends the bid that is due, if any.
    func bidIfDue(at now: Int64) throws {
        let due = rounds.next
        guard let isLast = rounds.popDue(at: now) else { return }
        delays.record(now - due)
        try bidders[next].bid(1, at: now)
        if isLast { hammers.bidSent(at: now) }
        next = (next + 1) % bidders.count
    }

    /// Reads once from a connection.
    func receive(_ readiness: Readiness) throws {
        guard let index = bidders.firstIndex(where: { $0.handle == readiness.handle }) else {
            return
        }
        guard index == 0 else {
            try bidders[index].receive(&tally)
            return
        }
        try bidders[0].receive(&tally) { kind, now in
            switch kind {
            case .delivery: hammers.priceReceived(at: now)
            case .winner: hammers.winnerReceived(at: now, byBidder: true)
            case .lot: rounds.lotOpened(at: now)
            case .over, .reply, .hello, .ping, .other, .invalid: break
            }
        }
        if bidders.count == 1 && tally.leading > 0 {
            throw Failure.leadsAlone(canHaveMore: true)
        }
    }
}
