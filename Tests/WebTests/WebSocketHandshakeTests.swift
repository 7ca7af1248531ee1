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

@Suite struct SHA1Tests {
    @Test(
        "the hashes are those of RFC 3174",
        arguments: [
            ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
            (
                "0123456701234567012345670123456701234567012345670123456701234567", 10,
                "dea356a2cddd90c7a7ecedc5ebb563934f460452"
            ),
            ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ])
    func vectors(text: String, count: Int, digest: String) {
        let message = Array(String(repeating: text, count: count).utf8)
        #expect(digits(SHA1.digest(of: message)) == digest)
    }

    @Test(
        "the hashes with a key are those of RFC 2202",
        arguments: [
            (
                Array(repeating: 0x0B, count: 20), "Hi There",
                "b617318655057264e28bc0b6fb378c8ef146be00"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
            ),
            (
                Array(repeating: 0xAA, count: 80),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
        ] as [([UInt8], String, String)])
    func keyed(key: [UInt8], text: String, digest: String) {
        #expect(digits(SHA1.digest(of: Array(text.utf8), key: key)) == digest)
    }

    private func digits(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
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
