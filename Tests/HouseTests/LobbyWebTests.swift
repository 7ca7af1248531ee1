import Auction
import Basics
import House
import Testing
import Web
import Wire

/// Clients that speak HTTP and WebSocket.
@Suite struct LobbyWebTests {
    private static let handshake =
        "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// A masked text frame with a key of zeros, so that the payload is readable.
    private func frame(_ text: String, opcode: UInt8 = 1) -> [UInt8] {
        [0x80 | opcode, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
    }

    /// What a client received; of frames, the JSON objects that they carry.
    private func received(_ clients: inout TestClients, _ name: String) -> [String] {
        clients.received(name).map { line in
            line.firstIndex(of: "{").map { String(line[$0...]) } ?? line
        }
    }

    private func upgraded(_ clients: inout TestClients, _ name: String) {
        clients.connectUngreeted(name)
        clients.send(name, bytes(Self.handshake))
    }

    @Test("a WebSocket is greeted with the snapshot as JSON, behind the handshake")
    func greeting() {
        var clients = TestClients()
        upgraded(&clients, "al")
        let lines = received(&clients, "al")
        #expect(lines.first?.hasPrefix("HTTP/1.1 101 ") == true)
        #expect(
            lines.dropFirst().map { $0.contains("\"type\":\"hello\"") } == [true, false, false])
        #expect(lines.last?.contains("\"snapshot\":true,\"type\":\"state\"") == true)
    }

    @Test("a path may name a room that was opened: its page is there, and a WebSocket joins it")
    func openedRoom() {
        var clients = TestClients()
        clients.join("eve")
        clients.send("eve", bytes("open blue\n"))
        clients.connectUngreeted("al")
        clients.send("al", bytes("HEAD /rooms/blue HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(clients.received("al").map { $0.prefix(13) } == ["HTTP/1.1 200 "])
        clients.send("al", bytes(Self.handshake.replacing("/ws", with: "/rooms/blue/ws")))
        let lines = received(&clients, "al")
        #expect(lines.first?.hasPrefix("HTTP/1.1 101 ") == true)
        #expect(lines.dropFirst().first?.contains("\"room\":\"blue\"") == true)
    }

    @Test(
        "a path may name a room; without such a room the answer is 404 and the connection stays",
        arguments: ["gone", "", "-", "Main", "%6dain", String(repeating: "a", count: 25)])
    func paths(room: String) {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", bytes(Self.handshake.replacing("/ws", with: "/rooms/\(room)/ws")))
        clients.send("al", bytes("GET /rooms/\(room) HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(clients.received("al").map { $0.prefix(13) } == ["HTTP/1.1 404 ", "HTTP/1.1 404 "])
        clients.send("al", bytes("GET /rooms/main HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(clients.received("al").map { $0.prefix(13) } == ["HTTP/1.1 200 "])
        clients.send("al", bytes(Self.handshake.replacing("/ws", with: "/rooms/main/ws")))
        #expect(received(&clients, "al").dropFirst().first?.contains("\"hello\"") == true)
        #expect(clients.closed.isEmpty)
    }

    @Test("a command in a message is answered, and everybody receives the news in one order")
    func bid() {
        var clients = TestClients()
        clients.join("eve")
        upgraded(&clients, "al")
        clients.forget("al", "eve")
        clients.send("al", frame("#1 name al") + frame("bid 5\n"))
        let contents = received(&clients, "al").compactMap {
            $0.split(separator: "\"content\":\"").last?.prefix { $0 != "\"" }
        }
        #expect(contents.map { $0.prefix(6) } == ["name a", "", "al", "bid 5", "5", "", "7"])
        #expect(clients.received("eve") == ["JOINED al", "PRICE 5 al 00:00.0 1", "COUNTDOWN 7"])
    }

    @Test("a request split anywhere has the same effect as at once")
    func splits() {
        let all = bytes(Self.handshake) + frame("ping")
        for split in 1..<all.count {
            var clients = TestClients()
            clients.connectUngreeted("al")
            clients.send("al", Array(all[..<split]))
            clients.pass(milliseconds: 1000)
            clients.send("al", Array(all[split...]))
            let lines = received(&clients, "al")
            #expect(lines.count == 5)
            #expect(lines.last?.contains("\"content\":\"ping\"") == true)
        }
    }

    @Test("an HTTP connection gets responses alone, and closes when it asks for that")
    func requests() {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", bytes("GET /health HTTP/1.1\r\nHost: a\r\n\r\n"))
        clients.pass(milliseconds: 1000)
        clients.send("al", bytes("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        let lines = clients.received("al")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("HTTP/1.1 200 ") == true)
        #expect(lines.last == "(metrics)")
        #expect(clients.closed == ["al"])
    }

    @Test("a refused request closes the connection, and what follows it is ignored")
    func refused() {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", bytes("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nbid 7\n"))
        #expect(clients.received("al").map { $0.hasPrefix("HTTP/1.1 4") } == [true])
        #expect(clients.closed == ["al"])
    }

    @Test("an HTTP connection closes if its next request does not begin or does not end in time")
    func slow() {
        for (sent, seconds, response) in [("GET /he", 30, ["HTTP/1.1 408"]), ("", 5, [])] {
            var clients = TestClients(limits: .with { $0.lineTime = .seconds(30) })
            clients.connectUngreeted("al")
            clients.send("al", bytes("GET /health HTTP/1.1\r\nHost: a\r\n\r\n" + sent))
            clients.pass(milliseconds: Int64(seconds) * 1000 - 1)
            #expect(clients.closed.isEmpty)
            clients.pass(milliseconds: 1)
            #expect(clients.received("al").dropFirst().map { String($0.prefix(12)) } == response)
            #expect(clients.closed == ["al"])
        }
    }

    @Test("the time for a message begins with it, and not with the handshake before it")
    func slowMessage() {
        var clients = TestClients(limits: .with { $0.lineTime = .seconds(30) })
        clients.connectUngreeted("al")
        let handshake = bytes(Self.handshake)
        clients.send("al", Array(handshake.dropLast()))
        clients.pass(milliseconds: 29_000)
        clients.send("al", handshake.suffix(1) + frame("ping").prefix(3))
        clients.pass(milliseconds: 29_000)
        #expect(clients.closed.isEmpty)
        clients.pass(milliseconds: 2_000)
        #expect(clients.closed == ["al"])
    }

    @Test("in a reserved place a client gets one response, or a WebSocket that must prove a token")
    func reserved() {
        var clients = TestClients(limits: .with { ($0.connections, $0.reserve) = (1, 8) })
        clients.connectNamed("al")
        for path in ["/health", "/metrics", "/"] {
            clients.connectUngreeted("bo")
            let request = "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
            clients.send("bo", bytes(request + request))
            let lines = clients.received("bo")
            #expect(lines.count == 1)
            #expect(lines.first == "(metrics)" || lines.first?.hasPrefix("HTTP/1.1 200") == true)
        }
        #expect(clients.closed == ["bo", "bo", "bo"])
        upgraded(&clients, "cy")
        _ = clients.received("cy")
        clients.send("cy", frame("name al \(token(1))"))
        #expect(received(&clients, "cy").first?.contains("\"ok\"") == true)
    }

    @Test("a head in two reads does not extend the time until the next request")
    func idleAfterParts() {
        var clients = TestClients(limits: .with { $0.lineTime = .seconds(30) })
        clients.connectUngreeted("al")
        clients.send("al", bytes("GET /health HTTP/1.1\r\nHo"))
        clients.pass(milliseconds: 100)
        clients.send("al", bytes("st: a\r\n\r\n"))
        clients.pass(milliseconds: 5_000)
        #expect(clients.closed == ["al"])
    }

    @Test("a long head is charged as the lines that would fill it")
    func charged() {
        var clients = TestClients(
            limits: .with { $0.lines = TokenBucket.Rate(1, per: .seconds(1), burst: 50) })
        clients.connectUngreeted("al")
        let before = clients.available("al")
        let field = "X: " + String(repeating: "x", count: 5 * 1024) + "\r\n"
        clients.send("al", bytes("GET /health HTTP/1.1\r\nHost: a\r\n\(field)\r\n"))
        #expect(before - clients.available("al") == 6)
    }

    @Test("a malformed HEAD request gets no body")
    func malformedHead() {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", bytes("HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"))
        #expect(clients.received("al").first?.hasPrefix("HTTP/1.1 413") == true)
        clients.connectUngreeted("bo")
        clients.send("bo", bytes("HEAD / HTTP/1.1\r\nHo"))
        clients.end("bo")
        let last = clients.received("bo").last
        #expect(last?.hasPrefix("HTTP/1.1 400") == true)
        #expect(last?.contains("the request is incomplete") == false)
    }

    @Test("on this machine a page whose host is a name is refused, against DNS rebinding")
    func rebinding() {
        let lan = PeerAddress(version4: 0x0A00_0001)
        let cases: [(String, PeerAddress, String)] = [
            ("evil.test:7777", .loopback, "403"), ("evil.test:7777", lan, "101"),
            ("localhost:7777", .loopback, "101"), ("127.0.0.1:7777", .loopback, "101"),
            ("[::1]:7777", .loopback, "101"), ("evil.test:7777", .local, "101"),
        ]
        for (host, address, status) in cases {
            var clients = TestClients()
            clients.connectUngreeted("al", from: address)
            let request = Self.handshake.replacing(
                "Host: a", with: "Host: \(host)\r\nOrigin: http://\(host)")
            clients.send("al", bytes(request))
            #expect(
                clients.received("al").first?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(host)")
        }
    }

    @Test("a client is not greeted while its bytes may begin an HTTP request")
    func undecided() {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", bytes("GE"))
        clients.pass(milliseconds: 1000)
        #expect(clients.received("al").isEmpty)
        clients.send("al", bytes("X me\n"))
        #expect(clients.received("al").last?.hasPrefix("ERROR unknown-command") == true)
    }

    @Test(
        "a close frame and a broken frame are answered by a frame, and end the connection",
        arguments: [[0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8], [0x81, 0x01, 0x41]] as [[UInt8]])
    func closings(sent: [UInt8]) {
        var clients = TestClients()
        upgraded(&clients, "al")
        _ = clients.received("al")
        clients.send("al", sent + frame("ping"))
        #expect(clients.received("al").count == 1)
        #expect(clients.closed == ["al"])
    }

    /// An address, how long after opening the page it connects again, and how long that connection
    /// is not greeted, in milliseconds.
    private static let preconnects: [(PeerAddress, Int64, Int64)] = [
        (.loopback, 100, 10_000), (.loopback, 4_900, 10_000), (.loopback, 5_100, 20),
        (PeerAddress(version4: 0x0A00_0001), 1_800_000, 10_000),
        (PeerAddress(version4: 0x0A00_0001), 9_000_000, 20),
        (PeerAddress(version4: 0x0A00_0002), 100, 20),
    ]

    @Test(
        "a silent connection is not greeted while it may be one that a browser keeps for later",
        arguments: preconnects)
    func preconnected(address: PeerAddress, after wait: Int64, greeted: Int64) {
        var clients = TestClients()
        let visitor = address.isOfThisMachine ? address : PeerAddress(version4: 0x0A00_0001)
        let other = PeerAddress(version4: 0x0A00_0003)
        for (name, from) in [("al", visitor), ("bo", other)] {
            clients.connectUngreeted(name, from: from)
            clients.send(name, bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
            if name == "al" { clients.pass(milliseconds: wait / 2) }
        }
        clients.pass(milliseconds: wait - wait / 2)
        clients.connectUngreeted("eve", from: address)
        clients.pass(milliseconds: greeted - 1)
        #expect(clients.received("eve").isEmpty)
        clients.pass(milliseconds: 1)
        #expect(!clients.received("eve").isEmpty)
    }

    @Test("the URL of the page for other people is served only to the server's machine")
    func address() {
        var clients = TestClients()
        clients.lobby.reach = .others("http://192.168.1.5:7777/")
        for (client, address, status) in [
            ("al", .loopback, "200"), ("bo", PeerAddress(version4: 0xC0A8_0109), "404"),
        ] {
            clients.connectUngreeted(client, from: address)
            clients.send(client, bytes("GET /address HTTP/1.1\r\nHost: a\r\n\r\n"))
            let response = clients.received(client)
            #expect(response.first?.hasPrefix("HTTP/1.1 \(status) ") == true)
            #expect(response.contains { $0.contains("192.168.1.5") } == (status == "200"))
        }
    }

    @Test("the QR code of another machine's request has the host of that request")
    func codeForOthers() throws {
        var clients = TestClients()
        clients.lobby.reach = .others("http://192.168.1.5:7777/")
        for (client, address, url) in [
            ("al", .loopback, "http://192.168.1.5:7777/"),
            ("bo", PeerAddress(version4: 0xC0A8_0109), "http://localhost/"),
        ] {
            clients.connectUngreeted(client, from: address)
            clients.send(client, bytes("GET /qr.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            let code = try #require(QRCode(url))
            #expect(clients.received(client).contains { $0.contains(code.svg.dropLast()) })
        }
    }

    @Test("a browser uses a connection that it opened long before")
    func late() {
        var clients = TestClients()
        clients.connectUngreeted("al")
        clients.send("al", bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        clients.connectUngreeted("bo")
        clients.pass(milliseconds: 9_000)
        clients.send("bo", bytes("GET /health HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(clients.received("bo").map { $0.hasPrefix("HTTP/1.1 200") } == [true])
    }

    @Test("a WebSocket has no format but JSON")
    func formats() {
        var clients = TestClients()
        upgraded(&clients, "al")
        _ = clients.received("al")
        clients.send("al", frame("format text") + frame("format json"))
        let lines = received(&clients, "al")
        #expect(lines.first?.contains("\"code\":\"bad-arguments\"") == true)
        #expect(lines.last?.contains("\"content\":\"format json\"") == true)
    }

    @Test("a page of another origin is refused, unless it is allowed")
    func origins() {
        for (origins, status) in [([], "403"), (["https://b"], "101")] {
            var clients = TestClients(origins: origins)
            clients.connectUngreeted("al")
            let request = Self.handshake.replacing("Host: a", with: "Host: a\r\nOrigin: https://b")
            clients.send("al", bytes(request))
            #expect(clients.received("al").first?.hasPrefix("HTTP/1.1 \(status) ") == true)
        }
    }
}
