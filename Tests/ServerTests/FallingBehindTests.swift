import AuctionRules
import Server
import Testing

/// Connections that do not read while more news comes than is kept for them.
@Suite struct FallingBehindTests {
    /// Much more news, in JSON, than the kernel and the server keep for a connection.
    private static let bids = 3000

    /// Lets bids come while three connections do not read, and then lets the test go on.
    ///
    /// They receive JSON: a change of the format leaves a feed, of which at most 64 KiB are kept.
    private func withDeaf(
        _ wiring: Wiring, _ test: @escaping @Sendable ([Visitor]) throws -> Void
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
            try test(deaf)
        }
    }

    @Test(
        "each connection that fell behind gets the number of missed lines, and a snapshot",
        arguments: Wiring.all)
    func snapshot(wiring: Wiring) async throws {
        try await withDeaf(wiring) { deaf in
            for visitor in deaf { try visitor.say("format text") }
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
        try await withDeaf(wiring) { deaf in
            for visitor in deaf { try visitor.say("quit") }
            for visitor in deaf {
                try visitor.hearEnd()
                let types = visitor.lines.suffix(3).map { $0.prefix { $0 != "," } }
                #expect(types == [#"{"type":"ok""#, #"{"type":"skipped""#, #"{"type":"bye""#])
            }
        }
    }
}
