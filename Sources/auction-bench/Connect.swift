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
        let before = try figuresAtRest()
        let crowd = Crowd(on: try EventLoop(), around: server, speaking: .auction)
        let start = monotonicNanoseconds()
        try crowd.gather(count, atOnce: outstanding, keeping: Self.capacity)
        crowd.leaveAll()
        let nanoseconds = monotonicNanoseconds() - start
        let after = try figuresAtRest()
        let cost = before.flatMap { after?.since($0) }
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

    /// The figures of the server, once it has closed what clients have closed.
    private func figuresAtRest() throws -> ProcessFigures? {
        let deadline = monotonicNanoseconds() + Self.closingNanoseconds
        guard var figures = try server.figures() else { return nil }
        while monotonicNanoseconds() < deadline {
            poll(nil, 0, 100)
            guard let next = try server.figures(), next.descriptors != figures.descriptors else {
                break
            }
            figures = next
        }
        return figures
    }
}
