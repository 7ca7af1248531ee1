import AuctionRules
import Testing

@testable import Sale

@Suite struct LedgerTests {
    @Test("a full ledger admits nobody without a lot, and drops one of them for a winner")
    func full() throws {
        let names = try ["al", "bo", "cy"].map { try #require(Bidder($0)) }
        var ledger = Ledger(most: 2)
        for name in names { ledger.enter(name) }
        #expect(ledger.ranked.map(\.bidder) == [names[0], names[1]])
        ledger.add(names[2], price: 5, profit: 0)
        #expect(ledger.ranked.map(\.bidder) == [names[2], names[0]])
        #expect(ledger[names[1]] == nil)
    }

    @Test("a room that was opened remembers 1,000 bidders, and main more")
    func bounds() throws {
        var generator = SystemRandomNumberGenerator()
        for (room, most) in [(try #require(RoomName("blue")), 1_000), (.main, 1_001)] {
            var sale = Sale(rules: Rules(seconds: 7), in: room)
            let now = Instant(nanoseconds: 0)
            sale.apply(.lotOpened(Lot(number: 1)), at: now)
            for number in 1...1_001 {
                let bidder = try #require(Bidder("b\(number)"))
                sale.apply(.nameTaken(bidder, Token(using: &generator)), at: now)
                let bid = Bid(
                    number: number, price: try #require(Price(Int64(number))), bidder: bidder,
                    elapsed: .zero)
                sale.apply(.bidPlaced(bid), at: now)
            }
            #expect(sale.ledger.ranked.count == most)
        }
    }
}
