import Arguments
import Basics
import Load
import Posix
import Transport

/// The scenario `fanout`: one client bids, and each bid is followed to each observer.
final class Fanout {
    /// The bidder's replies are read after this many observers, or the server would wait for us.
    private static let observersBetween = 32

    private let server: Server
    private let dialect: Dialect
    private let bids: Int
    /// The outstanding bids in a closed loop, or the bids a second in an open one.
    private let window, rate: Int?
    private let loop: EventLoop
    private let crowd: Crowd
    private let bidder: Bidder
    /// By how much the memory of the server grew when the observers connected.
    private let memoryGrowth: Int?

    private var schedule: Schedule?
    private var received: [Deliveries]
    private var times: DeliveryTimes
    private var tally = Tally()
    /// When the newest delivery arrived.
    private var newest: Int64 = 0

    /// Connects the observers, and then the bidder.
    init(_ invocation: Invocation) throws {
        let observers = invocation[Flags.observers]
        server = Server(invocation)
        dialect = try Flags.dialect(invocation)
        bids = invocation[Flags.count]
        window = try Flags.window(invocation)
        rate = invocation[Flags.rate]
        received = Array(repeating: Deliveries(), count: observers)
        times = DeliveryTimes(observers: observers)
        loop = try EventLoop()
        let others = invocation[Flags.otherPorts].map { Server(port: $0, process: nil) }
        crowd = Crowd(on: loop, around: [server] + others, speaking: dialect)
        let before = try server.figures()
        try crowd.gather(observers)
        memoryGrowth = try server.cost(since: before)?.residentBytes
        bidder = try Bidder(on: loop, to: server, speaking: dialect)
    }

    /// Bids until all bids are made and received, or nothing arrives for some seconds.
    func run() throws -> Outcome {
        let before = try server.figures()
        let start = monotonicNanoseconds()
        newest = start
        schedule = rate.map { Schedule(rate: $0, from: start) }
        try bid(min(window ?? 0, bids), at: start)
        try loop.run { ready, _ in
            for (index, readiness) in ready.enumerated() {
                if (index + 1) % Self.observersBetween == 0 { try serveBidder() }
                if readiness.handle == bidder.handle {
                    try serveBidder()
                } else {
                    try receive(readiness)
                }
            }
            return Instant(nanoseconds: try endTurn())
        }
        try checkPrices()
        return outcome(newest - start, try server.cost(since: before))
    }

    private func bid(_ count: Int, at time: Int64) throws {
        guard count > 0 else { return }
        times.send(count, at: time)
        try bidder.bid(count, at: time)
    }

    private func serveBidder() throws {
        let replies = try bidder.receive(&tally)
        if tally.leading > 0 { throw Failure.leadsAlone(canHaveMore: false) }
        try bidder.flush()
        guard window != nil else { return }
        try bid(min(replies, bids - times.sent), at: monotonicNanoseconds())
    }

    private func receive(_ readiness: Readiness) throws {
        var (isInvalid, pings) = (false, 0)
        try crowd.receive(readiness) { observer, bytes in
            let now = monotonicNanoseconds()
            let length =
                dialect.deliversText
                ? received[observer].receiveLines(bytes)
                : dialect.deliveries.scan(bytes) { kind, message in
                    received[observer].receive(kind, message)
                    if kind == .ping { pings += 1 }
                    if kind == .invalid { isInvalid = true }
                }
            let before = times.deliveries
            times.receive(received[observer].count, by: observer, at: now)
            if times.deliveries > before { newest = now }
            return length
        }
        if isInvalid { throw Failure.otherProtocol }
        for _ in 0..<pings { try crowd.sendPong(for: readiness) }
    }

    /// Sends the bids that are due, and returns when to wake up.
    private func endTurn() throws -> Int64 {
        let now = monotonicNanoseconds()
        while times.sent < bids, let due = schedule?.popDue(at: now) { try bid(1, at: due) }
        if times.sent == bids { schedule = nil }
        let isComplete = times.sent == bids && times.deliveries == bids * received.count
        let deadline = max(newest, schedule?.next ?? 0) + patienceNanoseconds
        if isComplete && bidder.hasReceivedAll || now >= deadline { loop.stop() }
        // Waking a sleeping client would cost the server time that is not its own work.
        guard let schedule else { return now }
        return min(schedule.next, deadline)
    }

    /// Every price must be that of a bid of this bidder, and every bid accepted.
    private func checkPrices() throws(Failure) {
        guard tally.refused == 0 else {
            throw Failure(
                "the server refused \(tally.refused) of \(bids) bids: "
                    + "does somebody else bid, or the lot end?")
        }
        let foreign = (bidder.deliveries?.count ?? 0) - bids
        guard foreign <= 0 else {
            throw Failure(
                "\(foreign) prices are of other bidders: nobody else may bid meanwhile")
        }
    }

    private func outcome(_ nanoseconds: Int64, _ cost: ProcessFigures?) -> Outcome {
        // Messages in another encoding than the bidder's are compared with each other.
        let reference =
            dialect.deliversText || dialect.bidder != nil ? bidder.deliveries : received.first
        let lost = received.reduce(0) { $0 + $1.lost(of: bids, comparedWith: reference) }
        var report = Report(of: "fanout")
        report.add("observers", received.count)
        report.add("bids", bids)
        report.add("outstanding", window)
        report.add("rate", rate)
        report.add("seconds", Double(nanoseconds) / 1e9, places: 2)
        report.add("deliveriesPerSecond", times.deliveries, in: nanoseconds)
        report.add("acceptedPerSecond", tally.accepted, in: nanoseconds)
        report.add("lost", lost)
        report.add(
            "cpuMicrosecondsPerDelivery",
            cost?.cpuNanoseconds.map { Double($0) / 1e3 / Double(max(1, times.deliveries)) },
            places: 3)
        report.addMemory(memoryGrowth, of: received.count)
        report.add("deliveryNanoseconds", times.latency, percentiles: [50, 90, 99, 99.9])
        report.add("okLatencyNanoseconds", tally.latency)
        report.add("spreadNanoseconds", times.spread)
        guard lost > 0 else { return Outcome(report) }
        return Outcome(
            report,
            Failure(
                "\(lost) deliveries did not arrive within 5 s, or differ from what the bidder received"
            ))
    }
}

extension Report {
    /// Adds by how much the memory of the server grew for each observer.
    mutating func addMemory(_ growth: Int?, of observers: Int) {
        add(
            "residentBytesPerConnection",
            growth.map { Double($0) / Double(observers) }, places: 1)
    }

    /// Adds the CPU time of the server as a share of one core.
    mutating func addShare(
        _ key: String, ofCore cpuNanoseconds: Int64?, in nanoseconds: Int64
    ) {
        let share = cpuNanoseconds.map { Double($0) / Double(nanoseconds) }
        add(key, share.map { 100 * $0 }, places: 3)
    }
}
