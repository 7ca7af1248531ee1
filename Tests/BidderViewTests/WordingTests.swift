import AuctionRules
import BidderView
import Sale
import Testing
import Wire

@Suite struct SentenceTests {
    @Test(
        "news becomes a sentence",
        arguments: [
            (.lot(Lot(number: 2, title: "Vase"), start: nil, elapsed: nil), "lot 2 is open: Vase"),
            (.price(lap(3, 1200, "bob"), lot: 2, remaining: nil), "bob bids 1,200"),
            (.lot(Lot(number: 2), start: nil, elapsed: nil), "lot 2 is open"),
            (.going(.once), "going once"), (.going(.twice), "going twice"),
            (.winner(SaleStateTests.sale), "bob has won Vase for 5"),
            (
                .passed(Lot(number: 1, title: "Vase"), reason: "no-bids"),
                "lot 1 is unsold: nobody bid"
            ),
            (
                .passed(Lot(number: 1, title: "Vase"), reason: "closed"),
                "lot 1 is unsold: closed by the auctioneer"
            ),
            (.paused, "the sale is paused"), (.resumed, "the sale is resumed"),
            (.next(title: "Clock", seconds: 3), "Clock opens in 3 seconds"),
            (.next(title: "Clock", seconds: 1), "Clock opens in 1 second"),
            (.hammered, "the auctioneer sells the lot now"),
            (
                .voided(
                    VoidedBid(number: 2, price: price(1200), bidder: bidder("al"), leading: nil),
                    lot: 1),
                "al's bid of 1,200 is void"
            ),
            (.kicked(bidder("al"), reason: "shill bids"), "al was removed: shill bids"),
            (.last, "last round: bids no longer reset the countdown"),
            (.stopped, "the auctioneer has stopped the server"),
            (.over(lots: 1), "the sale is over after 1 lot"),
            (.over(lots: 2), "the sale is over after 2 lots"),
            (.joined(bidder("al")), "al has joined"), (.left(bidder("al")), "al has left"),
            (.skipped(512), "this connection was too slow and missed 512 lines"),
        ] as [(ServerMessage, String)])
    func sentences(message: ServerMessage, expected: String) {
        #expect(message.sentence() == expected)
    }

    @Test(
        "other messages have no sentence",
        arguments: [
            .hello(seconds: 7, step: price(1)), .countdown(3, remaining: nil), .bye(.quit),
            .lap(lap(9, 99, "al")), .who(bidder("al")), .help("x"), .ok(.ping, tag: nil),
            .error(.closed, tag: nil),
        ] as [ServerMessage])
    func silent(message: ServerMessage) {
        #expect(message.sentence() == nil)
    }
}

@Suite struct GroupedTests {
    @Test(
        "an amount has commas between thousands",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (1_050, "1,050"),
            (10_005, "10,005"), (999_999, "999,999"), (1_000_000, "1,000,000"),
            (1_000_000_000_000, "1,000,000,000,000"), (-1_050, "-1,050"),
        ] as [(Int64, String)])
    func groups(amount: Int64, text: String) {
        #expect(amount.grouped == text)
    }
}
