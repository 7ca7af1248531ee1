import Auction
import Basics
import Server
import Testing
import Wire

@Suite struct ProxyProtocolTests {
    private static let header = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n"

    private static func settings(_ wiring: Wiring, trusting text: String) throws -> Settings {
        var settings = wiring.settings
        settings.trustedProxies = [try #require(AddressBlock(text))]
        return settings
    }

    @Test("the address that a trusted proxy names is the one in the log", arguments: Wiring.all)
    func address(wiring: Wiring) async throws {
        let output = try LogOutput()
        var settings = try Self.settings(wiring, trusting: "127.0.0.0/8")
        settings.logWriter = output.writer
        _ = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say(Self.header + "name alice")
            try alice.hear("HELLO")
            try alice.hear("OK name alice")
            let bob = try Visitor(port: port)
            try bob.say("PROXY TCP6 2001:db8::1 2001:db8::2 1 2\r\nname bob\nquit")
            try bob.hear("OK quit")
            try bob.hear("BYE quit")
            try bob.hearEnd()
        }
        let lines = output.end()
        let named = lines.filter { $0.contains(" event=named ") }
        #expect(named.count == 2)
        #expect(named.first?.hasSuffix(" address=192.0.2.1") == true)
        #expect(named.last?.hasSuffix(" address=2001:db8:0:0:0:0:0:1") == true)
    }

    @Test("from an untrusted peer a header is an unknown command", arguments: Wiring.all)
    func notTrusted(wiring: Wiring) async throws {
        let settings = try Self.settings(wiring, trusting: "10.0.0.0/8")
        _ = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.say(Self.header + "ping")
            try eve.hear("ERROR unknown-command")
            try eve.hear("OK ping")
        }
    }

    @Test("a trusted peer without a header receives nothing and is closed", arguments: Wiring.all)
    func noHeader(wiring: Wiring) async throws {
        let output = try LogOutput()
        var settings = try Self.settings(wiring, trusting: "127.0.0.1")
        settings.logWriter = output.writer
        _ = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.expectSilence()
            try eve.say("name mallory")
            try eve.hearEnd()
            #expect(eve.lines.isEmpty)
        }
        let lines = output.end()
        #expect(lines.contains { $0.contains("level=warning event=closed reason=no-proxy-header") })
        #expect(!lines.contains { $0.contains("mallory") })
    }

    @Test("a connection without its header gets BYE when the server ends", arguments: Wiring.all)
    func shutdown(wiring: Wiring) async throws {
        let settings = try Self.settings(wiring, trusting: "127.0.0.1")
        _ = try await withServer(settings) { server, port in
            let eve = try Visitor(port: port)
            // A later connection was accepted, so eve's was too.
            let bob = try Visitor(port: port)
            try bob.say("PROXY TCP4 192.0.2.7 10.0.0.1 1000 7777\r")
            try bob.hear("LOT")
            server.endSoon()
            try eve.hear("BYE shutdown")
            try eve.hearEnd()
        }
    }
}
