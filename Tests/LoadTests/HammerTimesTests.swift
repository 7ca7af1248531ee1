import Load
import Testing

@Suite("HammerTimes")
struct HammerTimesTests {
    private let second: Int64 = 1_000_000_000

    @Test("the deadline is when the last price was first heard, and the seconds after it")
    func lateness() {
        var times = HammerTimes(seconds: 2, observers: 0)
        times.bidMade(at: 2)
        times.priceHeard(100, at: 5)
        times.bidMade(at: 6)
        times.priceHeard(101, at: 10)
        times.priceHeard(101, at: 12)
        times.priceHeard(100, at: 15)
        times.hammerHeardByBidder(at: 2 * second + 13)
        #expect(times.atBidder.highest == 3)
        #expect(times.least == 3)
        #expect(times.uncertainty.highest == 4)
        #expect(times.isComplete)
    }

    @Test("the first and the last count, whoever they are", arguments: [0, 1, 2])
    func observers(before: Int) {
        var times = HammerTimes(seconds: 1, observers: 2)
        times.priceHeard(1, at: 0)
        for index in 0..<before { times.hammerHeard(at: second + 20 + Int64(index)) }
        times.hammerHeardByBidder(at: second + 30)
        for index in before..<2 { times.hammerHeard(at: second + 40 + Int64(index)) }
        #expect(times.atFirst.highest == [30, 20, 20][before])
        #expect(times.atBidder.highest == 30)
        #expect(times.atLast.highest == [41, 41, 30][before])
        #expect(times.isComplete)
    }

    @Test("each lot is recorded by itself")
    func lots() {
        var times = HammerTimes(seconds: 1, observers: 1)
        for lot in 1...3 {
            let start = Int64(lot) * 10 * second
            times.priceHeard(Int64(lot), at: start)
            times.hammerHeardByBidder(at: start + second + Int64(lot))
            #expect(!times.isComplete)
            times.hammerHeard(at: start + second + 2 * Int64(lot))
        }
        #expect(times.lots == 3)
        #expect(times.missed == 0)
        #expect(times.atBidder.quantile(0.5) == 2)
        #expect(times.atLast.quantile(0.5) == 4)
        #expect(times.atLast.highest == 6)
    }

    @Test("an early hammer is told, and counts as not late")
    func early() {
        var times = HammerTimes(seconds: 1, observers: 0)
        times.priceHeard(1, at: 10)
        times.hammerHeardByBidder(at: second)
        #expect(times.least == -10)
        #expect(times.atFirst.highest == 0)
    }

    @Test(
        "a lot whose end an observer never hears is missed, and does not spoil the next",
        arguments: [0, 1, 2])
    func missed(before: Int) {
        var times = HammerTimes(seconds: 1, observers: 2)
        times.priceHeard(1, at: 0)
        times.hammerHeardByBidder(at: second)
        times.hammerHeard(at: second)
        times.priceHeard(2, at: 2 * second)
        for _ in 0..<before { times.hammerHeard(at: 3 * second + 5) }
        times.hammerHeardByBidder(at: 3 * second + 6)
        for _ in before..<2 { times.hammerHeard(at: 3 * second + 7) }
        #expect(times.missed == 1)
        #expect(times.lots == 2)
        #expect(times.atLast.count == 1)
        #expect(times.atLast.highest == [7, 7, 6][before])
    }

    @Test("a lot without a price is not counted, nor one whose price is not higher")
    func priceless() {
        var times = HammerTimes(seconds: 1, observers: 0)
        times.hammerHeardByBidder(at: 5)
        times.priceHeard(7, at: 5)
        times.hammerHeardByBidder(at: 5 + second)
        times.priceHeard(7, at: 6 + second)
        times.hammerHeardByBidder(at: 6 + 2 * second)
        #expect(times.lots == 1)
    }
}
