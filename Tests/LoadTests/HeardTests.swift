import Load
import TestSupport
import Testing

@Suite("DeliveryReader")
struct HeardTests {
    private static let payload = "PRICE 0000000002 bench 000000001\n"
    private static let streams: [(dialect: Dialect, frame: String, pause: String)] = [
        (.floor, payload, ""),
        (.redis, "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$33\r\n\(payload)\r\n", ""),
        (.redisScript, "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$33\r\n\(payload)\r\n", ""),
        (.nats, "MSG c 1 33\r\n\(payload)\r\n", "PING\r\n"),
        (.mqtt, "0\u{24}\0\u{1}c\(payload)", ""),
    ]

    @Test("frames are counted however their stream is split", arguments: 0..<UInt64(40))
    func frames(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for (dialect, frame, pause) in Self.streams {
            let stream = String(repeating: frame, count: 7) + pause + frame + frame
            let heard = read(stream, speaking: dialect, splitBy: &random)
            #expect(heard.deliveries == 9, "\(dialect.name)")
            #expect(heard.pings == (pause.isEmpty ? 0 : 1))
            #expect(!heard.isGarbled)
        }
    }

    @Test("prices are counted by their numbers, and lines beside them", arguments: 0..<UInt64(40))
    func prices(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let stream = "JOINED x\n" + news(40...60) + "COUNTDOWN 7\nLEFT x\n"
        let heard = read(stream, speaking: .auction, splitBy: &random)
        #expect(heard.deliveries == 21)
        #expect(heard.lines == 21 + 4)
    }

    @Test(
        "an observer that was skipped has heard another number of lines", arguments: 0..<UInt64(20))
    func skipped(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let snapshot = "SKIPPED 9\nLOT 1 Vase\nPRICE 19 a 00:01.0 19\nCOUNTDOWN 7\n"
        let stream = news(1...9) + snapshot + news(20...30)
        let heard = read(stream, speaking: .auction, splitBy: &random)
        #expect(heard.deliveries == 30)
        let whole = read(news(1...30), speaking: .auction, splitBy: &random)
        #expect(heard.lines != whole.lines)
    }

    @Test("nothing is counted before the first price")
    func noPrice() {
        var random = SplitMix64(seed: 1)
        let heard = read(
            "LOT 3 Vase\nCOUNTDOWN 7\nPASSED 3 no-bids Vase\n", speaking: .auction, splitBy: &random
        )
        #expect(heard == Heard())
    }

    @Test("what begins no frame is no delivery")
    func garbled() {
        var random = SplitMix64(seed: 1)
        #expect(read("-ERR no\r\n", speaking: .redis, splitBy: &random).isGarbled)
    }

    /// A price each, and a second passes after every fifth.
    private func news(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { number in
            "PRICE \(number * 3) bench-1 00:01.0 \(number)\n"
                + (number % 5 == 4 ? "COUNTDOWN 6\n" : "")
        }.joined()
    }

    /// Counts a stream in parts; what is not whole stands before the next part.
    private func read(
        _ stream: String, speaking dialect: Dialect, splitBy random: inout SplitMix64
    ) -> Heard {
        var (heard, rest) = (Heard(), [UInt8]())
        for part in Array(stream.utf8).split(by: &random) {
            rest += part
            rest.removeFirst(dialect.deliveries.count(rest.span, in: &heard))
        }
        #expect(rest.isEmpty)
        return heard
    }
}
