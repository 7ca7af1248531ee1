import Bidder
import Posix
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ServerConnectionTests {
    private static let hello = "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)"

    @Test("an incomplete line of a lost connection is not part of the next one")
    func halfALine() async throws {
        try await onThread {
            let client = try Client()
            #expect(try client.events(sending: "HEL") == [.connected, .lost])
            #expect(
                try client.events(sending: "\(Self.hello)\n")
                    == [.connected, .line(Self.hello), .lost])
        }
    }

    @Test("a failed send ends the connection")
    func brokenSend() async throws {
        try await onThread {
            let client = try Client()
            #expect(try client.events(sending: nil) == [.connected])
            client.resetConnection()
            // On a busy machine the reset arrives later than the first send.
            var events: [ServerConnection.Event] = []
            for _ in 1...10_000 where events.isEmpty {
                client.connection.send("ping")
                client.connection.flush()
                events = client.connection.poll()
            }
            #expect(events == [.lost])
        }
    }
}

/// A connection, and the server, on one thread.
private final class Client {
    let connection: ServerConnection
    private let loop: EventLoop
    private let server: Listener
    private var accepted: Int32 = -1

    init() throws {
        loop = try EventLoop()
        server = try Listener(host: "127.0.0.1", port: 0)
        connection = ServerConnection(
            to: .network(host: "127.0.0.1", port: try port(of: server)), loop: loop)
    }

    deinit {
        close(accepted)
    }

    /// Connects; returns the events after the server sends a text and closes, or with nil nothing.
    func events(sending text: String?) throws -> [ServerConnection.Event] {
        connection.connect()
        close(accepted)
        accepted = try accept(on: server)
        var events = try run { !$0.isEmpty }
        guard let text else { return events }
        try writeAll(Array(text.utf8), to: accepted)
        shutdown(accepted, Int32(SHUT_WR))
        events += try run { $0.contains(.lost) }
        return events
    }

    /// Closes the server's end so that the next send of the client fails.
    func resetConnection() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            accepted, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        close(accepted)
        accepted = -1
    }

    /// Runs the loop until its events fulfil a condition.
    private func run(
        until isDone: ([ServerConnection.Event]) -> Bool
    ) throws -> [ServerConnection.Event] {
        var events: [ServerConnection.Event] = []
        try loop.run { ready, _ in
            for readiness in ready { events += connection.handle(readiness) }
            events += connection.poll()
            connection.flush()
            if isDone(events) { loop.stop() }
            return nil
        }
        return events
    }
}
