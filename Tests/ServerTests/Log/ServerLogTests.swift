import Auction
import House
import Posix
import Server
import TestSupport
import Testing
import Wire

@Suite struct ServerLogTests {
    /// What the log has after its time, without numbers that differ from run to run.
    private static func words(_ lines: [String]) -> [String] {
        lines.map { line in
            line.split(separator: " ").dropFirst()
                .filter { !$0.hasPrefix("session=") && !$0.hasPrefix("elapsed=") }
                .joined(separator: " ")
        }
    }

    @Test(
        "the log has the arrivals, the bids, the winner and the departures", arguments: Wiring.all)
    func sale(wiring: Wiring) async throws {
        let output = try LogOutput()
        var settings = wiring.settings
        settings.rules = Rules(seconds: 1)
        settings.catalogue = Catalogue(titles: ["Blue vase"])
        settings.logWriter = output.writer
        _ = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nbid 5")
            try alice.hear("CHAMPION alice 1")
            try alice.say("quit")
            try alice.hearEnd()
        }
        let lines = Self.words(output.end())
        #expect(lines.first?.hasPrefix("level=info event=started address=127.0.0.1:") == true)
        #expect(
            Set(lines.dropFirst()) == [
                #"level=info event=lot lot=1 title="Blue vase""#,
                "level=info event=named bidder=alice address=127.0.0.1",
                "level=info event=joined bidder=alice",
                "level=info event=bid lot=1 bid=1 amount=5 bidder=alice",
                "level=info event=sold lot=1 amount=5 bidder=alice",
                "level=info event=over lots=1", "level=info event=champion bidder=alice score=1",
                "level=info event=closed reason=quit bidder=alice address=127.0.0.1",
                "level=info event=left bidder=alice", "level=info event=stopped",
            ])
    }

    @Test("a bid is in the log once, however often another is voided above it")
    func voided() async throws {
        let folder = TemporaryFolder()
        let token = "0123456789abcdef0123456789abcdef"
        try replaceFile(folder.path + "/token", with: Array(token.utf8), mode: 0o600)
        let output = try LogOutput()
        var settings = Settings()
        settings.rules = Rules(seconds: 60, allowsSelfRaise: true)
        settings.logWriter = output.writer
        settings.auctioneerTokenFile = folder.path + "/token"
        _ = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nauctioneer \(token)\nbid 5\nbid 6\nvoid\nbid 7\nvoid\nvoid")
            try alice.hear("VOIDED 5 alice 1")
        }
        let bids = Self.words(output.end()).filter { $0.contains(" bid=") }.map {
            $0.split(separator: " ").dropFirst().dropLast().joined(separator: " ")
        }
        #expect(
            bids == [
                "event=bid lot=1 bid=1 amount=5", "event=bid lot=1 bid=2 amount=6",
                "event=voided lot=1 bid=2 amount=6", "event=bid lot=1 bid=2 amount=7",
                "event=voided lot=1 bid=2 amount=7", "event=voided lot=1 bid=1 amount=5",
            ])
    }

    @Test("each connection is logged at the debug level, with the reason of its end")
    func connections() async throws {
        let output = try LogOutput()
        var settings = Settings()
        settings.logWriter = output.writer
        settings.logLevel = .debug
        _ = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.hear("LOT 1")
            eve.endSpeaking()
            try eve.hearEnd()
            let browser = try Visitor(port: port)
            try browser.say("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r")
            try browser.hearEnd()
        }
        let lines = Self.words(output.end())
        #expect(lines.count { $0 == "level=debug event=connected address=127.0.0.1" } == 2)
        #expect(lines.contains("level=debug event=closed reason=end address=127.0.0.1"))
        #expect(lines.contains("level=debug event=closed reason=http address=127.0.0.1"))
    }

    @Test("no token reaches the log")
    func tokens() async throws {
        let output = try LogOutput()
        var settings = Settings()
        settings.logWriter = output.writer
        settings.logLevel = .debug
        let tokens = Tokens()
        _ = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nbid 5")
            tokens.add(try alice.hear("OK name alice"))
            let again = try Visitor(port: port)
            try again.say("name alice " + String(repeating: "a", count: 32))
            try again.hear("ERROR wrong-token")
            try again.say("name alice \(tokens.first)")
            try again.hear("OK name alice")
            try alice.hear("BYE replaced")
        }
        let text = output.end().joined(separator: "\n")
        #expect(text.contains("event=closed reason=replaced bidder=alice"))
        #expect(!text.contains(tokens.first) && !text.contains("aaaa"))
    }
}

/// What another thread received, to be read once that thread has ended.
private final class Tokens: @unchecked Sendable {
    private(set) var first = ""

    func add(_ answer: String) {
        first = answer.split(separator: " ").last.map(String.init) ?? ""
    }
}
