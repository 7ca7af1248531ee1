import Auction
import Bidder
import BidderSupport
import Testing
import Wire

@Suite struct SentenceTests {
    @Test(
        "news becomes a sentence",
        arguments: [
            (.event(.lotOpened(Lot(number: 2, title: "Vase"))), "lot 2 is open: Vase"),
            (.event(.bidPlaced(lap(3, 1200, "bob"))), "bob bids 1,200"),
            (.event(.lotOpened(Lot(number: 2))), "lot 2 is open"),
            (.event(.warned(.once)), "going once"), (.event(.warned(.twice)), "going twice"),
            (FollowedSaleTests.sold, "bob has won Vase for 5"),
            (lotPassed(1, "Vase"), "Vase is unsold: nobody bid"),
            (lotPassed(1, "Vase", reason: "closed"), "Vase is unsold: closed by the auctioneer"),
            (.event(.paused), "the sale is paused"), (.event(.resumed), "the sale is resumed"),
            (.event(.nextAnnounced(title: "Clock", seconds: 3)), "Clock opens in 3 seconds"),
            (.event(.nextAnnounced(title: "Clock", seconds: 1)), "Clock opens in 1 second"),
            (.event(.hammered), "the auctioneer sells the lot now"),
            (
                .event(
                    .bidVoided(
                        VoidedBid(number: 2, price: price(1200), bidder: bidder("al"), leading: nil)
                    )),
                "al's bid of 1,200 is void"
            ),
            (
                .event(.bidderKicked(bidder("al"), reason: "shill bids")),
                "al was removed: shill bids"
            ),
            (.event(.lastReset), "last round: bids no longer reset the countdown"),
            (.event(.stopped), "the auctioneer has stopped the server"),
            (.event(.ended(lots: 1)), "the sale is over after 1 lot"),
            (.event(.ended(lots: 2)), "the sale is over after 2 lots"),
            (joined("al"), "al has joined"),
            (left("al"), "al has left"),
            (.skipped(512), "this connection was too slow and missed 512 lines"),
        ] as [(ServerMessage, String)])
    func sentences(message: ServerMessage, expected: String) {
        #expect(message.sentence() == expected)
    }

    @Test(
        "other messages have no sentence",
        arguments: [
            .hello(seconds: 7, step: price(1)), .event(.secondsLeft(3)), .bye(.quit),
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
