import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

/// When a live view loads the standings, and what it knows of a game after a reconnect.
@Suite struct StandingsTests {
    private static let rows = [
        StandingsRow(rank: 1, bidder: bidder("alice"), lots: 1, spent: 120, left: 880, profit: 23),
        StandingsRow(rank: 2, bidder: bidder("bob"), lots: 0, spent: 0, left: 1_000, profit: 0),
    ]

    @Test("in a game the standings are loaded at once, and at the end of each lot")
    func game() {
        let stage = Stage.open(secrets: StageSale.secrets(purse: 1_000))
        #expect(stage.loads == 1)
        stage.bid(120, by: "alice", at: .zero)
        stage.pass(.seconds(1))
        #expect(stage.loads == 1)
        stage.standings = Self.rows
        stage.sell(to: "alice", for: 120, at: .seconds(7))
        #expect(stage.loads == 2)
        #expect(stage.model.standings == Self.rows)
        stage.send(lotOpened(2, start: 5), lotPassed(2), .event(.ended(lots: 2)))
        stage.pass(.seconds(1))
        #expect(stage.loads == 3)
    }

    @Test("in a game the standings are loaded when bidders join, but once for a crowd")
    func crowd() {
        let stage = Stage.open(secrets: StageSale.secrets(purse: 1_000))
        stage.isCounting = false
        stage.pass(.seconds(1))
        stage.standings = Self.rows
        stage.send(joined("bob"))
        #expect(stage.model.standings == Self.rows)
        let loads = stage.loads
        for number in 1...30 { stage.send(joined("guest-\(number)")) }
        #expect(stage.loads == loads)
        stage.pass(.seconds(1))
        #expect(stage.loads == loads + 1)
    }

    @Test("without purses and values a user's view loads the standings after the last lot alone")
    func plainSale() {
        let stage = Stage.open()
        stage.bid(120, by: "alice", at: .zero)
        stage.sell(to: "alice", for: 120, at: .seconds(7))
        #expect(stage.loads == 0)
        stage.send(.event(.ended(lots: 1)))
        #expect(stage.loads == 1)
    }

    @Test(
        "an observer's view loads the standings of a game",
        arguments: [true, false])
    func observer(isGame: Bool) {
        let stage = Stage.open(of: nil, secrets: isGame ? StageSale.secrets(purse: 1_000) : [])
        #expect(stage.loads == (isGame ? 1 : 0))
        stage.pass(.seconds(1))
        stage.sell(to: "bob", for: 120, at: .seconds(7))
        #expect(stage.loads == (isGame ? 2 : 0))
    }

    @Test("the standings of another server at the same address are not shown")
    func anotherGame() {
        let stage = Stage(of: nil)
        stage.standings = Self.rows
        stage.secrets = StageSale.secrets(purse: 1_000)
        stage.connect(serverID: "aaaa")
        #expect(stage.model.standings == Self.rows)
        stage.lose()
        (stage.standings, stage.secrets) = ([], [])
        stage.pass(.seconds(1))
        stage.connect(serverID: "bbbb")
        #expect(stage.model.standings.isEmpty)
        #expect(!stage.model.isGame)
    }

    @Test("typed, the command loads them, and a refusal of an older server is shown")
    func typed() {
        let stage = Stage.open()
        stage.standings = Self.rows
        stage.enter("standings")
        #expect(stage.feedback == .done("2 in the standings"))
        #expect(stage.model.picture == .list(.standings))
        stage.press(.escape)
        #expect(stage.model.picture != .list(.standings))
        stage.isHeld = { _ in true }
        stage.enter("standings")
        stage.refuse(ErrorReply(.unknownCommand, advice: "type help for the commands"))
        #expect(stage.feedback?.isRefusal == true)
        #expect(stage.model.standings == Self.rows)
    }

    @Test("a rematch begins with the card of a sale that waits, and without a champion")
    func rematch() {
        let stage = Stage.open()
        stage.send(
            lotSold(1, "Vase", to: "bob", for: 9, at: .seconds(1)), .event(.ended(lots: 1)),
            .event(.championNamed(bidder("bob"), score: 1)))
        #expect(stage.model.sale.champions.count == 1)
        stage.send(.event(.rematchBegan(games: 2, firstLot: 2)))
        #expect(stage.model.picture == .waiting)
        #expect(stage.model.sale.champions.isEmpty)
        #expect(!stage.screen[0].contains("Vase"))
        stage.send(lotOpened(2, "Clock", start: 5))
        #expect(stage.model.picture == nil)
    }

    @Test("after a reconnect, what the server tells the bidder alone is that of the present lot")
    func reconnect() {
        let stage = Stage()
        stage.keepsNews = true
        stage.snapshot = [lotOpened(1, start: 5)]
        stage.secrets =
            StageSale.secrets(purse: 1_000, worth: 90) + [.maximumSet(bidder("alice"), price(80))]
        stage.connect()
        stage.lose()
        stage.miss(lotPassed(1), lotOpened(2, start: 5))
        stage.snapshot = [lotOpened(2, start: 5)]
        stage.secrets = StageSale.secrets(purse: 1_000, worth: 143)
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.model.own?.worth == 143)
        #expect(stage.model.own?.maximum == nil)
        #expect(stage.model.own?.left == 1_000)
    }
}

extension Stage {
    /// How often the view has asked for the standings.
    fileprivate var loads: Int { commands.count { $0 == "standings" } }
}
