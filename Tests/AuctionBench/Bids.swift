import Arguments
import Basics
import Load
import Posix
import Transport

/// The scenario `bids`: bidders bid for some time, in a closed or an open loop.
final class Bids {
    /// How long the bids that are outstanding at the end have to be answered.
    private static let graceNanoseconds: Int64 = 2_000_000_000

    /// The outstanding bids of each bidder in a closed loop, or the bids a second in an open one.
    private let window, rate: Int?
    private let nanoseconds: Int64
    private let loop: EventLoop
    private let bidders: [Bidder]
    /// The bidder whose turn is next in an open loop.
    private var next = 0
    private var schedule: Schedule?
    private var tally = Tally()
    /// The result when the time is up; from then on nobody bids.
    private var measured: (tally: Tally, nanoseconds: Int64)?

    /// Connects all bidders.
    init(_ invocation: Invocation) throws {
        let server = Server(invocation)
        let dialect = try Flags.dialect(invocation)
        guard dialect.deliversText || dialect.bidder != nil else {
            throw Flags.program.misuse(
                "--speak \(dialect.name) is for observers: use it with fanout or idle")
        }
        loop = try EventLoop()
        window = try Flags.window(invocation)
        rate = invocation[Flags.rate]
        nanoseconds = Flags.nanoseconds(invocation)
        var bidders: [Bidder] = []
        for _ in 0..<invocation[Flags.bidders] {
            let number = (bidders.last?.number ?? 0) + 1
            bidders.append(
                try Bidder(on: loop, to: server, speaking: dialect, from: number))
        }
        self.bidders = bidders
    }

    private var outstanding: Int { bidders.reduce(0) { $0 + $1.outstanding } }

    /// Bids until the time is up, and waits a little for the replies to outstanding bids.
    func run() throws -> Outcome {
        let start = monotonicNanoseconds()
        schedule = rate.map { Schedule(rate: $0, from: start) }
        for bidder in bidders { try bidder.bid(window ?? 0, at: start) }
        let byHandle = Dictionary(uniqueKeysWithValues: bidders.map { ($0.handle, $0) })
        try loop.run { ready, _ in
            for readiness in ready {
                if let bidder = byHandle[readiness.handle] { try serve(bidder, readiness) }
            }
            try bidOnSchedule()
            let next = min(schedule?.next ?? .max, try endTurn(from: start))
            return Instant(nanoseconds: next)
        }
        return try outcome()
    }

    private func serve(_ bidder: Bidder, _ readiness: Readiness) throws {
        if readiness.isReadable {
            let replies = try bidder.receive(&tally)
            if bidders.count == 1 && tally.leading > 0 {
                throw Failure.leadsAlone(canHaveMore: true)
            }
            if measured == nil && schedule == nil {
                try bidder.bid(replies, at: monotonicNanoseconds())
            }
        }
        if readiness.isWritable { try bidder.flush() }
    }

    /// Sends the bids that are due; several of one bidder go in one write.
    private func bidOnSchedule() throws {
        let now = monotonicNanoseconds()
        var count = 0
        while let due = schedule?.popDue(at: now) {
            bidders[(next + count) % bidders.count].queueBid(at: due)
            count += 1
        }
        for offset in 0..<min(count, bidders.count) {
            try bidders[(next + offset) % bidders.count].flush()
        }
        next = (next + count) % bidders.count
    }

    /// Returns when to look at the clock again.
    private func endTurn(from start: Int64) throws -> Int64 {
        let now = monotonicNanoseconds()
        let end = start + nanoseconds
        if measured == nil {
            guard now >= end else { return end }
            measured = (tally, now - start)
            schedule = nil
        }
        if outstanding == 0 || now >= end + Self.graceNanoseconds { loop.stop() }
        return end + Self.graceNanoseconds
    }

    private func outcome() throws(Failure) -> Outcome {
        guard let measured else { preconditionFailure("the loop ends after the measurement") }
        let unanswered = outstanding
        guard measured.tally.accepted > 0 || unanswered > 0 else { throw .refusedAll }
        var latency = tally.latency
        for bidder in bidders { bidder.recordAges(at: monotonicNanoseconds(), in: &latency) }
        var report = Report(of: "bids")
        report.add("bidders", bidders.count)
        report.add("outstanding", window)
        report.add("rate", rate)
        report.add("seconds", Double(measured.nanoseconds) / 1e9, places: 2)
        report.add("acceptedPerSecond", measured.tally.accepted, in: measured.nanoseconds)
        report.add("refusedPerSecond", measured.tally.refused, in: measured.nanoseconds)
        report.add("accepted", measured.tally.accepted)
        report.add("tooLow", measured.tally.tooLow)
        report.add("leading", measured.tally.leading)
        report.add("otherwiseRefused", measured.tally.otherwiseRefused)
        report.add("unanswered", unanswered)
        report.add("okLatencyNanoseconds", latency, percentiles: [50, 90, 99, 99.9])
        guard unanswered > 0 else { return Outcome(report) }
        return Outcome(
            report, Failure("\(unanswered) bids had no answer: their age counts as their latency"))
    }
}
