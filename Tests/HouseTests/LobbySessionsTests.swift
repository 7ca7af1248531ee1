import Auction
import House
import Testing

@Suite struct LobbySessionsTests {
    static let hello = "HELLO auction/1 seconds=7 step=1 game=k3v9 room=main (type help)"

    @Test("a connection without a name takes 104 bytes")
    func bytes() {
        #expect(Lobby.sessionBytes == 104)
    }

    @Test("a new connection receives the snapshot, and all news after it")
    func snapshot() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.pass(milliseconds: 1200)
        clients.join("eve")
        #expect(
            clients.received("eve") == [
                Self.hello, "LOT 1 lot-1", "PRICE 5 al 00:00.0 1", "COUNTDOWN 6",
            ])
        clients.pass(milliseconds: 780)
        #expect(clients.received("eve") == ["COUNTDOWN 5"])
    }

    @Test("between lots the snapshot is the last winner")
    func snapshotBetweenLots() {
        var clients = TestClients(Rules(seconds: 1))
        clients.connectNamed("al")
        clients.send("al", "5")
        clients.pass(milliseconds: 1000)
        clients.join("eve")
        #expect(clients.received("eve").dropFirst() == ["WINNER al 5 00:01.0 lot-1"])
    }

    @Test("the greeting waits a moment, and no longer than for a first line")
    func greeting() {
        var clients = TestClients()
        clients.connectUngreeted("al")
        #expect(clients.received("al") == [])
        #expect(clients.send("al", "ping") == [Self.hello, "LOT 1 lot-1", "OK ping"])
        clients.connectUngreeted("bo")
        clients.send("bo", Array("pi".utf8))
        clients.pass(milliseconds: 19)
        #expect(clients.received("bo") == [])
        clients.pass(milliseconds: 1)
        #expect(clients.received("bo") == [Self.hello, "LOT 1 lot-1"])
        #expect(clients.send("bo", "ng") == ["OK ping"])
        clients.pass(milliseconds: 100)
        #expect(clients.received("al") == [])
    }

    private static let handshake =
        [0x16, 0x03, 0x01, 0x02, 0x00] + Array("\nname evil\nbid 100\n".utf8)

    @Test("a TLS client gets an alert and none of its bytes acts, wherever they are split")
    func handshake() {
        for split in 1..<Self.handshake.count {
            var clients = TestClients()
            clients.connectUngreeted("al")
            clients.send("al", Array(Self.handshake[..<split]))
            clients.send("al", Array(Self.handshake[split...]))
            #expect(clients.received("al").count == 1)
            #expect(clients.closed == ["al"])
            #expect(clients.lobby.takeLimitsReached() == [.tls: 1])
            clients.join("eve")
            #expect(clients.send("eve", "who").last == "OK who 0")
            #expect(clients.send("eve", "laps").last == "OK laps 0")
        }
    }

    @Test("a first byte that does not begin a handshake is part of the first line")
    func controlByte() {
        var clients = TestClients()
        clients.join("al")
        clients.send("al", [0x16])
        clients.send("al", Array("ping\nping\n".utf8))
        let lines = clients.received("al").suffix(2)
        #expect(lines.first?.hasPrefix("ERROR unknown-command") == true)
        #expect(lines.last == "OK ping")
    }

    @Test("a handshake record after a line is handled as a line")
    func lateHandshake() {
        var clients = TestClients()
        clients.join("al")
        clients.send("al", Array("ping\n".utf8) + Self.handshake)
        #expect(clients.closed == [])
    }

    @Test("a connection that ends after such a first byte gets an answer to its last line")
    func endAfterByte() {
        var clients = TestClients()
        clients.join("al")
        clients.send("al", [0x16])
        clients.end("al")
        #expect(clients.received("al").last == "BYE end")
    }

    @Test("HTTP behind a first line is refused, and no header of it is a command")
    func lateHTTP() {
        var clients = TestClients()
        clients.connect("al")
        clients.send("al", Array("GET / HTTP/1.1\r\nHost: x\r\nname eve\r\n\r\nbid 7\r\n".utf8))
        let lines = clients.received("al")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("HTTP/1.1 400 Bad Request\r\n") == true)
        #expect(lines.first?.contains("auction/1") == true)
        #expect(clients.closed == ["al"])
        clients.join("eve")
        #expect(clients.send("eve", "who").last == "OK who 0")
    }

    @Test(
        "HTTP is recognized by an overlong line, and by its Host header",
        arguments: [
            "\nPOST /" + String(repeating: "a", count: 2000)
                + " HTTP/1.1\r\nHost: x\r\n\r\nname eve\nbid 5\n",
            "name eve\r\nHost: x\r\nbid 5\r\n",
        ])
    func disguisedHTTP(sent: String) {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", Array(sent.utf8))
        #expect(clients.received("al").last?.hasPrefix("HTTP/1.1 400") == true)
        #expect(clients.closed == ["al"])
        clients.join("eve")
        #expect(clients.received("eve") == [Self.hello, "LOT 1 lot-1"])
    }

    @Test("a line with one word too many is not taken for HTTP")
    func noHTTP() {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", "ping")
        #expect(
            clients.send("al", "get me HTTP/1.1 now").first?.hasPrefix("ERROR unknown-command")
                == true)
    }

    @Test("quit sends BYE after LEFT, and later input is dropped")
    func quit() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", Array("quit\nping\n".utf8))
        #expect(clients.received("al") == ["OK quit", "LEFT al", "BYE quit"])
        #expect(clients.closed == ["al"])
    }

    @Test("a client that closes its side receives all answers, its last line included")
    func halfClose() {
        var clients = TestClients()
        clients.connectUngreeted("eve")
        clients.send("eve", Array("name eve\nbid 5".utf8))
        clients.end("eve")
        #expect(
            clients.received("eve") == [
                Self.hello, "LOT 1 lot-1", "OK name eve \(token(1))", "JOINED eve", "OK bid 5",
                "PRICE 5 eve 00:00.0 1", "COUNTDOWN 7", "LEFT eve", "BYE end",
            ])
        #expect(clients.closed == ["eve"])
    }

    @Test("bytes that arrive one at a time have the same effect as at once")
    func byteByByte() {
        var clients = TestClients()
        clients.connect("al")
        for byte in Array("#1 name al\r\n#2 BID 5\r\n".utf8) { clients.send("al", [byte]) }
        #expect(
            clients.received("al") == [
                "OK #1 name al \(token(1))", "JOINED al", "OK #2 bid 5", "PRICE 5 al 00:00.0 1",
                "COUNTDOWN 7",
            ])
    }

    @Test("telnet negotiation is refused, and the line continues")
    func telnet() {
        var clients = TestClients()
        clients.connect("al")
        clients.send("al", Array("pi".utf8) + [255, 253, 1] + Array("ng\r\n".utf8))
        let refusal = String(decoding: [255, 252, 1] as [UInt8], as: UTF8.self)
        #expect(clients.received("al") == [refusal, "OK ping"])
    }

    @Test("a line too long or not UTF-8 is refused, and the next line is handled")
    func badLines() {
        var clients = TestClients()
        clients.connect("al")
        clients.send("al", [UInt8](repeating: 120, count: 5000) + Array("\nping\n".utf8))
        #expect(
            clients.received("al") == [
                "ERROR line-too-long a line has at most 1024 bytes, this one was ignored",
                "OK ping",
            ])
        clients.send("al", [0x62, 0xFE, 0x0A])
        #expect(clients.received("al") == ["ERROR not-utf8 send the line again as UTF-8"])
    }

    @Test("a connection that fell behind receives SKIPPED and a snapshot")
    func resync() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.join("eve")
        clients.send("al", "5")
        _ = clients.received("eve")
        clients.fallBehind("eve")
        #expect(
            clients.received("eve")
                == ["(skipped)", "LOT 1 lot-1", "PRICE 5 al 00:00.0 1", "COUNTDOWN 7"])
    }

    @Test("shutting down sends BYE to everybody")
    func shutDown() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.join("eve")
        clients.connectUngreeted("new")
        clients.shutDown()
        for client in ["al", "eve", "new"] {
            let lines = clients.received(client)
            #expect(lines.last == "BYE shutdown")
            if client == "new" { #expect(lines.first == Self.hello) }
        }
        #expect(clients.closed.sorted() == ["al", "eve", "new"])
    }
}
