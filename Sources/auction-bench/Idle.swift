import Load
import Posix
import Transport

/// The scenario `idle`: what the server costs while observers only listen.
final class Idle {
    /// What the coming of the observers has set going is over by then, and they have heard a tick.
    private static let settlingNanoseconds: Int64 = 1_500_000_000

    private let loop: EventLoop
    private let crowd: Crowd
    private let observers: Int
    private let process: Int32
    private let before: ProcessFigures?
    private var lines = 0

    /// Bids once if the countdown is to run, and then connects the observers.
    ///
    /// - Throws: `Failure`, or `SystemError` when this machine has no descriptor left.
    init(
        host: String, port: UInt16, observers: Int, hasCountdown: Bool, process: Int32
    ) throws {
        self.observers = observers
        self.process = process
        before = try ProcessFigures.now(of: process)
        loop = try EventLoop()
        if hasCountdown { try Self.lead(host, port) }
        crowd = Crowd(on: loop, speaking: .auction)
        try crowd.gather(observers, host: host, port: port)
    }

    /// Listens for so long.
    ///
    /// - Throws: `Failure`, or `SystemError` when the kernel no longer lets the loop wait.
    func run(for duration: Duration) throws -> Report {
        try listen(for: Self.settlingNanoseconds, showing: false)
        lines = 0
        let (start, settled) = (monotonicNanoseconds(), try ProcessFigures.now(of: process))
        try listen(for: Int64((duration / .nanoseconds(1)).rounded()), showing: true)
        let (end, last) = (monotonicNanoseconds(), try ProcessFigures.now(of: process))
        let cost = settled.flatMap { last?.since($0) }
        return Report(
            observers: observers, nanoseconds: end - start, lines: lines,
            cpuNanoseconds: cost?.cpuNanoseconds, wakeUps: cost?.wakeUps,
            memoryGrowth: before.flatMap { settled?.since($0).residentBytes })
    }

    private func listen(for nanoseconds: Int64, showing isShown: Bool) throws {
        let start = monotonicNanoseconds()
        var progress = Progress(of: "lines heard")
        try loop.run { ready, _ in
            for readiness in ready { try crowd.hear(readiness, count) }
            let now = monotonicNanoseconds()
            if isShown { progress.show(lines, at: now) }
            if now >= start + nanoseconds { loop.stop() }
            return min(start + nanoseconds, isShown ? progress.next : .max)
        }
    }

    private func count(_ number: Int, _ bytes: Span<UInt8>) -> Int {
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { lines += 1 }
        return bytes.count
    }

    /// A bidder that leads goes on leading when it has left.
    private static func lead(_ host: String, _ port: UInt16) throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let bidder = try BidderConnection(
            host: host, port: port, speaking: .auction, outstanding: 1)
        try bidder.enter(as: benchNames(), reading: &buffer)
        try bidder.bid(1)
        guard try bidder.awaitAnswer(reading: &buffer) == .ok else { throw Failure.refusedAll }
    }
}
