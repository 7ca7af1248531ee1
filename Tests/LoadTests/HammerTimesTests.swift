import Load
import Testing

@Suite("HammerTimes")
struct HammerTimesTests {
    private let second: Int64 = 1_000_000_000

    @Test("the deadline is when the price was first received, plus the countdown")
    func lateness() {
        var times = HammerTimes(seconds: 2, connections: 1)
        times.bidSent(at: 6)
        times.priceReceived(at: 10)
        times.priceReceived(at: 12)
        times.winnerReceived(at: 2 * second + 13, byBidder: true)
        #expect(times.bidder.maximum == 3)
        #expect(times.uncertainty.maximum == 4)
    }

    @Test("the last connection counts, also if it is the bidder", arguments: 0..<3)
    func connections(bidderIndex: Int) {
        var times = HammerTimes(seconds: 1, connections: 3)
        times.bidSent(at: 0)
        times.priceReceived(at: 0)
        for index in 0..<3 {
            times.winnerReceived(
                at: second + 20 + 10 * Int64(index), byBidder: index == bidderIndex)
        }
        #expect(times.bidder.maximum == [20, 30, 40][bidderIndex])
        #expect(times.last.maximum == 40)
    }

    @Test("a late end of a lot still belongs to it when the next lot has its price")
    func overlap() {
        var times = HammerTimes(seconds: 1, connections: 2)
        times.bidSent(at: 0)
        times.priceReceived(at: 0)
        times.winnerReceived(at: second + 1, byBidder: true)
        times.bidSent(at: second + 2)
        times.priceReceived(at: second + 3)
        times.winnerReceived(at: second + 9, byBidder: false)
        times.winnerReceived(at: 2 * second + 5, byBidder: false)
        times.winnerReceived(at: 2 * second + 6, byBidder: true)
        #expect([times.bidder.count, times.last.count] == [2, 2])
        #expect([times.last.percentile(50), times.last.maximum] == [3, 9])
    }

    @Test("an early end counts as not late")
    func early() {
        var times = HammerTimes(seconds: 1, connections: 1)
        times.bidSent(at: 9)
        times.priceReceived(at: 10)
        times.winnerReceived(at: second, byBidder: true)
        #expect(times.bidder.count == 1)
        #expect(times.bidder.maximum == 0)
    }

    @Test("a lot whose end a connection never receives does not spoil the next")
    func missed() {
        var times = HammerTimes(seconds: 1, connections: 2)
        for lot in 0..<2 as Range<Int64> {
            times.bidSent(at: 2 * lot * second)
            times.priceReceived(at: 2 * lot * second)
            times.winnerReceived(at: (2 * lot + 1) * second + 5, byBidder: true)
        }
        #expect([times.bidder.count, times.last.count] == [2, 0])
        times.winnerReceived(at: 3 * second + 7, byBidder: false)
        #expect(times.last.maximum == 7)
    }

    @Test("a lot without a bid of ours does not count")
    func foreign() {
        var times = HammerTimes(seconds: 1, connections: 1)
        times.priceReceived(at: 0)
        times.winnerReceived(at: second, byBidder: true)
        #expect(times.bidder.count == 0)
    }
}
