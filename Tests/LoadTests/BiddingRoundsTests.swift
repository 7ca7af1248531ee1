import Load
import Testing

@Suite("BiddingRounds")
struct BiddingRoundsTests {
    private let millisecond: Int64 = 1_000_000

    @Test("a round has bids for a second, and a last one when no other is outstanding")
    func round() {
        var rounds = BiddingRounds(rate: 4)
        rounds.lotOpened(at: 0)
        var bids: [(milliseconds: Int64, isLast: Bool)] = []
        while rounds.next < .max {
            let due = rounds.next
            if let isLast = rounds.popDue(at: due) { bids.append((due / millisecond, isLast)) }
        }
        #expect(bids.map(\.milliseconds) == [0, 250, 500, 750, 1200])
        #expect(bids.map(\.isLast) == [false, false, false, false, true])
    }

    @Test("nothing is due before a lot opens, or before its time")
    func early() {
        var rounds = BiddingRounds(rate: 4)
        #expect(rounds.popDue(at: .max - 1) == nil)
        rounds.lotOpened(at: 10)
        #expect(rounds.popDue(at: 9) == nil)
        #expect(rounds.popDue(at: 10) == false)
        #expect(rounds.popDue(at: 10) == nil)
    }

    @Test("a late client makes one bid, and the last one is still alone")
    func late() {
        var rounds = BiddingRounds(rate: 4)
        rounds.lotOpened(at: 0)
        #expect(rounds.popDue(at: 5000 * millisecond) == false)
        #expect(rounds.next == 5200 * millisecond)
        #expect(rounds.popDue(at: rounds.next) == true)
        #expect(rounds.next == .max)
    }

    @Test("a lot that opens begins a new round")
    func again() {
        var rounds = BiddingRounds(rate: 4)
        rounds.lotOpened(at: 0)
        _ = rounds.popDue(at: 0)
        rounds.lotOpened(at: 100)
        #expect(rounds.next == 100)
    }
}
