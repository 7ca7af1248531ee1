import Testing
import Web

@Suite struct WebSocketHandshakeTests {
    private static let required = [
        "Host: auction.example:7777", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    private func answer(
        _ fields: [String], line: String = "GET /ws HTTP/1.1",
        allowing origins: [String] = []
    ) throws -> Result<String, HTTPError> {
        let request = try request([line] + fields)
        return WebSocketHandshake.response(to: request, allowing: origins).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func status(_ answer: Result<String, HTTPError>) -> Int {
        switch answer {
        case .success: 101
        case .failure(let error): error.response.status.rawValue
        }
    }

    @Test("the sample key of RFC 6455 gets its sample answer")
    func sample() throws {
        let answer = try answer(Self.required).get()
        let lines = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "", "",
        ]
        #expect(answer == lines.joined(separator: "\r\n"))
    }

    @Test(
        "the subprotocol is agreed on if it is offered",
        arguments: [("auction.1", true), ("chat, auction.1", true), ("chat", false)])
    func subprotocol(offered: String, isAgreed: Bool) throws {
        let answer = try answer(Self.required + ["Sec-WebSocket-Protocol: \(offered)"]).get()
        #expect(answer.contains("\r\nSec-WebSocket-Protocol: auction.1\r\n") == isAgreed)
    }

    /// A field with another value, or the name of one that is missing.
    private static let changed: [(field: String, status: Int)] = [
        ("Upgrade", 400), ("Connection", 400), ("Sec-WebSocket-Version", 426),
        ("Sec-WebSocket-Key", 400), ("Upgrade: h2c, WebSocket", 101),
        ("Connection: upgrade", 101),
        ("Upgrade: h2c", 400),
        ("Connection: close", 400),
        ("Sec-WebSocket-Version: 8", 426),
        ("Sec-WebSocket-Version: 13, 8", 426),
        ("Sec-WebSocket-Key: short==", 400),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=A", 400),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZ!==", 400),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==", 400),
    ]

    @Test("each field must be there and right", arguments: changed)
    func requires(field: String, status: Int) throws {
        let name = field.prefix { $0 != ":" }
        let others = Self.required.filter { !$0.hasPrefix(name + ":") }
        let fields = others + (field == name ? [] : [field])
        #expect(self.status(try answer(fields)) == status)
    }

    @Test(
        "only GET of HTTP/1.1 upgrades", arguments: ["HEAD /ws HTTP/1.1", "GET /ws HTTP/1.0"])
    func requestLine(line: String) throws {
        #expect(status(try answer(Self.required, line: line)) == 400)
    }

    @Test("a client of another version is sent the version to use")
    func version() throws {
        let fields = Self.required.filter { !$0.hasPrefix("Sec-WebSocket-Version") }
        guard case .failure(let error) = try answer(fields) else {
            Issue.record("the handshake succeeded")
            return
        }
        #expect(error.response.fields.contains(HTTPField("Sec-WebSocket-Version", "13")))
    }

    private static let origins: [(host: String, origin: String, allowed: [String], status: Int)] = [
        ("auction.example:7777", "http://auction.example:7777", [], 101),
        ("Auction.Example:7777", "HTTP://AUCTION.example:7777", [], 101),
        ("auction.example", "http://auction.example", [], 101),
        ("auction.example:80", "http://auction.example", [], 101),
        ("auction.example", "http://auction.example:80", [], 101),
        ("auction.example", "https://auction.example:443", [], 101),
        ("[::1]:7777", "http://[::1]:7777", [], 101),
        ("auction.example:7777", "http://auction.example", [], 403),
        ("auction.example:443", "http://auction.example", [], 403),
        ("auction.example:7777", "http://evil.example:7777", [], 403),
        ("auction.example", "http://auction.example.evil", [], 403),
        ("auction.example", "http://auction.example@evil", [], 403),
        ("auction.example", "null", [], 403),
        ("auction.example", "file://auction.example", [], 403),
        ("auction.example", "", [], 403),
        ("", "http://", [], 403),
        ("auction.example", "https://play.example", ["https://play.example"], 101),
        ("auction.example", "https://play.example", ["HTTPS://play.example:443"], 101),
        ("auction.example", "http://play.example", ["https://play.example"], 403),
        ("auction.example", "null", ["null"], 403),
    ]

    @Test("only pages of the own host and of allowed origins may connect", arguments: origins)
    func origin(host: String, origin: String, allowed: [String], status: Int) throws {
        let fields = ["Host: \(host)", "Origin: \(origin)"] + Self.required.dropFirst()
        #expect(self.status(try answer(fields, allowing: allowed)) == status)
    }
}

@Suite struct Base64Tests {
    @Test(
        "the texts are those of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(bytes: String, text: String) {
        #expect(Base64.text(Array(bytes.utf8)) == text)
    }
}
