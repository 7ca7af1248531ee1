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

    @Test("prices are counted by their numbers, and bytes beside them", arguments: 0..<UInt64(40))
    func prices(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let stream = "JOINED x\n" + news(40...60) + "COUNTDOWN 7\nLEFT x\n"
        let heard = read(stream, speaking: .auction, splitBy: &random)
        #expect(heard.deliveries == 21)
        #expect(heard.bytes == news(40...60).utf8.count)
    }

    @Test(
        "an observer that was skipped has heard another number of bytes", arguments: 0..<UInt64(20))
    func skipped(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let snapshot = "SKIPPED 9\nLOT 1 Vase\nPRICE 19 a 00:01.0 19\nCOUNTDOWN 7\n"
        let stream = news(1...9) + snapshot + news(20...30)
        let heard = read(stream, speaking: .auction, splitBy: &random)
        #expect(heard.deliveries == 30)
        let whole = read(news(1...30), speaking: .auction, splitBy: &random)
        #expect(heard.bytes != whole.bytes)
    }

    @Test(
        "what is lost is found by what the bidder was told",
        arguments: [
            (1...30, 1...30, 0), (1...30, 1...27, 3), (1...27, 1...30, 3), (1...27, 1...27, 3),
            (1...25, 1...28, 5),
        ])
    func lost(observed: ClosedRange<Int>, bidder: ClosedRange<Int>, count: Int) {
        var random = SplitMix64(seed: 1)
        let heard = read(news(observed), speaking: .auction, splitBy: &random)
        #expect(heard.lost(of: 30, toldToBidder: told(news(bidder))) == count)
    }

    @Test("a price that nobody was told is lost, though the last number is there")
    func gap() {
        var random = SplitMix64(seed: 1)
        let stream = news(1...9) + news(13...30)
        let heard = read(stream, speaking: .auction, splitBy: &random)
        #expect(heard.deliveries == 30)
        #expect(heard.lost(of: 30, toldToBidder: told(stream)) == 3)
    }

    @Test("who heard other lines than the bidder, but as many, lacks one")
    func otherLines() {
        var random = SplitMix64(seed: 1)
        let heard = read(
            news(1...9) + news(9...9) + news(11...30), speaking: .auction, splitBy: &random)
        #expect(heard.lost(of: 30, toldToBidder: told(news(1...30))) == 1)
    }

    @Test("where the bidder is told no prices, deliveries count alone")
    func untold() {
        var random = SplitMix64(seed: 1)
        let heard = read(
            String(repeating: Self.payload, count: 3), speaking: .floor, splitBy: &random)
        #expect(heard.lost(of: 5, toldToBidder: nil) == 2)
        #expect(heard.lost(of: 3, toldToBidder: nil) == 0)
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

    /// The prices of a stream as the bidder counts them.
    private func told(_ stream: String) -> PriceNews? {
        var skimmer = AnswerSkimmer()
        skimmer.receive(Array(stream.utf8).span) { _ in }
        return skimmer.news
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
