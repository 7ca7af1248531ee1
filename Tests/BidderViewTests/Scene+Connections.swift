import AuctionRules
import Drawing
import Wire

extension Scene {
    /// From connecting to losing the server and finding it again.
    static let connections = [
        Scene(name: "connecting") { size in
            let stage = Stage(columns: size.columns, rows: size.rows)
            stage.pass(.milliseconds(350))
            return stage
        },
        Scene(name: "not-found") { size in
            let stage = Stage(columns: size.columns, rows: size.rows)
            stage.lose("Connection refused")
            return stage
        },
        Scene(name: "between-lots") { size in
            let stage = Stage(columns: size.columns, rows: size.rows)
            stage.bidders = [bidder("alice")]
            stage.connect()
            return stage
        },
        Scene(name: "loading") { size in
            let stage = Stage(columns: size.columns, rows: size.rows)
            stage.snapshot = [
                .lot(
                    Lot(number: 1, title: Stage.title), start: price(100), elapsed: .seconds(65))
            ]
            stage.isHeld = isLoading
            stage.connect()
            stage.pass(.milliseconds(250))
            return stage
        },
        Scene(name: "not-loaded") { size in
            let stage = Stage.opened(size).later(4, "bob", 100).later(2, "alice", 120)
            stage.isHeld = isLoading
            stage.type("laps")
            stage.press(.enter)
            stage.type("who")
            stage.press(.enter)
            stage.refuse(.unavailable)
            return stage
        },
        Scene(name: "lost") { size in
            let stage = Stage.busy(size)
            stage.lose()
            return stage
        },
        Scene(name: "connecting-again") { size in
            let stage = Stage.busy(size)
            stage.lose()
            stage.pass(.milliseconds(450))
            return stage
        },
        Scene(name: "back-again") { size in
            let stage = Stage.busy(size)
            stage.lose()
            stage.pass(.milliseconds(450))
            stage.snapshot =
                [.lot(Lot(number: 1, title: Stage.title), start: nil, elapsed: stage.now)]
                + (stage.bids.last.map {
                    [.price($0, lot: 1, remaining: .seconds(4))]
                } ?? [])
            stage.connect(step: 10)
            stage.pass(.seconds(1))
            return stage
        },
    ]

    private static func isLoading(_ command: Request.Command) -> Bool {
        switch command {
        case .laps, .who: true
        default: false
        }
    }
}
