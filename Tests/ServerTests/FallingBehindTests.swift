import Auction
import Server
import Testing

/// Connections that do not read while more news comes than is kept for them.
@Suite struct FallingBehindTests {
    /// Much more news, in JSON, than the kernel and the server keep for a connection.
    private static let bids = 3000

    /// Lets bids come while three connections do not read, and then lets each leave its feed.
    ///
    /// They receive JSON, and `command` ends that: at most 64 KiB of what waits are kept. They read
    /// nothing until the server has handled the command, as they could catch up in the meantime.
    private func withDeaf(
        _ wiring: Wiring, leavingBy command: String,
        _ test: @escaping @Sendable ([Visitor]) throws -> Void
    ) async throws {
        var settings = wiring.settings
        settings.rules = Rules(seconds: 600, allowsSelfRaise: true)
        settings.sockets.sendBuffer = 4096
        _ = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            let deaf = try (0..<3).map { _ in try Visitor(port: port) }
            for visitor in deaf {
                visitor.limitReceiveBuffer()
                try visitor.say("format json")
                try visitor.hear("OK format json")
            }
            try eve.say("name eve")
            for start in stride(from: 1, to: Self.bids, by: 100) {
                try eve.say((start..<start + 100).map(String.init).joined(separator: "\n"))
                try eve.hear("OK bid \(start + 99)")
            }
            for visitor in deaf { try visitor.say(command) }
            try Self.waitForSkips(deaf.count, port: port)
            try test(deaf)
        }
    }

    /// Polls the server's metrics until `count` connections have missed news.
    private static func waitForSkips(_ count: Int, port: UInt16) throws {
        for _ in 1...10_000 where try skips(port: port) == count { return }
        Issue.record("not \(count) connections were skipped forward")
    }

    private static func skips(port: UInt16) throws -> Int {
        let browser = try Visitor(port: port)
        try browser.say("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r")
        let line = try browser.hear("auction_skips_total ")
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    @Test(
        "each connection that fell behind gets the number of missed lines, and a snapshot",
        arguments: Wiring.all)
    func snapshot(wiring: Wiring) async throws {
        try await withDeaf(wiring, leavingBy: "format text") { deaf in
            for visitor in deaf {
                try visitor.hear("SKIPPED ")
                #expect(try visitor.hear("").hasPrefix("LOT 1 "))
                #expect(try visitor.hear("").hasPrefix("PRICE \(Self.bids) eve "))
                #expect(try visitor.hear("").hasPrefix("COUNTDOWN "))
            }
        }
    }

    @Test(
        "a connection that ends while it is behind gets the number of missed lines, and then BYE",
        arguments: Wiring.all)
    func goodbye(wiring: Wiring) async throws {
        try await withDeaf(wiring, leavingBy: "quit") { deaf in
            for visitor in deaf {
                try visitor.hearEnd()
                let types = visitor.lines.suffix(3).map { $0.prefix { $0 != "," } }
                #expect(types == [#"{"type":"ok""#, #"{"type":"skipped""#, #"{"type":"bye""#])
            }
        }
    }
}
