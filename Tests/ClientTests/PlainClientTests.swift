import BidderView
import Client
import Posix
import TestSupport
import Testing
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct PlainClientTests {
    static let hello = "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)\n"

    @Test("a session runs, and its answer is printed")
    func done() async throws {
        let outcome = try await talk(
            OneShotSession(.ask(.who)), with: [Self.hello, "LOT 1 Vase\nWHO al", "ice\nOK who 1\n"])
        #expect(outcome.code == .done)
        #expect(outcome.shown == ["WHO alice"])
    }

    @Test("a server that closes is lost")
    func closed() async throws {
        let outcome = try await talk(OneShotSession(.watch), with: [Self.hello, "LOT 1 Vase\n"])
        #expect(outcome.code == .lost)
        #expect(outcome.shown == ["LOT 1 Vase"])
    }

    @Test(
        "an incomplete line or a missing answer is a timeout",
        arguments: [[], ["login: "], [hello], [hello, "LOT 1 Vase\n", "WHO"]] as [[String]])
    func silent(said: [String]) async throws {
        let outcome = try await talk(OneShotSession(.ask(.who)), with: said, stays: true)
        #expect(outcome.code == .lost)
        #expect(outcome.complaints == ["the server does not answer"])
    }

    @Test("watch has no timeout")
    func watching() async throws {
        let outcome = try await talk(
            OneShotSession(.watch), with: [Self.hello, "LOT 1 Vase\n"], stays: true)
        #expect(outcome.complaints == ["the server closed the connection"])
    }

    @Test("a server that cannot be reached is reported with its address")
    func unreachable() async throws {
        try await onThread {
            let port = try #require(
                Listener(host: "127.0.0.1", port: 0).address.split(separator: ":").last
                    .flatMap { UInt16($0) })
            let outcome = try Self.outcome(
                of: OneShotSession(.watch), port: port, patience: .seconds(20))
            #expect(outcome.code == .lost)
            #expect(
                outcome.complaints == [
                    "cannot reach a server at 127.0.0.1 port \(port): connect: Connection refused"
                ])
        }
    }

    private struct Outcome {
        let code: ExitCode
        let shown: [String]
        let complaints: [String]
    }

    /// Runs a session with a server that sends these pieces, and then closes or waits for longer than
    /// the timeout.
    private func talk(
        _ session: OneShotSession, with pieces: [String], stays: Bool = false
    ) async throws -> Outcome {
        try await onThread {
            let listener = try Listener(host: "127.0.0.1", port: 0)
            let port = try #require(
                listener.address.split(separator: ":").last.flatMap { UInt16($0) })
            let patience = Duration.milliseconds(stays ? 200 : 20_000)
            let (outcome, _) = try beside({
                try Self.outcome(of: session, port: port, patience: patience)
            }) {
                try Self.serve(pieces, on: listener.descriptor, stays: stays)
            }
            return outcome
        }
    }

    private static func serve(_ pieces: [String], on listener: Int32, stays: Bool) throws {
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 20_000)
        let connection = try syscall("accept") { accept(listener, nil, nil) }
        defer { close(connection) }
        for piece in pieces { try writeAll(Array(piece.utf8), to: connection) }
        guard stays else { return }
        entry.fd = connection
        var byte: UInt8 = 0
        // On a timeout the client ends first.
        while poll(&entry, 1, 1000) > 0, recv(connection, &byte, 1, 0) > 0 {}
    }

    private static func outcome(
        of session: OneShotSession, port: UInt16, patience: Duration
    ) throws -> Outcome {
        var shown: [String] = []
        var complaints: [String] = []
        let client = try PlainClient(
            session, at: .network(host: "127.0.0.1", port: port), patience: patience
        ) { effect in
            switch effect {
            case .show(let line): shown.append(line.text)
            case .complain(let text): complaints.append(text)
            case .send, .keep, .exit, .connect, .disconnect, .redraw, .suspend: break
            }
        }
        return Outcome(code: try client.run(), shown: shown, complaints: complaints)
    }
}
