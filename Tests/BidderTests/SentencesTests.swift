import Auction
import Bidder
import BidderSupport
import Testing
import Wire

/// What the commands that print once show on a terminal.
@Suite struct SentencesTests {
    @Test(
        "the state is one sentence",
        arguments: [
            (
                ["LOT 1 Vase", "PRICE 1200 alice 00:03.2 1"],
                "Lot 1, Vase: 1,200 by alice, 7 s left"
            ),
            (["LOT 2 lot-2"], "Lot 2: no bid yet"),
            (
                ["LOT 1 Vase", "PRICE 120 alice 00:03.2 1", "PAUSED"],
                "Lot 1, Vase: 120 by alice, paused"
            ),
            (
                ["LOT 1 Vase", "WINNER alice 120 00:12.4 Vase"],
                "Lot 1, Vase: sold to alice for 120 after 00:12.4"
            ),
            (
                ["LOT 1 Vase", "PASSED 1 no-bids Vase", "OVER 1"],
                "Lot 1, Vase: unsold, nobody bid, the sale is over after 1 lot"
            ),
            (
                [
                    "LOT 1 Vase", "TERMS format=dutch seconds=20 start=1300 step=100", "ASK 1200",
                ], "Lot 1, Vase: falling, now 1,200, 20 s left"
            ),
            (
                [
                    "LOT 1 Vase", "PASSED 1 no-bids Vase", "OVER 1", "CHAMPION al 37",
                    "CHAMPION bob 37",
                ],
                "Lot 1, Vase: unsold, nobody bid, the sale is over after 1 lot, "
                    + "al is the champion with 37, bob is the champion with 37"
            ),
            (
                ["LOT 1 Vase", "TERMS format=sealed seconds=20 start=10 step=5", "SEALED 3"],
                "Lot 1, Vase: 3 sealed bids, 20 s left"
            ),
            ([], "no lot has opened yet"),
        ] as [([String], String)])
    func status(events: [String], sentence: String) {
        let server = StageSale(
            seconds: 7, step: price(1), events.compactMap { ServerMessage(text: $0) }, at: .zero)
        let snapshot = server.snapshot(at: .zero).map { inJSON($0) }
        #expect(Self.asked(.status, [], snapshot + ["OK status"]) == [sentence])
    }

    @Test("laps are a table with the time since the bid before")
    func laps() {
        let lines = ["LAP 9 100 bob 00:01.1", "LAP 10 1120 alice 00:03.2", "OK laps 10"]
        #expect(
            Self.asked(.laps(nil), [], lines) == [
                " #  bidder    bid     time  after",
                " 9  bob       100  00:01.1",
                "10  alice   1,120  00:03.2   +2.1",
                "10 laps",
            ])
        #expect(Self.asked(.laps(nil), [], ["OK laps 0"]) == ["no laps"])
    }

    @Test("results are a table, and a title of wide characters keeps the columns")
    func results() {
        let lines = [
            "RESULT 1 alice 120 00:12.4 花瓶", "RESULT 2 - - 00:07.0 Clock", "OK results 2",
        ]
        #expect(
            Self.asked(.results(nil), [], lines) == [
                "lot  title  winner  price     time",
                "  1  花瓶   alice     120  00:12.4",
                "  2  Clock  unsold         00:07.0",
                "2 lots ended",
            ])
        #expect(Self.asked(.results(nil), [], ["OK results 0"]) == ["no lot has ended yet"])
    }

    @Test("standings are a table with the columns that the game has")
    func standings() {
        let lines = [
            "STANDING 1 alice lots=2 spent=1140 left=860 profit=-37",
            "STANDING 2 bob lots=0 spent=0 left=2000 profit=0", "OK standings 2",
        ]
        #expect(
            Self.asked(.standings, [], lines) == [
                "rank  bidder  lots  spent   left  profit",
                "   1  alice      2  1,140    860     -37",
                "   2  bob        0      0  2,000       0",
            ])
        #expect(
            Self.asked(.standings, [], ["STANDING 1 al lots=1 spent=5", "OK standings 1"]) == [
                "rank  bidder  lots  spent", "   1  al         1      5",
            ])
        #expect(
            Self.asked(.standings, [], ["OK standings 0"]) == [
                "nobody has a place in the standings yet"
            ])
    }

    @Test("bidders are listed and counted")
    func who() {
        let lines = ["WHO alice", "WHO bob", "OK who 2"]
        #expect(Self.asked(.who, [], lines) == ["alice", "bob", "2 bidders here"])
        #expect(Self.asked(.who, [], ["OK who 0"]) == ["nobody is here under a name"])
    }

    @Test("a bid is reported from its answer to the end of the lot")
    func bid() {
        let alice = bidder("alice")
        var session = OneShotSession(
            .bid(.bid(price(120)), by: alice, waits: true), inSentences: true)
        _ = session.begin()
        let lines = [
            "LOT 1 Vase", "PRICE 100 bob 00:01.0 1", "COUNTDOWN 6", "OK status",
            "OK name alice t", "JOINED alice", "OK bid 120", "PRICE 120 alice 00:03.2 2",
            "PRICE 130 bob 00:04.0 3", "GOING once", "COUNTDOWN 0", "WINNER bob 130 00:11.0 Vase",
        ]
        let said = Self.said(
            session.receiveInJSON(after: OneShotSessionTests.hello, lines))
        #expect(
            said == [
                "lot 1 is open: Vase", "bob bids 100", "you bid 120", "OUTBID by bob: 130",
                "going once", "bob has won Vase for 130",
            ])
    }

    @Test("a refusal is in plain words, with the exit code of a refusal")
    func refused() {
        var session = OneShotSession(
            .bid(.bid(price(5)), by: bidder("alice"), waits: true), inSentences: true)
        _ = session.begin()
        let lines = ["OK status", "OK name alice t", "ERROR too-low minimum=121 bid at least 121"]
        let effects = session.receiveInJSON(after: OneShotSessionTests.hello, lines)
        #expect(Self.said(effects) == ["too low: bid at least 121"])
        #expect(effects.last == .exit(.refused))
    }

    @Test("what others wrote cannot control the terminal")
    func harmless() {
        let paint = LinePaint(isColoured: true)
        #expect(paint.text(of: Sentence("a\u{1B}b", .good)) == "\u{1B}[32ma\u{FFFD}b\u{1B}[0m")
    }

    /// What a request prints, when the server sends these lines after the greeting.
    private static func asked(
        _ command: Request.Command, _ news: [String], _ lines: [String]
    ) -> [String] {
        var session = OneShotSession(.ask(command), inSentences: true)
        _ = session.begin()
        let effects = session.receiveInJSON(after: OneShotSessionTests.hello, news + lines)
        #expect(effects.last == .exit(.done))
        return said(effects)
    }

    private static func said(_ effects: [ClientEffect]) -> [String] {
        effects.compactMap { if case .say(let sentence) = $0 { sentence.text } else { nil } }
    }
}
