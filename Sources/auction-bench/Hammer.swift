import Arguments
import Load
import MonotonicTime
import Posix
import Transport

/// The scenario `hammer`: how late each lot ends while bids arrive at a fixed rate.
///
/// Bids raise the price for a moment after each lot has opened. The others are too low, so that the
/// countdown runs out, except for one last bid when the broadcasts of the rise are over.
final class Hammer {
    /// The bidder is read after this many observers, because its times count most.
    private static let observersBetween = 64
    private static let graceNanoseconds: Int64 = 2_000_000_000
    /// How long all bids may be refused, as between two lots.
    private static let openingSeconds = 10
    /// How long after its opening the price of a lot rises, and when the last bid is made.
    private static let risingNanoseconds: Int64 = 300_000_000
    private static let lastBidNanoseconds: Int64 = 500_000_000

    private let server: Server
    private let observers: Int
    private let rate: Int
    private let lots: Int
    private let countdownSeconds: Int
    private let loop: EventLoop
    private let crowd: Crowd
    private let bidder: Bidder
    private var times: HammerTimes
    private var tally = Tally()
    private var opened: Int64 = 0
    private var isLastBidMade = false
    private var isOver = false
    /// When the bidder last received anything.
    private var newest: Int64 = 0
    /// When the last lot ended, or the load began.
    private var lastEnd: Int64 = 0

    /// Connects the observers, and then the bidder.
    init(_ invocation: Invocation) throws {
        server = Server(invocation)
        observers = invocation[Flags.observers]
        rate = invocation[Flags.rate] ?? 10_000
        lots = invocation[Flags.lots]
        loop = try EventLoop()
        crowd = Crowd(on: loop, around: server, speaking: .auction)
        try crowd.gather(observers)
        bidder = try Bidder(on: loop, to: server, speaking: .auction)
        guard let seconds = bidder.countdownSeconds else { throw Failure.notNamed }
        countdownSeconds = seconds
        times = HammerTimes(seconds: seconds, connections: observers + 1)
    }

    /// Bids until enough lots were sold, or the sale is over.
    func run() throws -> Outcome {
        let start = monotonicNanoseconds()
        let before = try server.figures()
        var schedule = Schedule(rate: rate, from: start)
        var progress = Progress(of: "lots sold")
        var end = Int64.max
        (newest, lastEnd, opened) = (start, start, start)
        try loop.run { ready, _ in
            try receiveBidder()
            for (index, readiness) in ready.enumerated() {
                try crowd.receive(readiness, receiveObserver)
                if index % Self.observersBetween == 0 { try receiveBidder() }
            }
            let now = monotonicNanoseconds()
            while let due = schedule.popDue(at: now) { queueBid(due, at: now) }
            try bidder.flush()
            progress.show(times.lots, at: now)
            if end == .max { try checkPatience(at: now) }
            if isOver || times.lots >= lots { end = min(end, now + Self.graceNanoseconds) }
            if end != .max && times.isComplete || now >= end { loop.stop() }
            return Instant(nanoseconds: min(schedule.next, progress.next))
        }
        guard times.lots > 0 else { throw Failure.refusedAll }
        return Outcome(report(monotonicNanoseconds() - start, try server.cost(since: before)))
    }

    private func queueBid(_ due: Int64, at now: Int64) {
        let isLast = now >= opened + Self.lastBidNanoseconds && !isLastBidMade
        guard isLast || now < opened + Self.risingNanoseconds else {
            return bidder.queueLowBid(at: due)
        }
        bidder.queueBid(at: due)
        if isLast {
            times.bidSent(at: now)
            isLastBidMade = true
        }
    }

    private func receiveBidder() throws {
        try bidder.receive(&tally) { kind, now in
            newest = now
            switch kind {
            case .delivery: times.priceReceived(at: now)
            case .winner:
                times.winnerReceived(at: now, byBidder: true)
                lastEnd = now
            case .lot: (opened, isLastBidMade) = (now, false)
            case .over: isOver = true
            case .reply, .hello, .ping, .other, .invalid: break
            }
        }
        if tally.leading > 0 { throw Failure.leadsAlone(canHaveMore: false) }
    }

    private func receiveObserver(_ number: Int, _ bytes: Span<UInt8>) -> Int {
        let now = monotonicNanoseconds()
        return Dialect.auction.deliveries.scan(bytes) { kind, _ in
            if kind == .delivery { times.priceReceived(at: now) }
            if kind == .winner { times.winnerReceived(at: now, byBidder: false) }
        }
    }

    private func checkPatience(at now: Int64) throws(Failure) {
        let countdown = Int64(countdownSeconds) * 1_000_000_000
        guard now - newest < countdown + patienceNanoseconds else { throw .silent }
        let opening = Int64(Self.openingSeconds) * 1_000_000_000
        let wait = now - lastEnd
        guard tally.accepted > 0 || tally.refused == 0 || wait < opening else { throw .refusedAll }
        guard wait < countdown + opening else {
            throw Failure(
                "no lot ended in \(countdownSeconds + Self.openingSeconds) s: "
                    + "does somebody else bid, or is the pause long?")
        }
    }

    private func report(_ nanoseconds: Int64, _ cost: ProcessFigures?) -> Report {
        var report = Report(of: "hammer")
        report.add("observers", "observers", observers)
        report.add("rate", "rate", rate)
        report.add("lots", "lots", times.lots)
        report.add("accepted", "accepted", tally.accepted)
        report.add("refused", "refused", tally.refused)
        report.add("late at the first", "firstLatenessNanoseconds", times.first)
        report.add("late at the bidder", "bidderLatenessNanoseconds", times.bidder)
        report.add("late at the last", "lastLatenessNanoseconds", times.last)
        report.add(
            "late, least", "leastLatenessMicroseconds", times.least.map { Double($0) / 1e3 },
            places: 1, unit: "us")
        report.add("deadline known within", "uncertaintyNanoseconds", times.uncertainty)
        report.addShare(ofCore: cost?.cpuNanoseconds, in: nanoseconds)
        report.add(times.missed > 0 ? "lots missed" : nil, "missed", times.missed)
        return report
    }
}
