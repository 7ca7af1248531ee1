import Auction
import Bidder
import BidderSupport
import Terminal
import Wire

extension Scene {
    private static let (small, usual, large) = (
        Size(columns: 40, rows: 12), Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)
    )
    private static let middle = Size(columns: 66, rows: 22)
    private static let three = [usual, small, large]

    /// Auctions that are not plain English ones, and games.
    static let games = waiting + dutch + sealed + english + standings
}

// MARK: - Before the start

extension Scene {
    private static let wide = Size(columns: 200, rows: 50)

    private static let waiting = [
        Scene(name: "waiting", sizes: three + [wide]) { waits($0, by: "alice") },
        Scene(name: "waiting-host") { size in
            let stage = waits(size, by: "alice")
            stage.enter("auctioneer t0p")
            return stage
        },
        Scene(name: "waiting-watching") { waits($0, by: nil) },
        Scene(name: "waiting-crowd", sizes: three) { size in
            let stage = waits(size, by: "alice", others: 40)
            stage.send(.event(.nextAnnounced(title: "Vase", seconds: 5)))
            return stage
        },
    ]

    private static func waits(_ size: Size, by name: String?, others: Int = 0) -> Stage {
        let stage = Stage(of: name, columns: size.columns, rows: size.rows)
        stage.bidders =
            ["alice", "bob", "zoe"].map(bidder) + (0..<others).map { bidder("guest-\($0)") }
        stage.snapshot = stage.bidders.map { joined("\($0)") }
        stage.secrets = StageSale.secrets(purse: 225, worth: 90)
        stage.connect()
        stage.send(.event(.displayNameSet(bidder("zoe"), text: "Zoë")))
        stage.send(.event(.displayNameSet(bidder("bob"), text: "The Duke")))
        return stage
    }
}

// MARK: - Falling prices

extension Scene {
    private static let dutch = [
        Scene(name: "dutch-opens") { size in
            let stage = Stage.dutch(size)
            stage.pass(.seconds(0.3))
            return stage
        },
        Scene(name: "dutch-above-value", sizes: three + [middle]) { Stage.dutch($0, to: 200) },
        Scene(name: "dutch-below-value", sizes: three) { Stage.dutch($0, to: 120) },
        Scene(name: "dutch-watching") { Stage.dutch($0, by: nil, to: 120) },
        Scene(name: "dutch-over-purse") { Stage.dutch($0, purse: 150, to: 200) },
        Scene(name: "dutch-paused") { size in
            let stage = Stage.dutch(size, to: 200)
            stage.send(.event(.paused))
            stage.pass(.seconds(2))
            return stage
        },
        Scene(name: "dutch-taken", sizes: three) { size in
            let stage = Stage.dutch(size, to: 120)
            stage.bid(120, by: "alice", at: stage.now)
            stage.sell("alice", for: 120)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "dutch-missed") { size in
            let stage = Stage.dutch(size, to: 210)
            stage.bid(210, by: "bob", at: stage.now)
            stage.sell("bob", for: 210)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "dutch-latecomer") { size in
            let stage = Stage(columns: size.columns, rows: size.rows)
            stage.snapshot = [
                lotOpened(1, Stage.title, start: 300, elapsed: .seconds(8)),
                .event(.termsAnnounced(Stage.dutchTerms)),
                .event(.askFell(price(180)), .init(remaining: .seconds(12))),
            ]
            stage.secrets = StageSale.secrets(purse: 860, worth: 143)
            stage.connect(step: 10)
            stage.pass(.seconds(1))
            return stage
        },
    ]
}

// MARK: - Sealed bids

extension Scene {
    private static let sealed = [
        Scene(name: "sealed-opens") { size in
            let stage = Stage.sealed(size, .sealed)
            stage.pass(.seconds(2))
            return stage
        },
        Scene(name: "sealed-others") { size in
            let stage = Stage.sealed(size, .sealed)
            stage.send(.event(.bidsSealed(1)), .event(.bidsSealed(2)))
            stage.pass(.seconds(2))
            return stage
        },
        Scene(name: "sealed-own", sizes: three + [middle]) { Stage.sealedByAll($0, .sealed) },
        Scene(name: "vickrey-own") { Stage.sealedByAll($0, .vickrey) },
        Scene(name: "sealed-many") { size in
            let stage = Stage.sealedByAll(size, .sealed)
            stage.send(.event(.bidsSealed(240)))
            return stage
        },
        Scene(name: "sealed-watching") { size in
            let stage = Stage.sealed(size, .vickrey, by: nil)
            stage.send(.event(.bidsSealed(1)), .event(.bidsSealed(2)), .event(.bidsSealed(3)))
            stage.pass(.seconds(2))
            return stage
        },
        Scene(name: "vickrey-revealed", sizes: three) { size in
            let stage = Stage.sealedByAll(size, .vickrey)
            stage.reveal(["alice": 140, "dora-the-collector": 122, "bob": 100, "carol": 80])
            stage.sell("alice", for: 122)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "sealed-revealed") { size in
            let stage = Stage.sealedByAll(size, .sealed)
            stage.reveal(["bob": 1_500, "dora-the-collector": 160, "alice": 140, "carol": 80])
            stage.sell("bob", for: 1_500)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "sealed-unsold") { size in
            let stage = Stage.sealedByAll(size, .vickrey)
            stage.reveal(["alice": 140, "bob": 100, "carol": 80])
            stage.send(lotPassed(1, Stage.title, reason: "reserve-not-met"))
            stage.pass(.seconds(1))
            return stage
        },
    ]
}

// MARK: - Rising prices, in a game

extension Scene {
    private static let english = [
        Scene(name: "game-no-bid") { size in
            let stage = Stage.game(size)
            stage.pass(.seconds(3))
            return stage
        },
        Scene(name: "game-outbid", sizes: three + [middle]) { size in
            let stage = Stage.game(size).later(4, "alice", 100).later(3.2, "bob", 120)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "game-leading") { size in
            let stage = Stage.game(size).later(4, "bob", 100).later(3.2, "alice", 120)
            stage.send(.event(.maximumSet(bidder("alice"), price(200))), .event(.reserveMet))
            stage.send(
                .event(
                    .messageSaid(bidder("bob"), text: "that is more than it is worth, is it not?")))
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "game-loss") { size in
            let stage = Stage.game(size).later(4, "bob", 200)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "game-over-purse") { size in
            let stage = Stage.game(
                size, secrets: StageSale.secrets(purse: 150, worth: 1_430)
            )
            .later(4, "bob", 200)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "game-estimate") { size in
            let stage = Stage.game(
                size, secrets: StageSale.secrets(purse: 1_000_000, worth: 12_500, isEstimate: true)
            ).later(4, "bob", 400)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "game-winners-curse") { size in
            let stage = Stage.game(
                size, secrets: StageSale.secrets(purse: 860, worth: 143, isEstimate: true)
            ).later(4, "bob", 110).later(2, "alice", 130)
            stage.pass(.seconds(7))
            stage.sell("alice", for: 130)
            stage.send(.event(.valueRevealed(117)))
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "terms-alone") { size in
            let stage = Stage.game(size, secrets: []).later(4, "bob", 110)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "maximum-alone") { size in
            let stage = Stage.opened(size).later(4, "bob", 100).later(2, "alice", 110)
            stage.send(.event(.maximumSet(bidder("alice"), price(200))))
            stage.pass(.seconds(1))
            return stage
        },
    ]
}

// MARK: - Standings

extension Scene {
    private static let rows = [
        StandingsRow(
            rank: 1, bidder: bidder("bob"), lots: 2, spent: 240, left: 760, profit: 81),
        StandingsRow(
            rank: 2, bidder: bidder("dora-the-collector"), lots: 1, spent: 140, left: 860,
            profit: 37),
        StandingsRow(
            rank: 3, bidder: bidder("carol"), lots: 0, spent: 0, left: 1_000, profit: 0),
        StandingsRow(
            rank: 3, bidder: bidder("eve"), lots: 0, spent: 0, left: 1_000, profit: 0),
        StandingsRow(
            rank: 5, bidder: bidder("alice"), lots: 2, spent: 310, left: 690, profit: -12),
    ]

    private static let standings = [
        Scene(name: "game-standings", sizes: three) { size in
            let stage = Stage.game(size, standings: rows)
            stage.later(4, "bob", 110).later(2, "alice", 130)
            stage.send(.event(.messageSaid(bidder("bob"), text: "good luck to all")))
            stage.pass(.seconds(1))
            return stage
        },
        Scene(
            name: "game-crowded",
            sizes: three + [middle, Size(columns: 100, rows: 30), Size(columns: 200, rows: 50)]
        ) { size in
            let guests = (1...30).map { number in
                StandingsRow(
                    rank: 6, bidder: bidder("guest-\(number)"), lots: 0, spent: 0, left: 1_000,
                    profit: 0)
            }
            let stage = Stage.game(size, standings: rows.dropLast() + guests + rows.suffix(1))
            stage.later(4, "bob", 110).later(2, "alice", 130).later(3, "bob", 150)
            stage.send(joined("alice"), left("eve"), .event(.reserveMet))
            stage.send(.event(.messageSaid(bidder("bob"), text: "good luck to all")))
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "game-sealed") { size in
            let stage = Stage.sealed(size, .vickrey, standings: rows)
            stage.send(.event(.bidsSealed(1)), .event(.bidsSealed(2)))
            stage.pass(.seconds(2))
            return stage
        },
        Scene(name: "game-champion", sizes: three + [middle]) { ended($0, champions: ["bob"]) },
        Scene(name: "game-own-champion") { ended($0, by: "bob", champions: ["bob"]) },
        Scene(name: "game-champions-tie") {
            ended($0, by: nil, champions: ["bob", "carol", "eve"])
        },
        Scene(name: "game-points", sizes: three + [wide]) { size in
            let ranked = rows.enumerated().map { index, row in
                StandingsRow(
                    rank: row.rank, bidder: row.bidder, lots: row.lots, spent: row.spent,
                    left: row.left, profit: row.profit, points: 6 - index)
            }
            let stage = ended(size, champions: ["bob"], rows: ranked)
            for award in [
                Award(.bargain, to: bidder("bob"), amount: 60, title: Stage.title),
                Award(.overpay, to: bidder("alice"), amount: 12, title: Stage.title),
            ] {
                stage.send(.event(.awardGiven(award)))
            }
            return stage
        },
        Scene(name: "asked-results") { size in
            let stage = Stage(columns: size.columns, rows: size.rows)
            stage.snapshot = [lotOpened(31, Stage.title, start: 100)]
            stage.results = (1...30).map { number in
                .result(
                    Lot(number: number, title: "Lot of number \(number)"),
                    winner: number % 3 == 0 ? nil : bidder("bob"),
                    price: number % 3 == 0 ? nil : price(120), elapsed: .seconds(9))
            }
            stage.connect()
            stage.enter("results")
            return stage
        },
        Scene(name: "asked-standings") { size in
            let stage = Stage.game(size, standings: rows).later(4, "bob", 110)
            stage.enter("standings")
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "plain-champion") { endedWithoutGame($0, lots: 2) },
        Scene(name: "only-lot") { endedWithoutGame($0, lots: 1) },
    ]

    /// Ends a sale without a game, of which bob has won every lot.
    private static func endedWithoutGame(_ size: Size, lots: Int) -> Stage {
        let stage = Stage.opened(size)
        for number in 1..<lots {
            stage.send(
                lotPassed(number),
                .event(.lotOpened(Lot(number: number + 1, title: Stage.title))))
        }
        stage.later(4, "carol", 900).later(2, "bob", 1_500)
        stage.pass(.seconds(7))
        stage.sell("bob", for: 1_500)
        stage.send(
            .event(.ended(lots: lots)), .event(.championNamed(bidder("bob"), score: Int64(lots))))
        return stage
    }

    private static func ended(
        _ size: Size, by name: String? = "alice", champions: [String],
        rows: [StandingsRow] = rows
    ) -> Stage {
        let stage = Stage.game(size, by: name, standings: rows)
        stage.later(4, "bob", 110).later(2, "carol", 130)
        stage.pass(.seconds(7))
        stage.sell("carol", for: 130)
        stage.send(.event(.ended(lots: 5)))
        for name in champions { stage.send(.event(.championNamed(bidder(name), score: 81))) }
        stage.pass(.seconds(1))
        return stage
    }
}
