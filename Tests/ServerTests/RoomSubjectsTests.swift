import Auction
import Basics
import House
import Server
import Testing
import Wire

/// What the subjects of a room hold, and what their observers receive.
@Suite struct RoomSubjectsTests {
    private let room = RoomSubjects(nil)
    private let log = CommitQueue(MemoryLog())
    private let bid: Bid

    init() throws {
        let alice = try #require(Bidder("alice"))
        bid = Bid(number: 1, price: try #require(Price(7)), bidder: alice, elapsed: .zero)
    }

    private func publish(_ events: SaleEvent...) {
        for event in events {
            let effect = Effect.news(event, nil, room: .main, seq: 1)
            let batch = log.record([effect]) { [] }
            room.publish(News(batch.news[0], of: batch, time: 0))
        }
    }

    @Test("the price is that of the leading bid, and nil again when another lot opens")
    func price() {
        publish(.lotOpened(Lot(number: 1, title: "Vase")), .bidPlaced(bid))
        #expect(room.price.value == .some(Price(7)))
        publish(.lotOpened(Lot(number: 2, title: "Clock")))
        #expect(room.price.value == .some(nil))
    }

    @Test("the price of a Dutch lot is the asking price from the beginning")
    func askingPrice() throws {
        let terms = Terms(
            format: .dutch, seconds: 10, start: try #require(Price(100)),
            step: try #require(Price(10)))
        publish(.lotOpened(Lot(number: 1, title: "Vase")), .termsAnnounced(terms))
        #expect(room.price.value == .some(Price(100)))
        publish(.askFell(try #require(Price(90))))
        #expect(room.price.value == .some(Price(90)))
    }

    @Test("no countdown runs after the void of the only bid")
    func void() throws {
        publish(.bidPlaced(bid), .secondsLeft(9))
        #expect(room.countdown.value == .some(9))
        let leading = VoidedBid(
            number: 2, price: try #require(Price(8)), bidder: bid.bidder, leading: bid)
        publish(.bidVoided(leading))
        #expect(room.price.value == .some(Price(7)))
        #expect(room.countdown.value == .some(9))
        publish(.bidVoided(VoidedBid(bid, leading: nil)))
        #expect(room.price.value == .some(nil))
        #expect(room.countdown.value == .some(nil))
    }

    @Test("an observer receives each piece of news once")
    func news() {
        var count = 0
        room.observe { _ in count += 1 }
        let sold = SoldLot(
            number: 1, title: "Vase", bidder: bid.bidder, price: bid.price, elapsed: .zero)
        publish(
            .lotOpened(Lot(number: 1, title: "Vase")), .bidPlaced(bid), .secondsLeft(9),
            .bidVoided(VoidedBid(bid, leading: nil)), .lotSold(sold))
        #expect(count == 5)
        #expect(room.winner.value == .some(sold))
    }
}
