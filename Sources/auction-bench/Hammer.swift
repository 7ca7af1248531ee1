import Load
import Posix
import Transport

/// The scenario `hammer`: how late it falls while bids come at a fixed rate.
final class Hammer {
    /// The bidder is listened to whenever so many observers were: its times are what counts.
    private static let observersBetween = 64
    private static let patienceNanoseconds: Int64 = 2_000_000_000
    /// How long the server may refuse all bids, as between two lots, or say nothing at all.
    private static let (openingSeconds, silentSeconds) = (10, 5)
    private static let readBytes = 128 * 1024

    private let loop: EventLoop
    private let crowd: Crowd
    private let bidder: BidderConnection
    private let rate: Int
    private let lots: Int
    private let countdownSeconds: Int
    private let process: Int32?
    private var buffer = [UInt8](repeating: 0, count: readBytes)
    private var lines = LineSkimmer()
    private var skimmers: [LineSkimmer]
    private var tally = Tally()
    private var times: HammerTimes
    private var storm = LotStorm()
    private var isOver = false
    /// When the bidder last heard anything, and when the last lot ended or the storm began.
    private var (newest, hammer): (Int64, Int64) = (0, 0)

    /// Connects the observers, and then a bidder.
    ///
    /// - Throws: `Failure`, or `SystemError` when this machine has no descriptor left.
    init(host: String, port: UInt16, observers: Int, rate: Int, lots: Int, process: Int32?) throws {
        self.rate = rate
        self.lots = lots
        self.process = process
        skimmers = Array(repeating: LineSkimmer(), count: observers)
        loop = try EventLoop()
        crowd = Crowd(on: loop, speaking: .auction)
        try crowd.gather(observers, host: host, port: port)
        bidder = try BidderConnection(
            host: host, port: port, speaking: .auction, outstanding: rate)
        try bidder.enter(as: benchNames(), reading: &buffer)
        guard let seconds = bidder.countdownSeconds else { throw Failure.notNamed }
        countdownSeconds = seconds
        times = HammerTimes(seconds: seconds, observers: observers)
    }

    /// Bids until so many lots were sold, or the sale is over.
    ///
    /// - Throws: `Failure`, or `SystemError` when the kernel no longer lets the loop wait.
    func run() throws -> Report {
        let handle = try loop.register(bidder.socket, for: .readable)
        let start = monotonicNanoseconds()
        let before = try ProcessFigures.now(of: process)
        var pace = Pace(rate: rate, from: start)
        var progress = Progress(of: "lots sold")
        var end = Int64.max
        (newest, hammer) = (start, start)
        try loop.run { ready, _ in
            try hearBidder()
            for (index, readiness) in ready.enumerated() {
                try crowd.hear(readiness, hearObserver)
                if index % Self.observersBetween == 0 { try hearBidder() }
            }
            let now = monotonicNanoseconds()
            try bid(&pace, at: now)
            try loop.change(handle, to: bidder.isBlocked ? [.readable, .writable] : .readable)
            progress.show(times.lots, at: now)
            if end == .max { try checkPatience(at: now) }
            if isOver || times.lots >= lots { end = min(end, now + Self.patienceNanoseconds) }
            if end != .max && times.isComplete || now >= end { loop.stop() }
            return min(pace.next, progress.next)
        }
        guard times.lots > 0 else { throw Failure.refusedAll }
        let cost = try before.flatMap { try ProcessFigures.now(of: process)?.since($0) }
        return Report(
            observers: skimmers.count, rate: rate, nanoseconds: monotonicNanoseconds() - start,
            tally: tally, times: times, cpuNanoseconds: cost?.cpuNanoseconds)
    }

    private func checkPatience(at now: Int64) throws(Failure) {
        let silence = now - newest
        guard silence < Self.nanoseconds(countdownSeconds + Self.silentSeconds) else {
            throw .silent
        }
        let wait = now - hammer
        let opening = Self.nanoseconds(Self.openingSeconds)
        guard tally.accepted > 0 || tally.refused == 0 || wait < opening else { throw .refusedAll }
        let most = countdownSeconds + Self.openingSeconds
        guard wait < Self.nanoseconds(most) else { throw .endless(seconds: most) }
    }

    private static func nanoseconds(_ seconds: Int) -> Int64 { Int64(seconds) * 1_000_000_000 }

    private func bid(_ pace: inout Pace, at now: Int64) throws {
        while let due = pace.takeDue(at: now) {
            if storm.takeBid(at: now) {
                bidder.queueBid(at: due)
                times.bidMade(at: now)
            } else {
                bidder.queueLowBid(at: due)
            }
        }
        try bidder.flush()
    }

    /// Where one read brings several lines, a lot ends, another opens, and its price rises.
    private func hearBidder() throws {
        let heard = try bidder.hear(into: &buffer, &tally)
        if heard.byteCount > 0 { newest = heard.time }
        if tally.leading > 0 { throw Failure.leadsAlone(mayHaveMore: false) }
        let news = lines.receive(buffer.span.extracting(first: heard.byteCount))
        times.priceHeard(bidder.price, at: heard.time)
        if news.contains(.sold) {
            times.hammerHeardByBidder(at: heard.time)
            hammer = heard.time
        }
        if news.contains(.opened) { storm.open() }
        if news.contains(.price) { storm.priceHeard(at: heard.time) }
        if news.contains(.over) { isOver = true }
    }

    private func hearObserver(_ number: Int, _ bytes: Span<UInt8>) -> Int {
        let now = monotonicNanoseconds()
        if let price = newestPrice(in: bytes) { times.priceHeard(price, at: now) }
        if skimmers[number].receive(bytes).contains(.sold) { times.hammerHeard(at: now) }
        return bytes.count
    }
}
