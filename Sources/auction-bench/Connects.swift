import Load
import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The scenario `connect`: many connections come, are greeted, and go.
///
/// The oldest goes when there are as many as a process may have open, so that there may be any
/// number in all.
final class Connects {
    /// So many are open at a time.
    private static let openCount = 4096
    private static let hello = Array("HELLO ".utf8)
    private static let patienceNanoseconds: Int64 = 5_000_000_000
    /// How long the server may take to close what was closed at this end.
    private static let closingMilliseconds = 2000

    private let count: Int
    /// So many wait for their greeting at a time.
    private let outstanding: Int
    private let process: Int32?
    private let before: ProcessFigures?
    private let address: RemoteAddress
    private let loop: EventLoop
    private var buffer = [UInt8](repeating: 0, count: 4096)
    private var waiting: [Handle: (socket: Int32, since: Int64)] = [:]
    private var open: [Int32] = []
    private var oldest = 0
    private var begun = 0
    private var greeting = Histogram()

    /// Finds the server.
    ///
    /// - Throws: `Failure`, or `SystemError` when this machine has no descriptor left.
    init(host: String, port: UInt16, connections: Int, outstanding: Int, process: Int32?) throws {
        count = connections
        self.outstanding = outstanding
        self.process = process
        before = try Self.steadyFigures(of: process)
        let first = try connect(host: host, port: port)
        defer { close(first) }
        address = try RemoteAddress(of: first)
        loop = try EventLoop()
    }

    /// Opens and closes them all.
    ///
    /// - Throws: `Failure`, or `SystemError` when this machine has no descriptor or port left.
    func run() throws -> Report {
        let start = monotonicNanoseconds()
        var progress = Progress(of: "connections/s", from: start)
        var patience = start + Self.patienceNanoseconds
        try loop.run { ready, _ in
            let greeted = greeting.count
            for readiness in ready { try attend(to: readiness) }
            while begun < count && waiting.count < outstanding { try begin() }
            let now = monotonicNanoseconds()
            if greeting.count > greeted { patience = now + Self.patienceNanoseconds }
            guard now < patience else { throw Failure.silent }
            progress.show(greeting.count, at: now)
            if greeting.count == count { loop.stop() }
            return min(patience, progress.next)
        }
        for socket in open { close(socket) }
        let end = monotonicNanoseconds()
        let cost = try figuresWhenClosed()
        return Report(
            connections: count, nanoseconds: end - start, greeting: greeting,
            cpuNanoseconds: cost?.cpuNanoseconds, memoryGrowth: cost?.residentBytes,
            descriptorGrowth: cost?.descriptors)
    }

    private func begin() throws {
        let since = monotonicNanoseconds()
        let socket = try address.connect(begun)
        waiting[try loop.register(socket, for: .writable)] = (socket, since)
        begun += 1
    }

    private func attend(to readiness: Readiness) throws {
        guard let (socket, since) = waiting[readiness.handle] else { return }
        if readiness.isWritable {
            try Self.sayPing(to: socket)
            try loop.change(readiness.handle, to: .readable)
        } else if let byteCount = try readAvailable(socket, into: &buffer) {
            guard byteCount > 0 else { throw Failure.lost }
            let heard = buffer.prefix(min(byteCount, Self.hello.count))
            guard Self.hello.starts(with: heard) else { throw Failure.garbled }
            greeting.record(monotonicNanoseconds() - since)
            loop.deregister(readiness.handle)
            waiting[readiness.handle] = nil
            keepOpen(socket)
        }
    }

    /// The greeting waits a little for a first line.
    private static func sayPing(to socket: Int32) throws {
        let ping = Array("ping\n".utf8)
        let sent = uninterrupted {
            ping.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
        }
        guard sent == ping.count else { throw Failure.lost }
    }

    private func keepOpen(_ socket: Int32) {
        if open.count < Self.openCount {
            open.append(socket)
        } else {
            close(open[oldest])
            open[oldest] = socket
            oldest = (oldest + 1) % Self.openCount
        }
    }

    /// Waits until the server has closed whatever others left open, and returns its figures.
    private static func steadyFigures(of process: Int32?) throws -> ProcessFigures? {
        var figures = try ProcessFigures.now(of: process)
        for _ in 0..<closingMilliseconds / 100 where process != nil {
            poll(nil, 0, 100)
            let last = figures?.descriptors
            figures = try .now(of: process)
            if figures?.descriptors == last { break }
        }
        return figures
    }

    /// Waits until the server has closed what was closed here, and returns what it cost.
    private func figuresWhenClosed() throws -> ProcessFigures? {
        guard let before else { return nil }
        var cost = try ProcessFigures.now(of: process)?.since(before)
        for _ in 0..<Self.closingMilliseconds / 10 where cost?.descriptors != 0 {
            poll(nil, 0, 10)
            cost = try .now(of: process)?.since(before)
        }
        return cost
    }
}
