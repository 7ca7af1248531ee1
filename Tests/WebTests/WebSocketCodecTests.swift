import TestSupport
import Testing
import Web

@Suite struct WebSocketCodecTests {
    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static let messages: [(frames: [ClientFrame], texts: [String])] = [
        ([ClientFrame(text: "bid 120")], ["bid 120"]),
        ([ClientFrame(text: "")], [""]),
        ([ClientFrame(text: "bid 1\n")], ["bid 1"]),
        ([ClientFrame(text: "bid 1\r\n")], ["bid 1"]),
        ([ClientFrame(text: "bid 1\n\n")], ["bid 1\n"]),
        ([ClientFrame(text: "bid 1\r")], ["bid 1\r"]),
        ([ClientFrame(text: "\n")], [""]),
        ([ClientFrame(text: "\r\n")], [""]),
        (
            [ClientFrame(text: "a"), ClientFrame(text: "é"), ClientFrame(text: "🔨")],
            ["a", "é", "🔨"]
        ),
        ([ClientFrame(text: text(125))], [text(125)]),
        ([ClientFrame(text: text(126))], [text(126)]),
        ([ClientFrame(text: text(1024))], [text(1024)]),
        ([ClientFrame(0x01, [0x62]), ClientFrame(0x80, [0x69])], ["bi"]),
        ([ClientFrame(0x01), ClientFrame(0x00), ClientFrame(0x80)], [""]),
        // A scalar of four bytes over four frames.
        (
            [
                ClientFrame(0x01, [0xF0]), ClientFrame(0x00, [0x9F]), ClientFrame(0x00, [0x94]),
                ClientFrame(0x80, [0xA8]),
            ], ["🔨"]
        ),
    ]

    @Test("messages are unmasked and joined, however they arrive", arguments: messages)
    func reads(frames: [ClientFrame], texts: [String]) {
        expect(frames, texts.map { .message($0) })
    }

    @Test(
        "any key unmasks",
        arguments: [[0, 0, 0, 0], [255, 1, 128, 0], [1, 2, 3, 4]] as [[UInt8]])
    func keys(key: [UInt8]) {
        var frame = ClientFrame(text: "bid 1234567")
        frame.mask = key
        expect([frame, frame], [.message("bid 1234567"), .message("bid 1234567")])
    }

    @Test("the sample frames of RFC 6455 are read")
    func samples() {
        let hello: [UInt8] = [
            0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
        ]
        let ping: [UInt8] = [0x89, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(events(of: hello, by: { 1 }) == [.message("Hello")])
        let pong: [UInt8] = [0x8A, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
        #expect(events(of: ping, by: { 1 }) == [.answer(pong)])
    }

    @Test("pings are answered between the fragments of a message")
    func pingBetweenFragments() {
        let ping = ClientFrame(0x89, Array("still here".utf8))
        let pong = [0x8A, 10] + Array("still here".utf8)
        expect(
            [
                ping, ClientFrame(0x01, [0x61]), ping, ClientFrame(0x00, [0x62]), ping,
                ClientFrame(0x80, [0x63]), ClientFrame(0x89),
            ],
            [.answer(pong), .answer(pong), .answer(pong), .message("abc"), .answer([0x8A, 0])])
        let long = ClientFrame(0x89, [UInt8](repeating: 255, count: 125))
        expect([long], [.answer([0x8A, 125] + [UInt8](repeating: 255, count: 125))])
    }

    @Test("a message between the limit and 64 KiB is skipped, and the next one is read")
    func tooLong() {
        expect(
            [ClientFrame(text: Self.text(1025)), ClientFrame(text: "a")],
            [.tooLong, .message("a")])
        expect(
            [ClientFrame(text: Self.text(65536)), ClientFrame(text: "a")],
            [.tooLong] + Array(repeating: .filler, count: 63) + [.message("a")])
        expect(
            [
                ClientFrame(0x01, Array(Self.text(1024).utf8)), ClientFrame(0x89),
                ClientFrame(0x80, [0x78]), ClientFrame(text: "a"),
            ],
            [.answer([0x8A, 0]), .tooLong, .message("a")])
    }

    @Test("with the highest limit a message of 64 KiB is read, and a longer one is refused")
    func highestLimit() {
        let longest = ClientFrame(text: Self.text(65536)).bytes
        #expect(events(of: longest, limit: 65536, by: { 999 }) == [.message(Self.text(65536))])
        let longer = ClientFrame(text: Self.text(65537)).bytes
        let end = SeenEvent.end(WebSocketFrame.closing(code: 1009))
        #expect(events(of: longer, limit: 65536, by: { 999 }) == [end])
    }

    @Test("a message is reported as too long before its payload arrives")
    func tooLongAtOnce() {
        let header = Array(ClientFrame(text: Self.text(1025)).bytes.prefix(4))
        #expect(events(of: header, by: { 1 }) == [.tooLong])
    }

    private static let fillers: [(frames: [ClientFrame], count: Int)] = [
        ([ClientFrame(0x8A)], 1),
        ([ClientFrame(0x8A, [1, 2, 3])], 1),
        // An empty fragment has six bytes.
        ([ClientFrame(0x01)] + [ClientFrame](repeating: ClientFrame(0x00), count: 171), 0),
        ([ClientFrame(0x01)] + [ClientFrame](repeating: ClientFrame(0x00), count: 172), 1),
        ([ClientFrame(0x01)] + [ClientFrame](repeating: ClientFrame(0x00), count: 1023), 5),
    ]

    @Test("bytes without messages are reported once per length of a frame", arguments: fillers)
    func countsBytes(frames: [ClientFrame], count: Int) {
        expect(frames, Array(repeating: .filler, count: count))
    }

    @Test("the codec stops before each event that is not wanted")
    func isWanted() {
        let stream = ClientFrame(text: "a").bytes + ClientFrame(text: "b").bytes
        var codec = WebSocketCodec(limit: 1024)
        var seen: [SeenEvent] = []
        let used = codec.receive(stream.span, while: { seen.isEmpty }) {
            seen.append(SeenEvent($0))
        }
        #expect(used == stream.count / 2)
        #expect(seen == [.message("a")])
    }

    @Test("a message is unfinished from the first byte of its first frame to the end of its last")
    func isUnfinished() {
        var codec = WebSocketCodec(limit: 1024)
        let stream = [ClientFrame(0x01, [0x61]), ClientFrame(0x89), ClientFrame(0x80, [0x62])]
            .flatMap(\.bytes)
        for (index, byte) in stream.enumerated() {
            _ = codec.receive([byte].span, while: { true }) { _ in }
            #expect(codec.isUnfinished == (index < stream.count - 1))
            #expect(codec.messageCount == (index < stream.count - 1 ? 0 : 1))
        }
        _ = codec.receive([0x88].span, while: { true }) { _ in }
        #expect(codec.isUnfinished)
    }

    @Test("a skipped message is counted at its end")
    func skipping() {
        var codec = WebSocketCodec(limit: 1024)
        let stream = ClientFrame(text: Self.text(2000)).bytes
        _ = codec.receive(stream.span.extracting(droppingLast: 1), while: { true }) { _ in }
        #expect(codec.isSkippingMessage)
        #expect(codec.messageCount == 0)
        _ = codec.receive(stream.span.extracting(last: 1), while: { true }) { _ in }
        #expect(!codec.isSkippingMessage)
        #expect(codec.messageCount == 1)
    }

    @Test("the codec of an idle connection is as small as that of lines")
    func size() {
        #expect(MemoryLayout<WebSocketCodec>.size <= 40)
    }
}

@Suite struct WebSocketFrameTests {
    @Test(
        "the header has the shortest length",
        arguments: [
            (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
            (65535, [0x81, 126, 255, 255]), (65536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func header(count: Int, header: [UInt8]) {
        let payload = [UInt8](repeating: 0x78, count: count)
        var bytes: [UInt8] = [1]
        WebSocketFrame.appendText(payload, to: &bytes)
        #expect(bytes == [1] + header + payload)
    }

    @Test("a close frame has a code and a reason")
    func closing() {
        #expect(WebSocketFrame.closing(code: 1001) == [0x88, 2, 3, 0xE9])
        #expect(WebSocketFrame.closing(code: 1000, reason: "ok") == [0x88, 4, 3, 0xE8, 0x6F, 0x6B])
    }
}
