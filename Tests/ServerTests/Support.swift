import Auction
import Posix
import Server
import TestSupport
import Testing
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How a server waits, and over how many loops its connections are spread.
struct Wiring: CustomTestStringConvertible, Sendable {
    static let all =
        PollerKind.allCases.map { Wiring(poller: $0) } + [Wiring(poller: .standard, threads: 3)]

    let poller: PollerKind
    var threads = 1

    var testDescription: String { "\(poller), threads: \(threads)" }

    /// The settings that hold where nothing else is chosen, wired so, for visitors in a hurry.
    var settings: Settings {
        var settings = Settings()
        settings.limits = .none
        (settings.poller, settings.threads) = (poller, threads)
        return settings
    }
}

/// A server on a free port of this machine, for as long as a test runs; both have a thread of their
/// own, and wait for none of those that all tests share.
///
/// Returns the first sale. A server that has ended by itself is not stopped: nothing runs on its
/// loop any more.
func withServer(
    _ chosen: Settings, _ test: @escaping @Sendable (AuctionServer, UInt16) throws -> Void
) async throws -> SoldLot? {
    try await onThread {
        var settings = chosen
        settings.port = 0
        let server = try AuctionServer(settings)
        let port = try #require(server.address.split(separator: ":").last.flatMap { UInt16($0) })
        let (sale, _) = try beside({ try server.run() }) {
            defer { server.endSoon() }
            try test(server, port)
        }
        return sale
    }
}

extension AuctionServer {
    /// Ends the server in good order, if it has not ended yet, without waiting for that.
    nonisolated func endSoon() {
        // Begun on the caller's thread, it goes on on the loop's, and needs no other.
        Task.immediate { await shutDown() }
    }
}

/// One who talks to a server, and waits for lines with a deadline.
final class Visitor {
    private static let patienceNanoseconds: Int64 = 60_000_000_000

    private let socket: Int32
    private var framer = LineFramer(limit: 1 << 20)
    private(set) var lines: [String] = []
    private(set) var hasSeenEnd = false
    private var read = 0

    init(port: UInt16) throws {
        socket = try connectSocket(
            to: .network(host: "127.0.0.1", port: port),
            timeout: .nanoseconds(Self.patienceNanoseconds))
    }

    deinit {
        close(socket)
    }

    /// Keeps the kernel from growing the receive buffer, so that it stores little that is not read.
    func limitReceiveBuffer() {
        var bytes: Int32 = 32_768
        setsockopt(
            socket, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
    }

    func say(_ line: String) throws {
        try writeAll(Array((line + "\n").utf8), to: socket)
    }

    /// Sends text without ending the line.
    func sayPart(_ text: String) throws {
        try writeAll(Array(text.utf8), to: socket)
    }

    func endSpeaking() {
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Waits for a line that begins so, after all that were waited for before, and returns it.
    @discardableResult
    func hear(_ beginning: String) throws -> String {
        let line = try hearAny(of: [beginning])
        return try #require(line, "the connection ended before '\(beginning)': \(lines)")
    }

    /// Waits for a line that begins in one of these ways; nil when the connection ends first.
    func hearAny(of beginnings: [String]) throws -> String? {
        let deadline = monotonicNanoseconds() + Self.patienceNanoseconds
        while true {
            while read < lines.count {
                read += 1
                if beginnings.contains(where: lines[read - 1].hasPrefix) { return lines[read - 1] }
            }
            if hasSeenEnd { return nil }
            try receive(until: deadline)
        }
    }

    /// Waits a moment in which nothing may come.
    func expectSilence(milliseconds: Int32 = 50) throws {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, milliseconds) == 0)
    }

    /// Waits for the end, for as long as something comes.
    func hearEnd() throws {
        while !hasSeenEnd { try receive(until: monotonicNanoseconds() + Self.patienceNanoseconds) }
    }

    private func receive(until deadline: Int64) throws {
        let left = (deadline - monotonicNanoseconds()) / 1_000_000
        try #require(left > 0, "nothing came in time after \(lines)")
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(left)) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &buffer, buffer.count, 0)
        hasSeenEnd = count <= 0
        guard count > 0 else { return }
        framer.receive(buffer.span.extracting(first: count)) { frame in
            if case .line(let line) = frame {
                lines.append(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            }
        }
    }
}
