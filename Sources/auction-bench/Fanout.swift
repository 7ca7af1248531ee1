import Load
import Posix
import Transport

/// The scenario `fanout`: many observe, one bids, and each bid is followed to each observer.
final class Fanout {
    /// How long nothing may come before the rest is lost; the complaint tells it too.
    private static let patienceNanoseconds: Int64 = 5_000_000_000
    /// After so many observers it is looked whether the bidder was answered, or else the server
    /// would wait for us.
    private static let glance = 32

    private let manner: Manner
    private let dialect: Dialect
    private let process: Int32?
    private let loop: EventLoop
    private let crowd: Crowd
    private let bidder: BidderConnection
    private let bidderHandle: Handle
    private var buffer = [UInt8](repeating: 0, count: 128 * 1024)

    private var result = FanoutResult()
    private var heard: [Heard]
    private var pace: Pace?
    private var start: Int64 = 0
    private var newest: Int64 = 0

    /// Connects the observers, and then the bidder.
    ///
    /// Blocks until all are in.
    ///
    /// - Throws: `Failure`, or `SystemError` when this machine has no descriptor or port left.
    init(
        host: String, port: UInt16, speaking dialect: Dialect, observers: Int, bids: Int,
        manner: Manner, process: Int32?
    ) throws {
        self.manner = manner
        self.dialect = dialect
        self.process = process
        heard = Array(repeating: Heard(), count: observers)
        result.observers = observers
        result.bids = bids
        result.broadcasts = Broadcasts(observers: observers)
        loop = try EventLoop()
        crowd = Crowd(on: loop, speaking: dialect)
        let before = try ProcessFigures.now(of: process)?.residentBytes
        try crowd.gather(observers, host: host, port: port)
        let after = try ProcessFigures.now(of: process)?.residentBytes
        if let before, let after { result.residentBytes = after - before }

        let outstanding =
            switch manner {
            case .outstanding(let count): min(count, bids)
            case .rate: bids
            }
        bidder = try BidderConnection(
            host: host, port: port, speaking: dialect, outstanding: outstanding)
        try bidder.enter(as: benchNames(), reading: &buffer)
        bidderHandle = try loop.register(bidder.socket, for: .readable)
    }

    /// Bids until all is bid and heard, or nothing comes any more.
    ///
    /// - Throws: `Failure`, also when prices were not those of our bids alone, or `SystemError` when
    ///   the kernel no longer lets the loop wait.
    func run() throws -> FanoutResult {
        let computed = try ProcessFigures.now(of: process)?.cpuNanoseconds
        start = monotonicNanoseconds()
        newest = start
        try begin()
        var progress = Progress(of: "deliveries/s", from: start)
        try loop.run { ready, _ in
            for (index, readiness) in ready.enumerated() {
                if (index + 1) % Self.glance == 0 { try hearBidder() }
                if readiness.handle == bidderHandle {
                    try attendBidder(readiness)
                } else {
                    try crowd.hear(readiness, count)
                }
            }
            return try endTurn(&progress)
        }
        try checkPrices()
        result.nanoseconds = newest - start
        if let computed, let now = try ProcessFigures.now(of: process)?.cpuNanoseconds {
            result.cpuNanoseconds = now - computed
        }
        result.lost = heard.reduce(0) {
            $0 + $1.lost(of: result.bids, toldToBidder: bidder.news)
        }
        return result
    }

    private func begin() throws {
        switch manner {
        case .outstanding(let count):
            result.outstanding = count
            try bid(min(count, result.bids), at: start)
        case .rate(let rate):
            result.rate = rate
            pace = Pace(rate: rate, from: start)
        }
    }

    private func bid(_ count: Int, at time: Int64) throws {
        guard count > 0 else { return }
        result.broadcasts.send(count, at: time)
        try bidder.bid(count, at: time)
        try loop.change(bidderHandle, to: bidder.isBlocked ? [.readable, .writable] : .readable)
    }

    private func attendBidder(_ readiness: Readiness) throws {
        if readiness.isWritable { try bidder.flush() }
        if readiness.isReadable { try hearBidder() }
        try loop.change(bidderHandle, to: bidder.isBlocked ? [.readable, .writable] : .readable)
    }

    private func hearBidder() throws {
        let answers = try bidder.hear(into: &buffer, &result.tally).answers
        if result.tally.leading > 0 { throw Failure.leadsAlone(mayHaveMore: false) }
        guard case .outstanding = manner else { return }
        try bid(min(answers, result.bids - result.broadcasts.sent), at: monotonicNanoseconds())
    }

    /// Deliveries are counted by the numbers of the prices, and must not be those of others.
    private func checkPrices() throws(Failure) {
        let tally = result.tally
        guard tally.refused == 0 else { throw .refused(tally.refused, of: result.bids) }
        let foreign = (bidder.news?.prices ?? 0) - result.bids
        guard foreign <= 0 else { throw .disturbed(foreign) }
    }

    /// Counts what an observer heard, and returns how many bytes made whole lines or frames.
    private func count(_ number: Int, _ bytes: Span<UInt8>) throws -> Int {
        let now = monotonicNanoseconds()
        let pings = heard[number].pings
        let whole = dialect.deliveries.count(bytes, in: &heard[number])
        if heard[number].isGarbled { throw Failure.garbled }
        if heard[number].pings > pings { try crowd.say(dialect.pong, by: number) }
        let before = result.broadcasts.deliveries
        result.broadcasts.hear(heard[number].deliveries, by: number, at: now)
        if result.broadcasts.deliveries > before { newest = now }
        return whole
    }

    /// Bids what is due, and returns when to look again.
    private func endTurn(_ progress: inout Progress) throws -> Int64 {
        let now = monotonicNanoseconds()
        while result.broadcasts.sent < result.bids, let due = pace?.takeDue(at: now) {
            try bid(1, at: due)
        }
        progress.show(result.broadcasts.deliveries, at: now)
        let isAllSent = result.broadcasts.sent == result.bids
        let isAllHeard = result.broadcasts.deliveries == result.bids * result.observers
        if isAllSent { pace = nil }
        let lastSign = max(newest, pace?.next ?? 0)
        let patience = lastSign + Self.patienceNanoseconds
        if isAllSent && isAllHeard && bidder.hasHeardAll || now >= patience { loop.stop() }
        // Who sleeps has to be woken by the server, which would pay for that and not for its work.
        guard let pace else { return now }
        return min(pace.next, patience, progress.next)
    }
}
