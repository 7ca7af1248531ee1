import Load
import Posix
import Transport

/// The scenario `bids`: bidders bid for so long, as fast as answers allow or at a fixed rate.
final class Bids {
    /// How long the bids that are outstanding at the end have to be answered.
    private static let patienceNanoseconds: Int64 = 2_000_000_000
    private static let readBytes = 128 * 1024

    private let manner: Manner
    private let nanoseconds: Int64
    private let loop: EventLoop
    private var bidders: [Handle: BidderConnection] = [:]
    /// The bidders in the order of their turns at a fixed rate.
    private var turns: [(handle: Handle, bidder: BidderConnection)] = []
    private var nextTurn = 0
    private var pace: Pace?
    private var buffer = [UInt8](repeating: 0, count: readBytes)
    private var tally = Tally()
    /// What was counted when the time was up; from then on nobody bids.
    private var measured: (tally: Tally, nanoseconds: Int64)?

    /// Connects all bidders, where they need names as `bench-1` and on.
    ///
    /// Blocks until each is in.
    ///
    /// - Throws: `Failure`, or `SystemError` when this machine has no descriptor left.
    init(
        host: String, port: UInt16, speaking dialect: Dialect, bidders count: Int,
        manner: Manner, duration: Duration
    ) throws {
        self.manner = manner
        nanoseconds = Int64((duration / .nanoseconds(1)).rounded())
        loop = try EventLoop()
        let nextName = benchNames()
        for _ in 0..<count {
            let bidder = try BidderConnection(
                host: host, port: port, speaking: dialect, outstanding: manner.window ?? 1)
            try bidder.enter(as: nextName, reading: &buffer)
            let handle = try loop.register(bidder.socket, for: .readable)
            bidders[handle] = bidder
            turns.append((handle, bidder))
        }
    }

    /// How many bids have no answer yet.
    var unanswered: Int { bidders.values.reduce(0) { $0 + $1.outstanding } }

    /// Bids until the time is up, and waits a little for what is outstanding then.
    ///
    /// - Throws: `Failure`, or `SystemError` when the kernel no longer lets the loop wait.
    func run() throws -> Report {
        let start = monotonicNanoseconds()
        var progress = Progress(of: "bids/s accepted", from: start)
        pace = manner.rate.map { Pace(rate: $0, from: start) }
        if let window = manner.window {
            for (handle, bidder) in turns {
                try bidder.bid(window)
                try awaitRoom(of: bidder, handle)
            }
        }
        try loop.run { ready, _ in
            for readiness in ready { try attend(to: readiness) }
            try keepTime()
            return min(pace?.next ?? .max, endTurn(from: start, &progress))
        }
        return try report()
    }

    private func attend(to readiness: Readiness) throws {
        guard let bidder = bidders[readiness.handle] else { return }
        if readiness.isWritable { try bidder.flush() }
        if readiness.isReadable {
            let answers = try bidder.hear(into: &buffer, &tally).answers
            if bidders.count == 1 && tally.leading > 0 {
                throw Failure.leadsAlone(mayHaveMore: true)
            }
            if measured == nil && manner.window != nil { try bidder.bid(answers) }
        }
        try awaitRoom(of: bidder, readiness.handle)
    }

    /// Lets the bidders whose turn has come bid; who is late bids in one write.
    private func keepTime() throws {
        let now = monotonicNanoseconds()
        var taken = 0
        while let due = pace?.takeDue(at: now) {
            turns[(nextTurn + taken) % turns.count].bidder.queueBid(at: due)
            taken += 1
        }
        for offset in 0..<min(taken, turns.count) {
            let (handle, bidder) = turns[(nextTurn + offset) % turns.count]
            try bidder.flush()
            try awaitRoom(of: bidder, handle)
        }
        nextTurn = (nextTurn + taken) % turns.count
    }

    private func awaitRoom(of bidder: BidderConnection, _ handle: Handle) throws {
        try loop.change(handle, to: bidder.isBlocked ? [.readable, .writable] : .readable)
    }

    /// Looks at the clock, and returns when to look again.
    private func endTurn(from start: Int64, _ progress: inout Progress) -> Int64 {
        let now = monotonicNanoseconds()
        let end = start + nanoseconds
        if measured == nil {
            progress.show(tally.accepted, at: now)
            guard now >= end else { return min(end, progress.next) }
            measured = (tally, now - start)
            pace = nil
        }
        if unanswered == 0 || now >= end + Self.patienceNanoseconds { loop.stop() }
        return end + Self.patienceNanoseconds
    }

    private func report() throws(Failure) -> Report {
        guard let measured else { preconditionFailure("the loop ends after the measurement") }
        guard measured.tally.accepted > 0 || unanswered > 0 else { throw .refusedAll }
        var latency = tally.latency
        let now = monotonicNanoseconds()
        for bidder in bidders.values { bidder.recordAges(at: now, in: &latency) }
        return Report(
            bidders: bidders.count, outstanding: manner.window, rate: manner.rate,
            nanoseconds: measured.nanoseconds, tally: measured.tally, latency: latency,
            unanswered: unanswered)
    }
}
