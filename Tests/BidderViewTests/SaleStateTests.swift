import AuctionRules
import BidderView
import Sale
import TestSupport
import Testing
import Wire

@Suite struct SaleStateTests {
    static let vase = Lot(number: 1, title: "Vase")
    static let clock = Lot(number: 2, title: "Clock")
    static let hello = ServerMessage.hello(seconds: 7, step: price(2))
    static let opened = ServerMessage.lot(vase, start: price(5), elapsed: .zero)
    static let bid = ServerMessage.price(lap(1, 5, "bob"), lot: nil, remaining: .seconds(7))
    static let void = ServerMessage.voided(
        VoidedBid(number: 1, price: price(5), bidder: bidder("bob"), leading: nil), lot: 1)
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
                [opened, bid, .lot(vase, start: nil, elapsed: nil)],
                Seen(lot: vase, isOpen: true, least: 5)
            ),
            (
                [opened, bid, .winner(sale)],
                Seen(lot: vase, leader: "bob", outcome: .sold(sale))
            ),
            ([.winner(sale)], Seen(lot: vase, outcome: .sold(sale))),
            (
                [opened, .passed(vase, reason: "no-bids")],
                Seen(lot: vase, outcome: .passed(reason: "no-bids"))
            ),
            (
                [opened, bid, .winner(sale), .over(lots: 1)],
                Seen(lot: vase, leader: "bob", outcome: .sold(sale), lotsDone: 1)
            ),
            (
                [
                    opened, bid, .winner(sale), .over(lots: 1),
                    .lot(clock, start: nil, elapsed: nil),
                ],
                Seen(lot: clock, isOpen: true, least: 5)
            ),
            (
                [opened, bid, .winner(sale), .over(lots: 1), .winner(other)],
                Seen(lot: Lot(number: 1, title: "Vase"), outcome: .sold(other))
            ),
            (
                [opened, bid, .winner(other)],
                Seen(lot: Lot(number: 1, title: "Vase"), outcome: .sold(other))
            ),
            ([.passed(clock, reason: "stopped")], passed),
            ([opened, bid, void], Seen(lot: vase, isOpen: true, least: 5)),
            (
                [opened, bid, .paused, .resumed],
                Seen(lot: vase, leader: "bob", isOpen: true, least: 7)
            ),
            ([opened, .paused], Seen(lot: vase, isOpen: true, isPaused: true, least: 5)),
            ([opened, .paused, .skipped(9)], Seen(lot: vase, isOpen: true, least: 5)),
            ([opened, .paused, hello], Seen(lot: vase, isOpen: true, least: 5)),
            (
                [opened, bid, .paused, .hammered, .winner(sale)],
                Seen(lot: vase, leader: "bob", outcome: .sold(sale), isPaused: true)
            ),
            (
                [opened, bid, .paused, .hammered, .winner(sale), .over(lots: 1)],
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
            .hammered, .last, .kicked(bidder("al"), reason: "x"), .stopped, .joined(bidder("al")),
            .left(bidder("al")), .skipped(3), .bye(.quit),
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
        let sale = SaleState(Self.hello, Self.opened, .price(bid, lot: nil, remaining: nil))
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
