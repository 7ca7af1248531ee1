import AuctionRules
import Saleroom
import Testing

@Suite struct RoomSessionsTests {
    static let hello = "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)"

    @Test("a newcomer is greeted with what holds, and hears the news from there on")
    func snapshot() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "5")
        visitors.pass(milliseconds: 1200)
        visitors.join("eve")
        #expect(
            visitors.hear("eve") == [
                Self.hello, "LOT 1 lot-1", "PRICE 5 al 00:00.0 1", "COUNTDOWN 6",
            ])
        visitors.pass(milliseconds: 780)
        #expect(visitors.hear("eve") == ["COUNTDOWN 5"])
    }

    @Test("between lots the snapshot is the last winner")
    func snapshotBetweenLots() {
        var visitors = Visitors(Rules(seconds: 1))
        visitors.joinNamed("al")
        visitors.say("al", "5")
        visitors.pass(milliseconds: 1000)
        visitors.join("eve")
        #expect(visitors.hear("eve").dropFirst() == ["WINNER al 5 00:01.0 lot-1"])
    }

    @Test("the greeting waits a moment, and no longer than for a first line")
    func greeting() {
        var visitors = Visitors()
        visitors.arrive("al")
        #expect(visitors.hear("al") == [])
        #expect(visitors.say("al", "ping") == [Self.hello, "LOT 1 lot-1", "OK ping"])
        visitors.arrive("bo")
        visitors.send("bo", Array("pi".utf8))
        visitors.pass(milliseconds: 19)
        #expect(visitors.hear("bo") == [])
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("bo") == [Self.hello, "LOT 1 lot-1"])
        #expect(visitors.say("bo", "ng") == ["OK ping"])
        visitors.pass(milliseconds: 100)
        #expect(visitors.hear("al") == [])
    }

    private static let handshake =
        [0x16, 0x03, 0x01, 0x02, 0x00] + Array("\nname evil\nbid 100\n".utf8)

    @Test("a TLS client is closed with an alert and nothing of it is heard, wherever it is split")
    func handshake() {
        for split in 1..<Self.handshake.count {
            var visitors = Visitors()
            visitors.arrive("al")
            visitors.send("al", Array(Self.handshake[..<split]))
            visitors.send("al", Array(Self.handshake[split...]))
            #expect(visitors.hear("al").count == 1)
            #expect(visitors.closed == ["al"])
            #expect(visitors.room.takeLimitsReached() == [.tls: 1])
            visitors.join("eve")
            #expect(visitors.say("eve", "who").last == "OK who 0")
            #expect(visitors.say("eve", "laps").last == "OK laps 0")
        }
    }

    @Test("a first byte that is no handshake after all is part of the first line")
    func controlByte() {
        var visitors = Visitors()
        visitors.join("al")
        visitors.send("al", [0x16])
        visitors.send("al", Array("ping\nping\n".utf8))
        let heard = visitors.hear("al").suffix(2)
        #expect(heard.first?.hasPrefix("ERROR unknown-command") == true)
        #expect(heard.last == "OK ping")
    }

    @Test("the record of a handshake behind a line is heard as any other bytes")
    func lateHandshake() {
        var visitors = Visitors()
        visitors.join("al")
        visitors.send("al", Array("ping\n".utf8) + Self.handshake)
        #expect(visitors.closed == [])
    }

    @Test("a connection that ends after such a first byte is answered as for a last line")
    func endAfterByte() {
        var visitors = Visitors()
        visitors.join("al")
        visitors.send("al", [0x16])
        visitors.end("al")
        #expect(visitors.hear("al").last == "BYE end")
    }

    @Test("a browser gets HTTP and is closed, and no header of it is a command")
    func browser() {
        var visitors = Visitors()
        visitors.arrive("al")
        visitors.send("al", Array("GET / HTTP/1.1\r\nHost: x\r\nname eve\r\n\r\nbid 7\r\n".utf8))
        let heard = visitors.hear("al")
        #expect(heard.count == 1)
        #expect(heard.first?.hasPrefix("HTTP/1.1 400 Bad Request\r\n") == true)
        #expect(heard.first?.contains("auction/1") == true)
        #expect(visitors.closed == ["al"])
        visitors.join("eve")
        #expect(visitors.say("eve", "who").last == "OK who 0")
    }

    @Test(
        "a browser is known by a first line too long to be read, and by its Host header",
        arguments: [
            "POST /" + String(repeating: "a", count: 2000)
                + " HTTP/1.1\r\nHost: x\r\n\r\nname eve\nbid 5\n",
            "name eve\r\nHost: x\r\nbid 5\r\n",
        ])
    func disguisedBrowser(sent: String) {
        var visitors = Visitors()
        visitors.arrive("al")
        visitors.send("al", Array(sent.utf8))
        #expect(visitors.hear("al").last?.hasPrefix("HTTP/1.1 400") == true)
        #expect(visitors.closed == ["al"])
        visitors.join("eve")
        #expect(visitors.hear("eve") == [Self.hello, "LOT 1 lot-1"])
    }

    @Test("a line of one word too many is no browser's")
    func noBrowser() {
        var visitors = Visitors()
        visitors.arrive("al")
        visitors.say("al", "ping")
        #expect(
            visitors.say("al", "get me HTTP/1.1 now").first?.hasPrefix("ERROR unknown-command")
                == true)
    }

    @Test("quit says goodbye after the news that one left, and nothing more is heard")
    func quit() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.send("al", Array("quit\nping\n".utf8))
        #expect(visitors.hear("al") == ["OK quit", "LEFT al", "BYE quit"])
        #expect(visitors.closed == ["al"])
    }

    @Test("a side that is closed gets all its answers, its last line included, before the end")
    func halfClose() {
        var visitors = Visitors()
        visitors.arrive("eve")
        visitors.send("eve", Array("name eve\nbid 5".utf8))
        visitors.end("eve")
        #expect(
            visitors.hear("eve") == [
                Self.hello, "LOT 1 lot-1", "OK name eve \(token(1))", "JOINED eve", "OK bid 5",
                "PRICE 5 eve 00:00.0 1", "COUNTDOWN 7", "LEFT eve", "BYE end",
            ])
        #expect(visitors.closed == ["eve"])
    }

    @Test("bytes heard one at a time are heard as well as whole")
    func byteByByte() {
        var visitors = Visitors()
        visitors.join("al")
        _ = visitors.hear("al")
        for byte in Array("#1 name al\r\n#2 BID 5\r\n".utf8) { visitors.send("al", [byte]) }
        #expect(
            visitors.hear("al") == [
                "OK #1 name al \(token(1))", "JOINED al", "OK #2 bid 5", "PRICE 5 al 00:00.0 1",
                "COUNTDOWN 7",
            ])
    }

    @Test("telnet negotiation is refused, and the line goes on")
    func telnet() {
        var visitors = Visitors()
        visitors.join("al")
        _ = visitors.hear("al")
        visitors.send("al", Array("pi".utf8) + [255, 253, 1] + Array("ng\r\n".utf8))
        let refusal = String(decoding: [255, 252, 1] as [UInt8], as: UTF8.self)
        #expect(visitors.hear("al") == [refusal, "OK ping"])
    }

    @Test("a line too long and a line that is no UTF-8 are told, and the next line is heard")
    func badLines() {
        var visitors = Visitors()
        visitors.join("al")
        _ = visitors.hear("al")
        visitors.send("al", [UInt8](repeating: 120, count: 5000) + Array("\nping\n".utf8))
        #expect(
            visitors.hear("al") == [
                "ERROR line-too-long a line has at most 1024 bytes, this one was ignored",
                "OK ping",
            ])
        visitors.send("al", [0x62, 0xFE, 0x0A])
        #expect(visitors.hear("al") == ["ERROR not-utf8 send the line again as UTF-8"])
    }

    @Test("who fell behind is told so, and goes on from a snapshot")
    func resync() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.join("eve")
        visitors.say("al", "5")
        _ = visitors.hear("eve")
        visitors.fallBehind("eve")
        #expect(
            visitors.hear("eve")
                == ["(skipped)", "LOT 1 lot-1", "PRICE 5 al 00:00.0 1", "COUNTDOWN 7"])
    }

    @Test("a server that ends says goodbye to everybody")
    func shutDown() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.join("eve")
        visitors.arrive("new")
        visitors.shutDown()
        for visitor in ["al", "eve", "new"] {
            let heard = visitors.hear(visitor)
            #expect(heard.last == "BYE shutdown")
            if visitor == "new" { #expect(heard.first == Self.hello) }
        }
        #expect(visitors.closed.sorted() == ["al", "eve", "new"])
    }
}
