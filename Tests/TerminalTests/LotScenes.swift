import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

extension Scene {
    private static let large = [
        Size(columns: 80, rows: 24), Size(columns: 40, rows: 12), Size(columns: 66, rows: 22),
        Size(columns: 120, rows: 40), Size(columns: 200, rows: 60),
    ]
    private static let two = [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)]

    /// A lot from its opening to the last warning.
    static let lots = [
        Scene(name: "no-bid-yet") { size in
            let stage = Stage.opened(size)
            stage.pass(.seconds(12.3))
            return stage
        },
        Scene(name: "you-lead") { size in
            let stage = Stage.opened(size).later(4, "bob", 100).later(3.2, "alice", 120)
            stage.pass(.seconds(1.5))
            return stage
        },
        Scene(name: "another-leads") { size in
            let stage = Stage.opened(size).later(4, "alice", 100).later(3.2, "bob", 120)
            stage.pass(.seconds(6.2))
            return stage
        },
        Scene(name: "twelve-laps", sizes: large) { Stage.busy($0) },
        Scene(name: "an-hour", sizes: large) { Stage.long($0) },
        Scene(name: "going-once") { Stage.opened($0).later(4, "bob", 1_500).count(to: 4) },
        Scene(name: "going-twice") { Stage.opened($0).later(4, "bob", 1_500).count(to: 1) },
        Scene(name: "paused") { size in
            let stage = Stage.opened(size).later(4, "alice", 100).later(3.2, "bob", 120)
            stage.pass(.seconds(2.5))
            stage.send(.event(.paused))
            stage.pass(.seconds(4))
            return stage
        },
        Scene(name: "voided") { size in
            let stage = Stage.opened(size).later(4, "alice", 100).later(3.2, "bob", 120)
            stage.pass(.seconds(2.5))
            stage.void()
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "all-voided") { size in
            let stage = Stage.opened(size).later(4, "bob", 100)
            stage.pass(.seconds(2.5))
            stage.void()
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "watching") { Stage.busy($0, by: nil) },
        Scene(name: "scrolled", sizes: two) { size in
            let stage = Stage.busy(size)
            for second in 1...40 {
                stage.bid(Int64(1_100 + 20 * second), by: "bob", at: stage.now)
                stage.pass(.seconds(1))
            }
            stage.press(.pageDown)
            return stage.later(1, "eve", 3_000).later(1, "bob", 3_010).later(1, "eve", 3_100)
        },
        Scene(name: "missed-news") { size in
            let stage = Stage.opened(size).later(4, "bob", 100).later(3, "carol", 120)
            stage.pass(.seconds(12))
            stage.send(
                .event(
                    .bidPlaced(lap(30, 480, "bob", at: .seconds(18))),
                    .init(remaining: .seconds(7))))
            stage.pass(.seconds(3))
            return stage
        },
    ]

    /// The ends of a lot and of a sale.
    static let endings = [
        Scene(name: "sold-to-you") { sold($0, to: "alice") },
        Scene(name: "sold-to-another") { sold($0, to: "bob") },
        Scene(name: "sale-over") { size in
            let stage = sold(size, to: "bob")
            stage.send(.event(.ended(lots: 1)))
            return stage
        },
        Scene(name: "passed") { size in
            let stage = Stage.opened(size)
            stage.pass(.seconds(30))
            stage.send(lotPassed(1, Stage.title))
            return stage
        },
        Scene(name: "sold-while-paused") { size in
            let stage = Stage.opened(size).later(4, "bob", 1_500)
            stage.pass(.seconds(1))
            stage.send(
                .event(.paused), .event(.hammered),
                lotSold(1, Stage.title, to: "bob", for: 1_500, at: .seconds(5)))
            return stage
        },
        Scene(name: "next-lot") { size in
            let stage = sold(size, to: "bob")
            stage.bids = []
            stage.pass(.seconds(3))
            stage.send(lotOpened(2, "lot-2", start: 50))
            stage.pass(.seconds(2))
            return stage
        },
    ]

    private static func sold(_ size: Size, to name: String) -> Stage {
        let stage = Stage.opened(size).later(4, "carol", 900).later(2, name, 1_500).count(to: 1)
        stage.pass(.seconds(1))
        stage.send(lotSold(1, Stage.title, to: name, for: 1_500, at: .seconds(13)))
        stage.pass(.seconds(2))
        return stage
    }
}
