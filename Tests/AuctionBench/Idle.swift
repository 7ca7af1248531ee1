import Arguments
import Basics
import Load
import Posix
import Transport

/// The scenario `idle`: what the server costs while observers only listen.
final class Idle {
    /// After this the server has done what the new observers cause, and they have received a tick.
    private static let settlingNanoseconds: Int64 = 1_500_000_000

    private let server: Server
    private let dialect: Dialect
    private let observers: Int
    private let nanoseconds: Int64
    private let loop: EventLoop
    private let crowd: Crowd
    private let before: ProcessFigures?
    private var lines = 0

    /// Connects the observers.
    init(_ invocation: Invocation) throws {
        server = Server(invocation)
        guard server.process != nil else {
            throw Flags.program.misuse("--pid is missing: idle shows what that process costs")
        }
        dialect = invocation[Flags.speak]
        observers = invocation[Flags.observers]
        nanoseconds = Flags.nanoseconds(invocation)
        before = try server.figures()
        loop = try EventLoop()
        crowd = Crowd(on: loop, around: [server], speaking: dialect)
        try crowd.gather(observers)
    }

    /// Listens for the given time.
    func run() throws -> Outcome {
        try listen(for: Self.settlingNanoseconds)
        lines = 0
        let (start, settled) = (monotonicNanoseconds(), try server.figures())
        try listen(for: nanoseconds)
        let (cost, seconds) = (
            try server.cost(since: settled), Double(monotonicNanoseconds() - start) / 1e9
        )
        var report = Report(of: "idle")
        report.add("observers", observers)
        report.add("seconds", seconds, places: 2)
        report.addShare(
            "cpuPercent", ofCore: cost?.cpuNanoseconds, in: Int64(seconds * 1e9))
        report.add("wakeUpsPerSecond", cost?.wakeUps.map { Double($0) / seconds }, places: 2)
        let growth = before.flatMap { settled?.since($0).residentBytes }
        report.addMemory(growth, of: observers)
        report.add("linesEach", Double(lines) / Double(observers), places: 1)
        return Outcome(report)
    }

    private func listen(for nanoseconds: Int64) throws {
        let end = monotonicNanoseconds() + nanoseconds
        try loop.run { ready, _ in
            for readiness in ready { try crowd.receive(readiness, count) }
            let now = monotonicNanoseconds()
            if now >= end { loop.stop() }
            return Instant(nanoseconds: end)
        }
    }

    private func count(_ number: Int, _ bytes: Span<UInt8>) -> Int {
        dialect.deliveries.scan(bytes) { _, _ in lines += 1 }
    }
}
