import TestSupport
import Testing
import Web

@Suite struct WebSocketCodecTests {
    /// An event of a codec.
    private enum Seen: Equatable {
        case message(String)
        case tooLong
        case answer([UInt8])
        case filler
        case end([UInt8])
    }

    /// What a codec finds in a stream that comes in pieces of the sizes that `size` returns.
    private func events(
        of stream: [UInt8], limit: Int = 1024, by size: () -> Int
    ) -> [Seen] {
        var codec = WebSocketCodec(limit: limit)
        var seen: [Seen] = []
        var index = 0
        while index < stream.count {
            let end = min(index + size(), stream.count)
            let used = codec.receive(stream.span.extracting(index..<end), while: { true }) {
                seen.append(Self.seen($0))
            }
            #expect(used == end - index)
            index = end
        }
        return seen
    }

    private static func seen(_ event: borrowing WebSocketCodec.Event) -> Seen {
        switch event {
        case .message(let text):
            .message(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        case .tooLong: .tooLong
        case .control(let answer): .answer(answer)
        case .filler: .filler
        case .end(let closing): .end(closing)
        }
    }

    private func expect(_ frames: [ClientFrame], _ expected: [Seen]) {
        let stream = frames.flatMap(\.bytes)
        for size in [1, 2, 3, 100, 1_000_000] {
            #expect(events(of: stream, by: { size }) == expected, "by \(size)")
        }
        var chance = SplitMix64(seed: UInt64(stream.count))
        let inPieces = events(of: stream) { Int.random(in: 1...20, using: &chance) }
        #expect(inPieces == expected, "in random pieces")
    }

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
        let end = Seen.end(WebSocketFrame.closing(code: 1009))
        #expect(events(of: longer, limit: 65536, by: { 999 }) == [end])
    }

    @Test("a message is reported as too long before its payload arrives")
    func tooLongAtOnce() {
        let header = Array(ClientFrame(text: Self.text(1025)).bytes.prefix(4))
        #expect(events(of: header, by: { 1 }) == [.tooLong])
    }

    private static func unmasked(_ frame: ClientFrame) -> ClientFrame {
        var frame = frame
        frame.mask = nil
        return frame
    }

    private static func frame(
        _ first: UInt8, _ count: Int, as form: ClientFrame.LengthForm
    ) -> ClientFrame {
        var frame = ClientFrame(first, [UInt8](repeating: 0x78, count: count))
        frame.lengthForm = form
        return frame
    }

    private static func claiming(_ length: UInt64) -> ClientFrame {
        var frame = ClientFrame(0x81)
        frame.lengthForm = .sixtyFourBits
        frame.claimedLength = length
        return frame
    }

    private static let start = ClientFrame(0x01, [0x61])
    private static let full = ClientFrame(0x01, [UInt8](repeating: 0x78, count: 65536))

    private static let faults: [(frames: [ClientFrame], code: UInt16)] = [
        // The mask, the reserved bits and the opcodes.
        ([unmasked(ClientFrame(text: "a"))], 1002),
        ([unmasked(ClientFrame(0x89))], 1002),
        ([ClientFrame(0xC1, [0x61])], 1002),
        ([ClientFrame(0xA1, [0x61])], 1002),
        ([ClientFrame(0x91, [0x61])], 1002),
        ([ClientFrame(0x83)], 1002), ([ClientFrame(0x84)], 1002), ([ClientFrame(0x85)], 1002),
        ([ClientFrame(0x86)], 1002), ([ClientFrame(0x87)], 1002), ([ClientFrame(0x8B)], 1002),
        ([ClientFrame(0x8C)], 1002), ([ClientFrame(0x8D)], 1002), ([ClientFrame(0x8E)], 1002),
        ([ClientFrame(0x8F)], 1002),
        // Control frames.
        ([frame(0x89, 126, as: .shortest)], 1002),
        ([frame(0x88, 126, as: .shortest)], 1002),
        ([frame(0x8A, 70_000, as: .shortest)], 1002),
        ([frame(0x89, 5, as: .sixteenBits)], 1002),
        ([ClientFrame(0x09)], 1002), ([ClientFrame(0x08)], 1002), ([ClientFrame(0x0A)], 1002),
        // Fragments.
        ([ClientFrame(0x80, [0x61])], 1002),
        ([ClientFrame(0x00, [0x61])], 1002),
        ([start, ClientFrame(text: "a")], 1002),
        ([start, ClientFrame(0x82, [0x61])], 1002),
        ([start, ClientFrame(0x89), ClientFrame(text: "a")], 1002),
        // Lengths.
        ([frame(0x81, 125, as: .sixteenBits)], 1002),
        ([frame(0x81, 0, as: .sixteenBits)], 1002),
        ([frame(0x81, 125, as: .sixtyFourBits)], 1002),
        ([frame(0x81, 65535, as: .sixtyFourBits)], 1002),
        ([claiming(1 << 63)], 1002),
        ([claiming(.max)], 1002),
        ([claiming(.max >> 1)], 1009),
        ([claiming(65537)], 1009),
        ([claiming(1 << 32)], 1009),
        ([claiming(1 << 32 | 1)], 1009),
        ([claiming(1 << 56)], 1009),
        // Binary messages.
        ([ClientFrame(0x82, [0x61])], 1003),
        ([ClientFrame(0x02, [0x61])], 1003),
        // Text that is not UTF-8: out of range, surrogates, too long forms, cut.
        ([ClientFrame(0x81, [0xFF])], 1007),
        ([ClientFrame(0x81, [0x80])], 1007),
        ([ClientFrame(0x81, [0xC0, 0x80])], 1007),
        ([ClientFrame(0x81, [0xC1, 0xBF])], 1007),
        ([ClientFrame(0x81, [0xE0, 0x80, 0x80])], 1007),
        ([ClientFrame(0x81, [0xED, 0xA0, 0x80])], 1007),
        ([ClientFrame(0x81, [0xF0, 0x8F, 0xBF, 0xBF])], 1007),
        ([ClientFrame(0x81, [0xF4, 0x90, 0x80, 0x80])], 1007),
        ([ClientFrame(0x81, [0xF5, 0x80, 0x80, 0x80])], 1007),
        ([ClientFrame(0x81, [0xC3])], 1007),
        ([ClientFrame(0x81, [0xF0, 0x9F, 0x94])], 1007),
        ([ClientFrame(0x01, [0xC3]), ClientFrame(0x80)], 1007),
        ([ClientFrame(0x01, [0xC3]), ClientFrame(0x80, [0x28])], 1007),
        // Close frames.
        ([ClientFrame(0x88, [0x03])], 1002),
        ([ClientFrame(0x88, [0x03, 0xE8, 0xC3])], 1007),
        ([ClientFrame(0x88, [0x03, 0xE8, 0xED, 0xA0, 0x80])], 1007),
    ]

    @Test("a client that breaks a rule gets the close code for it", arguments: faults)
    func closes(frames: [ClientFrame], code: UInt16) {
        let stream = (frames + [ClientFrame(text: "after")]).flatMap(\.bytes)
        for size in [1, 2, 5, 1_000_000] {
            let seen = events(of: stream, by: { size }).filter { $0 != .answer([0x8A, 0]) }
            #expect(seen == [.end(WebSocketFrame.closing(code: code))], "by \(size)")
        }
    }

    @Test("the fragments of a message of more than 64 KiB are refused by the header that adds up")
    func tooManyFragments() {
        let stream = Self.full.bytes + ClientFrame(0x00, [0x78]).bytes.prefix(2)
        #expect(events(of: stream, by: { 999 }).last == .end(WebSocketFrame.closing(code: 1009)))
    }

    @Test("text that is not UTF-8 is refused at its first wrong byte, also in a skipped message")
    func earlyFailure() {
        let end = Seen.end(WebSocketFrame.closing(code: 1007))
        let short = ClientFrame(0x81, [0x61, 0xED, 0xA0, 0x80, 0x61]).bytes
        #expect(events(of: Array(short.prefix(8)), by: { 1 }) == [])
        #expect(events(of: Array(short.prefix(9)), by: { 1 }) == [end])
        let long = ClientFrame(0x81, [0xFF] + [UInt8](repeating: 0x78, count: 2000)).bytes
        #expect(events(of: Array(long.prefix(9)), by: { 1 }) == [.tooLong, end])
    }

    @Test(
        "the code of a close frame is echoed if a client may send it",
        arguments: [
            (0, 1002), (999, 1002), (1000, 1000), (1001, 1001), (1003, 1003), (1004, 1002),
            (1005, 1002), (1006, 1002), (1007, 1007), (1011, 1011), (1014, 1014), (1015, 1002),
            (1016, 1002), (2999, 1002), (3000, 3000), (4999, 4999), (5000, 1002), (65535, 1002),
        ] as [(UInt16, UInt16)])
    func closeCodes(sent: UInt16, echoed: UInt16) {
        let payload = [UInt8(sent >> 8), UInt8(sent & 0xFF)]
        let end = Seen.end([0x88, 2, UInt8(echoed >> 8), UInt8(echoed & 0xFF)])
        expect([ClientFrame(0x88, payload)], [end])
        expect([ClientFrame(0x88, payload + Array("až".utf8)), ClientFrame(text: "after")], [end])
    }

    @Test("a close frame without a code is answered with one without a code")
    func closeWithoutCode() {
        expect([ClientFrame(0x01, [0x61]), ClientFrame(0x88)], [.end([0x88, 0])])
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
        var seen: [Seen] = []
        let used = codec.receive(stream.span, while: { seen.isEmpty }) {
            seen.append(Self.seen($0))
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
        WebSocketFrame.appendText(payload.span, to: &bytes)
        WebSocketFrame.appendText(payload[...], to: &bytes)
        #expect(bytes == [1] + header + payload + header + payload + header + payload)
    }

    @Test("a close frame has a code and a reason")
    func closing() {
        #expect(WebSocketFrame.closing(code: 1001) == [0x88, 2, 3, 0xE9])
        #expect(WebSocketFrame.closing(code: 1000, reason: "ok") == [0x88, 4, 3, 0xE8, 0x6F, 0x6B])
    }
}
