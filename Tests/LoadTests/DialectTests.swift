import Load
import Testing

@Suite("Dialect")
struct DialectTests {
    /// A payload of the others, with its LF.
    private static let payload = "PRICE 0000000002 bench 000000001\n"

    @Test(
        "a bid of 2 in each dialect",
        arguments: [
            ("auction", "bid 2\n"),
            ("json", "bid 2\n"),
            ("websocket", "bid 2\n"),
            ("floor", payload),
            ("redis", "*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$33\r\n\(payload)\r\n"),
            ("nats", "PUB c 33\r\n\(payload)\r\n"),
            ("mqtt", "2\u{26}\0\u{1}c\0\u{2}\(payload)"),
        ])
    func bid(name: String, message: String) throws {
        let dialect = try #require(Dialect.all.first { $0.name == name })
        #expect(String(decoding: bidOfTwo(of: dialect), as: UTF8.self) == message)
    }

    @Test("a bid for the script is a command of eight words, its amount padded")
    func script() {
        let words = String(decoding: bidOfTwo(of: .redisScript), as: UTF8.self)
            .split(separator: "\r\n")
        #expect(words.first == "*8")
        #expect(
            words.dropFirst(5).filter { $0.first != "$" } == [
                "3", "price", "leader", "count", "0000000002", "bench",
            ])
        for (length, word) in zip(words.dropFirst(1), words.dropFirst(2)) where length.first == "$"
        {
            #expect(length == "$\(word.utf8.count)")
        }
    }

    @Test("payloads are as long as a usual price line")
    func length() {
        #expect(Self.payload.utf8.count == "PRICE 1000000 bench-1 00:01.2 16\n".utf8.count)
    }

    @Test("identifiers of packets skip 0")
    func packets() {
        let identifiers = ([65_535, 65_536, 65_537] as [Int64]).map { amount in
            var bytes: [UInt8] = []
            Dialect.mqtt.bid.append(amount, to: &bytes)
            return Int(bytes[5]) << 8 | Int(bytes[6])
        }
        #expect(identifiers == [65_535, 1, 2])
    }

    @Test(
        "a handshake is complete at the last byte of its reply",
        arguments: [
            ("auction", "HELLO auction/1 seconds=7\nLOT 1 Vase\nOK ping\n"),
            (
                "json",
                "HELLO auction/1 seconds=7\nLOT 1 Vase\nOK format json\n"
                    + #"{"type":"ok","content":"ping","time":"2026-11-22T10:00:00.000Z"}"# + "\n"
            ),
            ("floor", "HELLO every line is sent to all\n"),
            ("redis", "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n"),
            ("redis-script", "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n"),
            ("nats", "INFO {\"server_id\":\"x\"} \r\nPONG\r\n"),
            ("mqtt", "\u{20}\u{2}\0\0\u{10}\u{3}\0\u{1}\0"),
        ])
    func handshake(name: String, reply: String) throws {
        let dialect = try #require(Dialect.all.first { $0.name == name })
        var bytes = Array(reply.utf8)
        if name == "mqtt" { bytes[4] = 0x90 }
        for length in 0..<bytes.count {
            #expect(dialect.observer.end(in: bytes.span.extracting(first: length)) == nil)
        }
        let more = bytes + Array("more".utf8)
        #expect(dialect.observer.end(in: more.span) == bytes.count)
    }

    @Test("a WebSocket observer upgrades, and then sends a ping in a masked frame")
    func webSocket() throws {
        let opening = Dialect.webSocket.observer
        let head = String(decoding: opening.request, as: UTF8.self)
        #expect(head.hasPrefix("GET /ws HTTP/1.1\r\n") && head.hasSuffix("\r\n\r\n"))
        let switching =
            "HTTP/1.1 101 Switching Protocols\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
        let greeting: [UInt8] = Array(switching.utf8) + [0x81, 2] + Array("{}".utf8)
        #expect(opening.end(in: greeting.span) == switching.utf8.count)
        let ping = try #require(opening.next)
        #expect(ping.next == nil)
        #expect(Array(ping.request.prefix(2)) == [0x81, 0x84])
        #expect(Array(ping.request.suffix(4)) == Array("ping".utf8))
        let pong = #"{"type":"ok","content":"ping","time":"2026-11-22T10:00:00.000Z"}"#
        let frames: [UInt8] = [0x81, 2] + Array("{}".utf8) + [0x81, 64] + Array(pong.utf8)
        #expect(ping.end(in: frames.span.extracting(first: frames.count - 1)) == nil)
        #expect(ping.end(in: (frames + [0x81]).span) == frames.count)
    }

    private func bidOfTwo(of dialect: Dialect) -> [UInt8] {
        var bytes: [UInt8] = []
        dialect.bid.append(2, to: &bytes)
        return bytes
    }
}
