import Auction
import DiskSupport
import House
import Journal
import Posix
import Server
import TestSupport
import Testing
import Wire

@Suite struct RoomsTests {
    private static func settings(_ wiring: Wiring = Wiring(poller: .standard)) -> Settings {
        var settings = wiring.settings
        settings.rules = Rules(seconds: 60)
        return settings
    }

    @Test("everybody gets the news of their own room alone", arguments: Wiring.all)
    func news(wiring: Wiring) async throws {
        _ = try await withServer(Self.settings(wiring)) { _, port in
            let (alice, bob, carol) =
                (try Visitor(port: port), try Visitor(port: port), try Visitor(port: port))
            try alice.say("name alice\nopen blue seconds=30")
            try alice.hear("OK open blue ")
            try bob.say("name bob\njoin blue\nbid 7")
            try bob.hear("OK bid 7")
            try carol.say("name carol\nbid 5")
            try carol.hear("PRICE 5 carol")
            try alice.hear("PRICE 7 bob")
            try carol.say("join blue")
            try carol.hear("HELLO auction/1 seconds=30 step=1 game=")
            try carol.hear("PRICE 7 bob")
            try carol.hear("OK join blue")
            try carol.say("bid 9")
            for visitor in [alice, bob, carol] { try visitor.hear("PRICE 9 carol") }
            #expect(![alice, bob].contains { $0.lines.contains { $0.hasPrefix("PRICE 5 ") } })
        }
    }

    @Test("the log names the room of each line, and says when a room was opened and has ended")
    func log() async throws {
        let output = try LogOutput()
        var settings = Self.settings()
        settings.logWriter = output.writer
        settings.limits.roomIdle = .milliseconds(1)
        _ = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nopen blue seconds=1 lots=1\nbid 5")
            try alice.hear("CHAMPION alice 1")
            try alice.say("join main")
            try alice.hear("OK join main")
            repeat {
                try alice.say("rooms")
            } while try alice.hear("OK rooms") != "OK rooms 1"
        }
        let lines = output.end()
        func has(_ words: String) -> Bool { lines.contains { $0.contains(words) } }
        #expect(has("event=lot lot=1 title=lot-1"))
        #expect(has("event=room-opened room=blue bidder=alice session="))
        #expect(has("event=lot room=blue lot=1 title=lot-1"))
        #expect(has("event=bid room=blue lot=1 bid=1 amount=5 bidder=alice"))
        #expect(has("event=sold room=blue lot=1 amount=5 bidder=alice"))
        #expect(has("event=left room=blue bidder=alice"))
        #expect(has("event=joined bidder=alice"))
        #expect(has("event=room-ended room=blue lots=1"))
    }

    @Test("a client that has opened a room cannot fill the log with lines about it")
    func floods() async throws {
        let output = try LogOutput()
        var settings = Self.settings()
        settings.logWriter = output.writer
        _ = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nopen blue")
            let key = try alice.hear("OK open blue ").split(separator: " ").last ?? ""
            try alice.say("auctioneer \(key)")
            for _ in 0..<200 { try alice.say("pause\nresume") }
            for _ in 0..<200 { try alice.hear("OK resume") }
        }
        let lines = output.end()
        for event in ["paused", "resumed", "ordered"] {
            let count = lines.count { $0.contains("event=\(event) room=blue") }
            #expect((50..<200).contains(count), "\(event)")
        }
    }

    @Test("rooms continue after a restart, and the results of an ended one stay in the journal")
    func restart() async throws {
        let disk = MemoryDisk()
        var settings = Self.settings()
        (settings.data, settings.disk) = ("memory", disk)
        settings.segmentBytes = 600
        settings.limits.roomIdle = nil
        _ = try await withServer(settings) { _, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nopen blue seconds=50\nbid 5")
            try alice.hear("PRICE 5 alice")
            try alice.say("open red seconds=1 lots=1\nbid 6")
            try alice.hear("CHAMPION alice 1")
            try alice.say("join main\nbid 7")
            try alice.hear("PRICE 7 alice")
        }
        settings.limits.roomIdle = .milliseconds(1)
        _ = try await withServer(settings) { _, port in
            let bob = try Visitor(port: port)
            repeat {
                try bob.say("rooms")
            } while try bob.hear("OK rooms") != "OK rooms 2"
            try bob.hear("")
            try bob.say("join blue")
            try bob.hear("HELLO auction/1 seconds=50")
            try bob.hear("PRICE 5 alice")
        }
        var history = ServerReplay(keepsHistory: true)
        _ = try Journal.verify(disk) { history.replay($0, $1, $2) }
        #expect(history.names.map(\.description) == ["main", "blue", "red"])
        let red = try #require(RoomName("red"))
        #expect(history.results(of: red)?.map(\.lot.number) == [1])
        #expect(history.results(of: .main)?.isEmpty == true)
        #expect(history.main.auction.leading?.price == Price(7))
    }

    @Test("the metrics have the rooms, and count in each of them")
    func metrics() async throws {
        _ = try await withServer(Self.settings()) { server, port in
            let alice = try Visitor(port: port)
            try alice.say("name alice\nopen blue seconds=30\nbid 5\nbid 6")
            try alice.hear("ERROR leading")
            let browser = try Visitor(port: port)
            try browser.say("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r")
            try browser.hearEnd()
            for line in [
                "auction_rooms 2", "auction_bidders 1", "auction_room_people{room=\"blue\"} 1",
                "auction_room_bids_accepted_total{room=\"blue\"} 1",
                "auction_room_bids_accepted_total{room=\"main\"} 0",
                "auction_room_bids_accepted_total{room=\"_other\"} 0",
                "auction_room_lots_ended_total{room=\"blue\"} 0",
                "auction_room_price{room=\"blue\"} 5",
            ] {
                #expect(browser.lines.contains { $0.hasPrefix(line) }, "\(line)")
            }
            // Its lot has no bid.
            #expect(!browser.lines.contains { $0.hasPrefix("auction_room_price{room=\"main\"}") })
        }
    }
}
