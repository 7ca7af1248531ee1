import Auction
import BidderView
import TestSupport
import Testing
import Wire

@Suite struct SaleStateTests {
    static let vase = Lot(number: 1, title: "Vase")
    static let clock = Lot(number: 2, title: "Clock")
    static let hello = ServerMessage.hello(seconds: 7, step: price(2))
    static let opened = ServerMessage.event(
        .lotOpened(vase), .init(start: price(5), elapsed: .zero))
    static let bid = ServerMessage.event(
        .bidPlaced(lap(1, 5, "bob")), .init(remaining: .seconds(7)))
    static let void = ServerMessage.event(
        .bidVoided(VoidedBid(number: 1, price: price(5), bidder: bidder("bob"), leading: nil)),
        .init(lot: 1))
    static let sale = SoldLot(
        number: 1, title: "Vase", bidder: bidder("bob"), price: price(5), elapsed: .seconds(9))

    /// The public state of a sale.
    struct Seen: Equatable, Sendable {
        var lot: Lot?
        var leader: String?
        var isOpen = false
        var outcome: SaleState.Outcome?
        var lotsDone: Int?
        var isPaused = false
        var least: Int64?
    }

    @Test(
        "each message changes the state",
        arguments: [
            ([], Seen()),
            ([opened], Seen(lot: vase, isOpen: true, least: 5)),
            ([opened, bid], Seen(lot: vase, leader: "bob", isOpen: true, least: 7)),
            ([opened, bid, opened], Seen(lot: vase, isOpen: true, least: 5)),
            (
                [opened, bid, .event(.lotOpened(vase))],
                Seen(lot: vase, isOpen: true, least: 5)
            ),
            (
                [opened, bid, .event(.lotSold(sale))],
                Seen(lot: vase, leader: "bob", outcome: .sold(sale))
            ),
            ([.event(.lotSold(sale))], Seen(lot: vase, outcome: .sold(sale))),
            (
                [opened, .event(.lotPassed(vase, reason: "no-bids", elapsed: nil))],
                Seen(lot: vase, outcome: .passed(reason: "no-bids"))
            ),
            (
                [opened, bid, .event(.lotSold(sale)), .event(.ended(lots: 1))],
                Seen(lot: vase, leader: "bob", outcome: .sold(sale), lotsDone: 1)
            ),
            (
                [
                    opened, bid, .event(.lotSold(sale)), .event(.ended(lots: 1)),
                    .event(.lotOpened(clock)),
                ],
                Seen(lot: clock, isOpen: true, least: 5)
            ),
            (
                [
                    opened, bid, .event(.lotSold(sale)), .event(.ended(lots: 1)),
                    .event(.lotSold(other)),
                ],
                Seen(lot: Lot(number: 1, title: "Vase"), outcome: .sold(other))
            ),
            (
                [opened, bid, .event(.lotSold(other))],
                Seen(lot: Lot(number: 1, title: "Vase"), outcome: .sold(other))
            ),
            ([.event(.lotPassed(clock, reason: "stopped", elapsed: nil))], passed),
            ([opened, bid, void], Seen(lot: vase, isOpen: true, least: 5)),
            (
                [opened, bid, .event(.paused), .event(.resumed)],
                Seen(lot: vase, leader: "bob", isOpen: true, least: 7)
            ),
            ([opened, .event(.paused)], Seen(lot: vase, isOpen: true, isPaused: true, least: 5)),
            ([opened, .event(.paused), .skipped(9)], Seen(lot: vase, isOpen: true, least: 5)),
            ([opened, .event(.paused), hello], Seen(lot: vase, isOpen: true, least: 5)),
            (
                [opened, bid, .event(.paused), .event(.hammered), .event(.lotSold(sale))],
                Seen(lot: vase, leader: "bob", outcome: .sold(sale), isPaused: true)
            ),
            (
                [
                    opened, bid, .event(.paused), .event(.hammered), .event(.lotSold(sale)),
                    .event(.ended(lots: 1)),
                ],
                Seen(lot: vase, leader: "bob", outcome: .sold(sale), lotsDone: 1)
            ),
        ] as [([ServerMessage], Seen)])
    func applying(news: [ServerMessage], expected: Seen) {
        let sale = news.reduce(SaleState(Self.hello)) { $0.applying($1, at: .zero) }
        let seen = Seen(
            lot: sale.lot, leader: sale.leading?.bidder.description,
            isOpen: sale.isOpen, outcome: sale.outcome, lotsDone: sale.lotsDone,
            isPaused: sale.isPaused, least: sale.leastBid?.amount)
        #expect(seen == expected)
    }

    static let other = SoldLot(
        number: nil, title: "Vase", bidder: bidder("carol"), price: price(6), elapsed: .seconds(9))
    static let passed = Seen(lot: clock, outcome: .passed(reason: "stopped"))

    @Test(
        "other messages change nothing",
        arguments: [
            .event(.hammered), .event(.lastReset), .event(.bidderKicked(bidder("al"), reason: "x")),
            .event(.stopped), .event(.bidderJoined(bidder("al"))),
            .event(.bidderLeft(bidder("al"))), .skipped(3), .bye(.quit),
            .lap(lap(9, 99, "al")), .who(bidder("al")), .help("x"), .ok(.ping, tag: nil),
            .error(.closed, tag: nil),
        ] as [ServerMessage])
    func unmoved(message: ServerMessage) {
        let sale = SaleState(Self.hello, Self.opened, Self.bid)
        #expect(sale.applying(message, at: .seconds(1)) == sale)
    }

    @Test("there is no bid above the highest price")
    func highest() {
        let bid = Bid(number: 1, price: .highest, bidder: bidder("al"), elapsed: .zero)
        let sale = SaleState(Self.hello, Self.opened, .event(.bidPlaced(bid)))
        #expect(sale.leastBid == nil)
    }

    @Test("without a greeting the minimum of the next bid is unknown")
    func noGreeting() {
        #expect(SaleState(Self.opened).leastBid == nil)
    }
}

extension SaleState {
    /// The state after messages that were received at 0 s.
    init(_ messages: ServerMessage...) {
        self = messages.reduce(SaleState()) { $0.applying($1, at: .zero) }
    }
}
