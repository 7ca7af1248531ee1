import Auction
import Testing

@Suite struct MaximumBidTests {
    private static let plain = Rules(seconds: 7)
    private static let byFive = Rules(seconds: 7, start: .of(10), step: .of(5))

    private static let cases: [PlayedCase] = [
        // eBay's help page "Automatic bidding": at a price of 10.00 Tom leads with a maximum of
        // 12.00, Laura sets one of 15.00 and leads at 12.50. Here in half dollars.
        PlayedCase(
            "the second-highest maximum plus one increment is the price",
            Rules(seconds: 7, start: .of(20)),
            [
                ("1 tom max 24", "max tom 24, tom 20"),
                ("2 laura max 30", "max laura 30, laura 25"),
                ("9 expire", "end"),
            ], outcome: "laura pays 25"),
        // W. Vickrey, "Counterspeculation, Auctions, and Competitive Sealed Tenders", 1961: with
        // values of 10, 8 and 6 the price is 8; here up to one increment, and in whatever order.
        PlayedCase(
            "three maxima end at the second-highest plus an increment, the highest first", plain,
            [
                ("1 ann max 10", "max ann 10, ann 1"), ("2 bob max 8", "max bob 8, bob 8, ann 9"),
                ("3 cid max 6", "no: at least 10"), ("11 expire", "end"),
            ], outcome: "ann pays 9"),
        PlayedCase(
            "three maxima end at the second-highest plus an increment, the highest last", plain,
            [
                ("1 cid max 6", "max cid 6, cid 1"), ("2 bob max 8", "max bob 8, bob 7"),
                ("3 ann max 10", "max ann 10, ann 9"), ("11 expire", "end"),
            ], outcome: "ann pays 9"),
        PlayedCase(
            "of two equal maxima the earlier leads, at their amount", plain,
            [
                ("1 ann max 50", "max ann 50, ann 1"), ("2 bob max 50", "ann 50, no: outbid 51"),
                ("9 expire", "end"),
            ], outcome: "ann pays 50"),
        PlayedCase(
            "a maximum leads against an equal bid that comes later", plain,
            [
                ("1 ann max 50", "max ann 50, ann 1"), ("2 bob bid 50", "ann 50, no: outbid 51"),
                ("3 bob bid 51", "bob 51"),
            ], outcome: "bob pays 51"),
        PlayedCase(
            "a bid below the maximum is answered with one increment", byFive,
            [
                ("1 ann max 100", "max ann 100, ann 10"), ("2 bob bid 40", "bob 40, ann 45"),
                ("3 bob bid 90", "bob 90, ann 95"),
            ], outcome: "ann pays 95"),
        PlayedCase(
            "a maximum less than a step above a bid is raised to the bid, which is refused", byFive,
            [
                ("1 ann max 100", "max ann 100, ann 10"),
                ("2 bob bid 98", "ann 98, no: outbid 103"),
                ("3 bob bid 103", "bob 103"),
            ], outcome: "bob pays 103"),
        PlayedCase(
            "a leader's maximum exactly one step above another answers it, and pays all of it",
            byFive,
            [
                ("1 ann max 100", "max ann 100, ann 10"),
                ("2 bob max 95", "max bob 95, bob 95, ann 100"), ("3 cid bid 105", "cid 105"),
            ], outcome: "cid pays 105"),
        PlayedCase(
            "a leader's maximum exactly one step above a bid answers it", byFive,
            [("1 ann max 100", "max ann 100, ann 10"), ("2 bob bid 95", "bob 95, ann 100")],
            outcome: "ann pays 100"),
        PlayedCase(
            "a newcomer's maximum exactly one step above the leader's pays all of it", byFive,
            [("1 ann max 95", "max ann 95, ann 10"), ("2 bob max 100", "max bob 100, bob 100")],
            outcome: "bob pays 100"),
        PlayedCase(
            "a newcomer less than a step above the leader's maximum pays its own maximum", byFive,
            [
                ("1 ann max 100", "max ann 100, ann 10"), ("2 bob max 102", "max bob 102, bob 102"),
                ("3 ann max 104", "no: at least 107"),
            ], outcome: "bob pays 102"),
        PlayedCase(
            "two high maxima are resolved in three events, whatever their amounts", plain,
            [
                ("1 ann max 1000000000000", "max ann 1000000000000, ann 1"),
                (
                    "2 bob max 999999999998",
                    "max bob 999999999998, bob 999999999998, ann 999999999999"
                ),
                ("3 bob max 1000000000000", "ann 1000000000000, no: outbid"),
            ], outcome: "ann pays 1000000000000"),
        PlayedCase(
            "raising the own maximum does not raise the price, and lowers the rank", plain,
            [
                ("1 ann max 20", "max ann 20, ann 1"), ("2 ann max 40", "max ann 40"),
                ("2 ann max 40", ""), ("3 ann max 1", "max ann 1"), ("4 bob bid 2", "bob 2"),
                ("5 ann max 2", "no: at least 3"),
            ], outcome: "bob pays 2"),
        PlayedCase(
            "the leader of a plain bid sets a maximum for later, of at least the price", plain,
            [
                ("1 ann bid 20", "ann 20"), ("2 ann max 19", "no: at least 20"),
                ("2 ann max 20", "max ann 20"), ("3 ann max 30", "max ann 30"),
                ("4 bob bid 25", "bob 25, ann 26"), ("5 ann bid 28", "no: leading"),
            ], outcome: "ann pays 26"),
        PlayedCase(
            "a maximum that is taken back leaves the leading bid", plain,
            [
                ("1 ann max none", ""), ("1 ann max 20", "max ann 20, ann 1"),
                ("2 ann max none", "max ann none"), ("3 bob bid 2", "bob 2"),
            ], outcome: "bob pays 2"),
        PlayedCase(
            "a maximum may raise the price by no more than a bid, so two of them cannot either",
            Rules(seconds: 7, mostRaise: .of(100)),
            [
                ("1 ann max 1000000000000", "no: at most 101"),
                ("1 ann max 101", "max ann 101, ann 1"),
                ("2 bob max 1000000000000", "no: at most 101"),
                ("2 bob max 101", "ann 101, no: outbid 102"),
                ("3 ann max 202", "no: at most 201"), ("3 ann max 201", "max ann 201"),
                ("4 bob max 201", "ann 201, no: outbid 202"), ("5 cid bid 202", "cid 202"),
            ], outcome: "cid pays 202"),
        PlayedCase(
            "the rule of the leader does not bind automatic bids, and a maximum stays as the price rises",
            Rules(seconds: 7, mostRaise: .of(10)),
            [
                ("1 ann max 11", "max ann 11, ann 1"), ("2 bob bid 12", "no: at most 11"),
                ("3 bob bid 9", "bob 9, ann 10"), ("4 bob max 20", "max bob 20, bob 12"),
                ("5 cid bid 15", "cid 15, bob 16"), ("6 cid max 27", "no: at most 26"),
                ("7 cid max 26", "max cid 26, cid 21"),
            ], outcome: "cid pays 21"),
        PlayedCase(
            "a bid above the greatest raise is refused without an automatic bid",
            Rules(seconds: 7, mostRaise: .of(10)),
            [
                ("1 ann max 11", "max ann 11, ann 1"), ("2 bob bid 12", "no: at most 11"),
                ("3 ann max 9", "max ann 9"),
            ], outcome: "ann pays 1"),
        PlayedCase(
            "a void takes back the maximum of its bidder alone", plain,
            [
                ("1 ann max 20", "max ann 20, ann 1"), ("2 bob max 30", "max bob 30, bob 21"),
                ("3 cid bid 25", "cid 25, bob 26"), ("4 void", "void bob 26"),
                ("5 void", "void cid 25"), ("6 void", "void bob 21"),
                ("7 dan bid 3", "dan 3, ann 4"),
            ], outcome: "ann pays 4"),
        PlayedCase(
            "while the sale is paused no automatic bid is made", plain,
            [
                ("1 ann max 20", "max ann 20, ann 1"), ("2 bob bid 5", "bob 5, ann 6"),
                ("3 bob max 10", "max bob 10, bob 10, ann 11"), ("4 cid bid 21", "cid 21"),
                ("5 pause", "paused"), ("6 bob max 30", "no: paused"), ("6 void", "void cid 21"),
                ("6 bob max none", "max bob none"), ("7 void", "void ann 11"),
                ("8 resume", "resumed"),
            ], outcome: "bob pays 10"),
        PlayedCase(
            "a maximum waits through a pause and a restart", plain,
            [
                ("1 ann max 20", "max ann 20, ann 1"), ("2 bob bid 5", "bob 5, ann 6"),
                ("3 bob bid 21", "bob 21"), ("4 pause", "paused"), ("5 void", "void bob 21"),
                ("6 restart", ""), ("7 resume", "resumed"), ("8 bob bid 7", "bob 7, ann 8"),
            ], outcome: "ann pays 8"),
        PlayedCase(
            "a kick takes back the maximum, and the leading bid stays", plain,
            [
                ("1 ann max 20", "max ann 20, ann 1"), ("2 remove ann", ""),
                ("3 bob bid 2", "bob 2"), ("9 remove bob", ""), ("9 expire", "no: not due"),
                ("10 expire", "end"),
            ], outcome: "bob pays 2"),
        PlayedCase(
            "each automatic bid restarts the countdown, and the longest time holds",
            Rules(seconds: 7, longest: .seconds(10)),
            [
                ("1 ann max 20", "max ann 20, ann 1"), ("7 bob bid 3", "bob 3, ann 4"),
                ("13 bob bid 5", "bob 5, ann 6, last"), ("19 bob bid 7", "bob 7, ann 8"),
                ("20 expire", "end"),
            ], outcome: "ann pays 8"),
        PlayedCase(
            "after the end a maximum is refused", plain,
            [
                ("1 ann max 20", "max ann 20, ann 1"), ("8 expire", "end"),
                ("9 bob max 30", "no: closed"), ("9 ann max none", "no: closed"),
            ], outcome: "ann pays 1"),
    ]

    @Test("the server bids for a maximum the least that leads", arguments: cases)
    func resolution(of played: PlayedCase) throws {
        try played.check()
    }

    @Test("after a void what leads again is reserved up to its maximum, and nothing of the voided")
    func reservedAfterVoid() throws {
        let bidders = try ["ann", "bob", "cid"].map { try #require(Bidder($0)) }
        var play = Play(Self.byFive)
        let steps: [(line: String, reserved: [Int64])] = [
            ("1 ann max 22", [22, 0, 0]), ("2 bob bid 15", [22, 0, 0]),
            ("3 cid max 41", [0, 0, 41]),
            ("4 bob bid 46", [0, 46, 0]), ("5 void", [0, 0, 41]), ("6 void", [22, 0, 0]),
            ("7 bob bid 25", [0, 25, 0]), ("8 void", [22, 0, 0]), ("9 void", [0, 15, 0]),
            ("10 void", [10, 0, 0]), ("11 void", [0, 0, 0]),
        ]
        for step in steps {
            _ = try play.say(step.line)
            #expect(bidders.map { play.auction.reserved(by: $0) } == step.reserved, "\(step)")
        }
    }

    @Test("a leader's maximum is reserved, and another's only while it can lead")
    func reserved() throws {
        let (ann, bob) = (try #require(Bidder("ann")), try #require(Bidder("bob")))
        var play = Play(Self.plain)
        let steps: [(String, ann: Int64, bob: Int64)] = [
            ("1 ann max 20", 20, 0), ("2 bob bid 10", 20, 0), ("3 ann max none", 11, 0),
            ("4 bob max 30", 0, 30), ("5 ann bid 31", 31, 0), ("6 ann max 40", 40, 0),
            ("6 void", 0, 30), ("13 expire", 0, 0),
        ]
        for step in steps {
            _ = try play.say(step.0)
            #expect(play.auction.reserved(by: ann) == step.ann, "\(step)")
            #expect(play.auction.reserved(by: bob) == step.bob, "\(step)")
        }
    }
}
