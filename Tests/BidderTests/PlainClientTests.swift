import Bidder
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
        let output = try await talk(
            OneShotSession(.ask(.who)), with: [Self.hello, "LOT 1 Vase\nWHO al", "ice\nOK who 1\n"])
        #expect(output.code == .done)
        #expect(output.shown == ["WHO alice"])
    }

    @Test("a server that closes is lost")
    func closed() async throws {
        let output = try await talk(OneShotSession(.ask(.who)), with: [Self.hello, "LOT 1 Vase\n"])
        #expect(output.code == .lost)
        #expect(output.complaints == ["the server closed the connection"])
    }

    @Test("watch connects again, and ends with the goodbye of the server")
    func reconnects() async throws {
        try await onThread {
            let listener = try Listener(host: "127.0.0.1", port: 0)
            let address = ServerAddress.network(host: "127.0.0.1", port: try port(of: listener))
            let (output, _) = try beside({
                try PlainOutput(of: OneShotSession(.watch), at: address)
            }) {
                try Self.serve([Self.hello, "LOT 1 Vase\n"], on: listener, stays: false)
                try Self.serve(
                    [Self.hello, "LOT 2 Clock\n", "BYE shutdown\n"], on: listener, stays: false)
            }
            #expect(output.code == .lost)
            #expect(output.shown == ["LOT 1 Vase", "LOT 2 Clock", "BYE shutdown"])
            #expect(
                output.complaints == [
                    "the connection is lost, connecting again", "the server has stopped",
                ])
        }
    }

    @Test(
        "an incomplete line or a missing answer is a timeout",
        arguments: [[], ["login: "], [hello], [hello, "LOT 1 Vase\n", "WHO"]] as [[String]])
    func silent(sent: [String]) async throws {
        let output = try await talk(OneShotSession(.ask(.who)), with: sent, stays: true)
        #expect(output.code == .lost)
        #expect(output.complaints == ["the server does not answer"])
    }

    @Test("watch has no timeout")
    func watching() async throws {
        let output = try await talk(
            OneShotSession(.watch), with: [Self.hello, "LOT 1 Vase\n"], stays: true,
            end: "BYE idle\n")
        #expect(output.complaints == ["the server waited too long for the end of a line"])
    }

    @Test("a server that cannot be reached is reported with its address")
    func unreachable() async throws {
        try await onThread {
            let port = try port(of: Listener(host: "127.0.0.1", port: 0))
            let output = try PlainOutput(
                of: OneShotSession(.watch), at: .network(host: "127.0.0.1", port: port))
            #expect(output.code == .lost)
            #expect(
                output.complaints == [
                    "cannot reach a server at 127.0.0.1 port \(port): connect: Connection refused"
                ])
        }
    }

    /// Runs a session with a server that sends these pieces, and then closes or waits for longer
    /// than the timeout.
    private func talk(
        _ session: OneShotSession, with pieces: [String], stays: Bool = false, end: String = ""
    ) async throws -> PlainOutput {
        try await onThread {
            let listener = try Listener(host: "127.0.0.1", port: 0)
            let address = ServerAddress.network(host: "127.0.0.1", port: try port(of: listener))
            let timeout = Duration.milliseconds(stays ? 200 : 20_000)
            let (output, _) = try beside({
                try PlainOutput(of: session, at: address, timeout: timeout)
            }) {
                try Self.serve(pieces, on: listener, stays: stays, end: end)
            }
            return output
        }
    }

    private static func serve(
        _ pieces: [String], on listener: borrowing Listener, stays: Bool, end: String = ""
    ) throws {
        let connection = try accept(on: listener)
        defer { close(connection) }
        for piece in pieces { try writeAll(Array(piece.utf8), to: connection) }
        guard stays else { return }
        var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        // On a timeout the client ends first.
        while poll(&entry, 1, 1000) > 0, recv(connection, &byte, 1, 0) > 0 {}
        try writeAll(Array(end.utf8), to: connection)
    }
}
