import Load
import TestSupport
import Testing

@Suite("Deliveries")
struct DeliveriesTests {
    @Test("prices are counted wherever their stream is split", arguments: 0..<UInt64(40))
    func counting(seed: UInt64) {
        let stream = "JOINED x\n" + prices(40...60) + "COUNTDOWN 7\nLEFT x\n"
        #expect(observed(stream, seed: seed).count == 21)
        #expect(told(stream).count == 21)
        #expect(observed(stream, seed: seed).lost(of: 21, comparedWith: told(stream)) == 0)
    }

    @Test("nothing counts before the first price")
    func noPrice() {
        let stream = "LOT 3 Vase\nCOUNTDOWN 7\nPASSED 3 no-bids Vase\n"
        #expect(observed(stream, seed: 1) == Deliveries())
    }

    @Test("the news between the prices counts for the bidder too, without its replies")
    func replies() {
        let news = "JOINED a\n" + prices(1...9)
        let bidder = told("LEFT b\nOK bid 3\n\(news)OK bid 6\nCOUNTDOWN 6\n")
        #expect(observed(news, seed: 1).lost(of: 9, comparedWith: bidder) == 0)
    }

    @Test(
        "each bid that an observer or the bidder did not receive is lost",
        arguments: [
            (1...30, 1...30, 0), (1...30, 1...27, 3), (1...27, 1...30, 3), (1...27, 1...27, 3),
            (1...25, 1...28, 5),
        ])
    func lost(observer: ClosedRange<Int>, bidder: ClosedRange<Int>, count: Int) {
        let received = observed(prices(observer), seed: 1)
        #expect(received.lost(of: 30, comparedWith: told(prices(bidder))) == count)
    }

    @Test("a price that nobody received is lost, although the last number is there")
    func gap() {
        let stream = prices(1...9) + prices(13...30)
        #expect(observed(stream, seed: 1).lost(of: 30, comparedWith: told(stream)) == 3)
    }

    @Test("an observer that received other lines than the bidder, but as many, lacks one")
    func different() {
        let stream = prices(1...9) + prices(9...9) + prices(11...30)
        #expect(observed(stream, seed: 1).lost(of: 30, comparedWith: told(prices(1...30))) == 1)
    }

    @Test("a snapshot in place of prices is a loss, though it has the newest")
    func skipped() {
        let snapshot = "SKIPPED 9\nLOT 1 Vase\nPRICE 57 bench-1 00:01.0 19\nCOUNTDOWN 7\n"
        let stream = prices(1...9) + snapshot + prices(20...30)
        #expect(observed(stream, seed: 1).lost(of: 30, comparedWith: told(prices(1...30))) == 1)
    }

    @Test("if the bidder receives no broadcasts, only the number of deliveries counts")
    func untold() {
        let received = observed(prices(1...3), seed: 1)
        #expect(received.lost(of: 5, comparedWith: nil) == 2)
        #expect(received.lost(of: 3, comparedWith: nil) == 0)
    }

    /// A price each, and a second passes after every fifth.
    private func prices(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { number in
            "PRICE \(number * 3) bench-1 00:01.0 \(number)\n"
                + (number % 5 == 4 ? "COUNTDOWN 6\n" : "")
        }.joined()
    }

    /// What the bidder received, which looks at each line.
    private func told(_ stream: String) -> Deliveries {
        var deliveries = Deliveries()
        let bytes = Array(stream.utf8)
        _ = Dialect.auction.replies.scan(bytes.span) { deliveries.receive($0, $1) }
        return deliveries
    }

    /// What an observer received, in parts of any length.
    private func observed(_ stream: String, seed: UInt64) -> Deliveries {
        var (deliveries, rest, random) = (Deliveries(), [UInt8](), SplitMix64(seed: seed))
        for part in Array(stream.utf8).split(by: &random) {
            rest += part
            rest.removeFirst(deliveries.receiveLines(rest.span))
        }
        #expect(rest.isEmpty)
        return deliveries
    }
}

@Suite("DeliveryTimes")
struct DeliveryTimesTests {
    @Test("each delivery counts from when its bid was sent")
    func latency() {
        var times = DeliveryTimes(observers: 2)
        times.send(3, at: 100)
        times.send(1, at: 110)
        times.receive(4, by: 0, at: 120)
        times.receive(2, by: 1, at: 115)
        times.receive(4, by: 1, at: 130)
        #expect(times.deliveries == 8)
        #expect(times.latency.count == 8)
        #expect(times.latency.maximum == 30)
        #expect(times.latency.percentile(12.5) == 10)
        #expect(times.latency.percentile(50) == 20)
    }

    @Test("the spread is from the first observer that has all of a batch to the last")
    func spread() {
        var times = DeliveryTimes(observers: 3)
        times.send(2, at: 0)
        times.send(2, at: 1)
        times.receive(1, by: 2, at: 3)
        times.receive(2, by: 0, at: 5)
        times.receive(4, by: 1, at: 7)
        times.receive(2, by: 2, at: 9)
        #expect(times.spread.count == 1)
        #expect(times.spread.maximum == 4)
    }

    @Test("what was not sent is not delivered")
    func unsent() {
        var times = DeliveryTimes(observers: 1)
        times.receive(1, by: 0, at: 1)
        times.send(1, at: 2)
        times.receive(5, by: 0, at: 3)
        #expect(times.deliveries == 1)
        #expect(times.sent == 1)
    }
}
