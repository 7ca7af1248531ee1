import Load
import TestSupport
import Testing

@Suite("MessageFormat")
struct MessageFormatTests {
    private static let payload = "PRICE 0000000002 bench 000000001\n"
    private static let redisMessage = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$33\r\n\(payload)\r\n"

    @Test(
        "a line of the auction is recognized by its beginning",
        arguments: [
            ("OK bid 100", .reply(.accepted)), ("OK", .reply(.accepted)), ("OVER 2", .other),
            ("ERROR too-low minimum=2 x", .reply(.tooLow)),
            ("ERROR leading price=1 x", .reply(.leading)),
            ("ERROR name-taken x", .reply(.nameTaken)), ("ERROR room-taken x", .reply(.nameTaken)),
            ("ERROR line-too-long x", .reply(.refused)), ("ERROR", .reply(.refused)),
            ("PRICE 100 bench-1 00:03.2 1", .delivery), ("PASSED 1 no-bids lot-1", .other),
            ("LOT 1 OK ERROR PRICE 7", .lot), ("LEFT LO", .other), ("COUNTDOWN 7", .other),
            ("WINNER a 1 00:04.3 lot-1", .winner), ("SKIPPED 4", .other), ("", .other),
            ("P", .other),
        ] as [(String, MessageKind)])
    func lines(line: String, kind: MessageKind) {
        #expect(kinds(in: Dialect.auction.replies, [Array("\(line)\n".utf8)]) == [kind])
    }

    private static let streams: [(format: MessageFormat, stream: String, kinds: [MessageKind])] = [
        (
            Dialect.auction.replies,
            "LOT 1 Vase\nOK bid 1\nPRICE 1 bench-1 00:00.1 1\n\nERROR too-low minimum=2 x\nOVER 1\n",
            [.lot, .reply(.accepted), .delivery, .other, .reply(.tooLow), .other]
        ),
        (Dialect.floor.replies, payload + payload, [.reply(.accepted), .reply(.accepted)]),
        (
            Dialect.redis.replies, ":1000\r\n:0\r\n-ERR no\r\n",
            [.reply(.accepted), .reply(.accepted), .reply(.refused)]
        ),
        (
            Dialect.redisScript.replies, ":1\r\n:0\r\n-NOSCRIPT x\r\n",
            [.reply(.accepted), .reply(.tooLow), .reply(.refused)]
        ),
        (
            Dialect.nats.replies, "+OK\r\nPING\r\n-ERR 'x'\r\n",
            [.reply(.accepted), .ping, .reply(.refused)]
        ),
        (
            Dialect.mqtt.replies, "\u{40}\u{2}\0\u{a}\u{40}\u{2}\0\u{2}",
            [.reply(.accepted), .reply(.accepted)]
        ),
        (Dialect.floor.deliveries, payload + payload, [.delivery, .delivery]),
        (Dialect.redis.deliveries, redisMessage + redisMessage, [.delivery, .delivery]),
        (Dialect.redisScript.deliveries, redisMessage, [.delivery]),
        (
            Dialect.nats.deliveries,
            "MSG c 1 33\r\n\(payload)\r\nPING\r\nMSG c 1 33\r\n\(payload)\r\n",
            [.delivery, .ping, .delivery]
        ),
        (Dialect.mqtt.deliveries, "0\u{24}\0\u{1}c\(payload)", [.delivery]),
    ]

    @Test("messages are the same wherever their stream is split", arguments: 0..<UInt64(40))
    func splits(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for (format, stream, expected) in Self.streams {
            let bytes = Array(stream.utf8)
            #expect(kinds(in: format, bytes.split(by: &random)) == expected)
            #expect(kinds(in: format, bytes.map { [$0] }) == expected)
        }
    }

    private static let objects: [(text: String, kind: MessageKind)] = [
        (#"{"type":"hello","content":"auction/1","time":"x"}"#, .other),
        (#"{"seq":1,"type":"lot","content":"Vase","time":"x"}"#, .lot),
        (#"{"seq":1,"snapshot":true,"type":"price","content":"5","time":"x"}"#, .other),
        (#"{"type":"ok","content":"ping","time":"x"}"#, .reply(.accepted)),
        (#"{"seq":12345678,"type":"price","content":"5","amount":5,"time":"x"}"#, .delivery),
        (
            #"{"seq":7,"type":"countdown","content":"\#(String(repeating: "7", count: 200))"}"#,
            .other
        ),
        (#"{"seq":8,"type":"winner","content":"al 5"}"#, .winner),
        (#"{"type":"error","code":"too-low"}"#, .reply(.refused)), ("{}", .other), ("", .other),
    ]

    @Test("a JSON object is recognized by its type, on a line and in a frame", arguments: 0..<10)
    func objects(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (lines, frames) = ([UInt8](), [UInt8]())
        for (text, _) in Self.objects {
            lines += Array("\(text)\n".utf8)
            let length = text.utf8.count
            frames += length < 126 ? [0x81, UInt8(length)] : [0x81, 126, 0, UInt8(length)]
            frames += Array(text.utf8)
        }
        let expected = Self.objects.map(\.kind)
        #expect(kinds(in: Dialect.json.deliveries, lines.split(by: &random)) == expected)
        #expect(kinds(in: Dialect.webSocket.deliveries, frames.split(by: &random)) == expected)
    }

    @Test("a frame that is no text message is invalid")
    func invalidFrames() {
        let text: [UInt8] = [0x81, 2, 0x7B, 0x7D]
        #expect(
            kinds(in: Dialect.webSocket.deliveries, [text + [0x88, 2, 3, 232]])
                == [.other, .invalid])
    }

    @Test("a frame may have a length of eight bytes")
    func longFrame() {
        let text = Array(repeating: UInt8(ascii: "x"), count: 70_000)
        let frame: [UInt8] = [0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70] + text
        #expect(kinds(in: Dialect.webSocket.deliveries, [frame]) == [.other])
    }

    @Test("a message without its end is not there yet")
    func incomplete() {
        let bytes = Array("OK bid 1\nOK bid 2".utf8)
        #expect(Dialect.auction.replies.scan(bytes.span) { _, _ in } == "OK bid 1\n".utf8.count)
    }

    @Test("what begins no frame is invalid, with all that follows it")
    func invalid() {
        let bytes = Array("\(Self.redisMessage)-ERR no\r\n*".utf8)
        #expect(kinds(in: Dialect.redis.deliveries, [bytes]) == [.delivery, .invalid])
    }

    /// The kinds of messages in parts of a stream; the rest of a part stands before the next one.
    private func kinds(in format: MessageFormat, _ parts: [[UInt8]]) -> [MessageKind] {
        var (kinds, rest) = ([MessageKind](), [UInt8]())
        for part in parts {
            rest += part
            rest.removeFirst(format.scan(rest.span) { kind, _ in kinds.append(kind) })
        }
        #expect(rest.isEmpty)
        return kinds
    }
}

extension [UInt8] {
    /// The bytes in parts of at least one, cut anywhere.
    func split(by random: inout SplitMix64) -> [[UInt8]] {
        var (parts, rest) = ([[UInt8]](), self[...])
        let longest = Int.random(in: 1...200, using: &random)
        while !rest.isEmpty {
            let count = Int.random(in: 1...longest, using: &random)
            parts.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return parts
    }
}
