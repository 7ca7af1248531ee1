import Bidder
import Posix
import Terminal
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ServerConnectionTests {
    @Test("an incomplete line of a lost connection is not part of the next one")
    func halfALine() async throws {
        try await onThread {
            let watcher = try Watcher()
            try watcher.accept(sending: "HEL")
            try watcher.run { !watcher.view.model.connection.isLoading }
            #expect(watcher.view.model.sale.greeting == nil)
            try watcher.accept(sending: "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)\n")
            try watcher.run { !watcher.view.model.connection.isLoading }
            #expect(watcher.view.model.sale.greeting?.room == .main)
        }
    }

    @Test("a failed send ends the connection")
    func brokenSend() async throws {
        try await onThread {
            let watcher = try Watcher()
            try watcher.accept(sending: "")
            watcher.resetConnection()
            // On a busy machine the reset arrives later than the first send.
            var events: [ServerConnection.Event] = []
            for _ in 1...10_000 where events.isEmpty {
                watcher.connection.send("ping")
                watcher.connection.flush()
                events = watcher.connection.poll()
            }
            #expect(events == [.lost])
        }
    }
}

/// A view, its connection, and the server, on one thread.
private final class Watcher {
    let view = LiveView(
        of: nil, token: { _ in nil }, server: "here", size: Size(columns: 80, rows: 24))
    let connection: ServerConnection
    private let loop: EventLoop
    private let server: Listener
    private var accepted: Int32 = -1

    init() throws {
        loop = try EventLoop()
        server = try Listener(host: "127.0.0.1", port: 0)
        connection = ServerConnection(
            to: .network(host: "127.0.0.1", port: try port(of: server)), loop: loop)
        view.begin()
    }

    deinit {
        close(accepted)
    }

    /// Connects when the view wants it; the server sends the text, if any, and ends.
    func accept(sending text: String) throws {
        while !view.takeEffects().contains(.connect) {
            view.advance(to: try #require(view.timeline.nextDeadline))
        }
        connection.connect()
        close(accepted)
        accepted = try ClientTests.accept(on: server)
        try run { !view.takeEffects().isEmpty }
        guard !text.isEmpty else { return }
        try writeAll(Array(text.utf8), to: accepted)
        shutdown(accepted, Int32(SHUT_WR))
    }

    /// Closes the server's end so that the next send of the client fails.
    func resetConnection() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            accepted, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        close(accepted)
        accepted = -1
    }

    private func handle(_ events: [ServerConnection.Event]) {
        for event in events {
            switch event {
            case .connected: view.connected()
            case .unreachable(let error): view.lost(error.reason)
            case .line(let line): view.receive([line])
            case .lost: view.lost("the server closed the connection")
            }
        }
    }

    /// Runs the loop until a condition holds.
    func run(until isDone: () -> Bool) throws {
        try loop.run { ready, _ in
            for readiness in ready { handle(connection.handle(readiness)) }
            handle(connection.poll())
            connection.flush()
            if isDone() { loop.stop() }
            return nil
        }
    }
}
