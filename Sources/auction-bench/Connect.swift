import Arguments
import Load
import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The scenario `connect`: clients connect, are greeted, and leave.
final class Connect {
    /// How many stay open; beyond that the oldest leaves.
    private static let capacity = 4096
    /// How long the server may take to close what the clients have closed.
    private static let closingNanoseconds: Int64 = 2_000_000_000

    private let server: Server
    private let count: Int
    private let outstanding: Int

    init(_ invocation: Invocation) {
        server = Server(invocation)
        count = invocation[Flags.connections]
        outstanding = invocation[Flags.outstanding] ?? 16
    }

    /// Opens and closes all connections.
    func run() throws -> Outcome {
        let before = try steadyFigures()
        let crowd = Crowd(on: try EventLoop(), around: server, speaking: .auction)
        let start = monotonicNanoseconds()
        try crowd.gather(count, atOnce: outstanding, keeping: Self.capacity)
        crowd.leaveAll()
        let nanoseconds = monotonicNanoseconds() - start
        let cost = try costWhenClosed(since: before)
        var report = Report(of: "connect")
        report.add("connections", "connections", count)
        report.add("seconds", "seconds", Double(nanoseconds) / 1e9, places: 2)
        report.add("connections/s", "connectionsPerSecond", count, in: nanoseconds)
        report.add("greeting", "greetingNanoseconds", crowd.greeting)
        report.add(
            "server CPU per connection", "cpuMicrosecondsPerConnection",
            cost?.cpuNanoseconds.map { Double($0) / 1e3 / Double(count) }, places: 1, unit: "us")
        report.add(
            "server memory that remains", "kilobytesKept",
            cost?.residentBytes.map { Double($0) / 1e3 }, places: 1, unit: "kB")
        report.add("server descriptors that remain", "descriptorsKept", cost?.descriptors)
        return Outcome(report)
    }

    /// The figures of the server, once it has closed what an earlier client left open.
    private func steadyFigures() throws -> ProcessFigures? {
        let deadline = monotonicNanoseconds() + Self.closingNanoseconds
        var figures = try server.figures()
        while figures != nil && monotonicNanoseconds() < deadline {
            poll(nil, 0, 100)
            let last = figures?.descriptors
            figures = try server.figures()
            if figures?.descriptors == last { break }
        }
        return figures
    }

    /// What the connections have cost, once the server has closed them.
    private func costWhenClosed(since before: ProcessFigures?) throws -> ProcessFigures? {
        let deadline = monotonicNanoseconds() + Self.closingNanoseconds
        var cost = try server.cost(since: before)
        while let descriptors = cost?.descriptors, descriptors != 0,
            monotonicNanoseconds() < deadline
        {
            poll(nil, 0, 10)
            cost = try server.cost(since: before)
        }
        return cost
    }
}
