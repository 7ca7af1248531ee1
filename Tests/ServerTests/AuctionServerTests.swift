import Auction
import House
import Server
import Testing
import Transport

@Suite struct AuctionServerTests {
    @Test(
        "a lot is played over sockets, and all connections receive the same", arguments: Wiring.all
    )
    func wholeLot(wiring: Wiring) async throws {
        var settings = wiring.settings
        settings.rules = Rules(seconds: 1)
        settings.catalogue = Catalogue(titles: ["Vase"])
        let sale = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.hear("LOT 1 Vase")
            let alice = try Visitor(port: port)
            let bob = try Visitor(port: port)
            try alice.say("name alice\nbid 5")
            try alice.hear("OK bid 5")
            try bob.say("name bob\nbid 6")
            try bob.hear("OK bid 6")
            for visitor in [eve, alice, bob] { try visitor.hear("OVER 1") }
            let news = eve.lines.dropFirst(2).map { String($0) }
            #expect(news.filter { $0.hasPrefix("WINNER bob 6") }.count == 1)
            #expect(Array(bob.lines.filter { !$0.hasPrefix("OK") }.suffix(4)) == news.suffix(4))
        }
        #expect(sale?.bidder == Bidder("bob"))
    }

    @Test("a reply stands in its place among the news", arguments: Wiring.all)
    func replyInPlace(wiring: Wiring) async throws {
        _ = try await withServer(wiring.settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nbid 5\nwho\nquit")
            try alice.hear("BYE quit")
            try alice.hearEnd()
            let words = alice.lines.map { $0.split(separator: " ")[0] }
            #expect(
                words == [
                    "HELLO", "LOT", "OK", "JOINED", "OK", "PRICE", "COUNTDOWN", "WHO", "OK", "OK",
                    "LEFT", "BYE",
                ])
        }
    }

    @Test("each connection receives the format that it chose", arguments: Wiring.all)
    func formats(wiring: Wiring) async throws {
        _ = try await withServer(wiring.settings) { _, port in
            let alice = try Visitor(port: port)
            let eve = try Visitor(port: port)
            try eve.say("format json")
            try eve.hear("OK format json")
            try alice.say("name alice\nbid 5")
            try alice.hear("PRICE 5 alice")
            let price = try eve.hear(#"{"seq":3,"type":"price","#)
            #expect(price.contains(#""amount":5,"bidder":"alice","#))
            #expect(price.contains(#""bid":1,"text":"#))
            try eve.say("format text")
            try eve.hear(#"{"type":"ok","content":"format text","#)
            try eve.say("status")
            try eve.hear("OK status")
        }
    }

    @Test("a client that closes its side gets every answer before the end", arguments: Wiring.all)
    func halfClose(wiring: Wiring) async throws {
        _ = try await withServer(wiring.settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.say("name eve\nbid 5\nping")
            eve.endSpeaking()
            try eve.hearEnd()
            #expect(eve.lines.filter { $0.hasPrefix("OK") }.count == 3)
            #expect(eve.lines.suffix(2) == ["LEFT eve", "BYE end"])
        }
    }

    @Test("a server that ends sends BYE to every connection", arguments: Wiring.all)
    func shutDown(wiring: Wiring) async throws {
        _ = try await withServer(wiring.settings) { server, port in
            let visitors = try (0..<5).map { _ in try Visitor(port: port) }
            for visitor in visitors { try visitor.hear("LOT") }
            server.endSoon()
            for visitor in visitors {
                try visitor.hear("BYE shutdown")
                try visitor.hearEnd()
            }
        }
    }

    @Test("a server for one lot ends by itself, and returns the sale", arguments: Wiring.all)
    func firstLotOnly(wiring: Wiring) async throws {
        var settings = wiring.settings
        settings.rules = Rules(seconds: 1)
        settings.endsWithFirstLot = true
        let sale = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nbid 5")
            try alice.hear("WINNER alice 5")
            try alice.hear("BYE shutdown")
            try alice.hearEnd()
        }
        #expect(sale?.price == Price(5))
    }

    @Test("a port in use cannot be listened on")
    func portInUse() async throws {
        _ = try await withServer(Settings()) { _, port in
            var second = Settings()
            second.port = port
            #expect(throws: EndpointError.self) { _ = try AuctionServer(second) }
        }
    }
}
