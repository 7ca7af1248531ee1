import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

extension Scene {
    /// Connecting, losing the server, and reconnecting.
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
            stage.snapshot = [lotOpened(1, Stage.title, start: 100, elapsed: .seconds(65))]
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
                [lotOpened(1, Stage.title, elapsed: stage.now)]
                + (stage.bids.last.map {
                    [.event(.bidPlaced($0), .init(remaining: .seconds(4)))]
                } ?? [])
            stage.connect(step: 10)
            stage.pass(.seconds(1))
            return stage
        },
    ]

    /// Rooms other than the main one.
    static let rooms = [
        Scene(name: "room", sizes: [usualSize, smallSize, Size(columns: 66, rows: 22)]) { size in
            let stage = Stage.opened(size, in: room("blue"))
            stage.later(4, "bob", 100).later(3.2, "alice", 120)
            stage.pass(.seconds(1.5))
            return stage
        },
        Scene(name: "room-joined") { size in
            let stage = Stage.busy(size)
            stage.otherRooms[room("a-room-with-a-long-name")] = Stage.Room(
                snapshot: [
                    lotOpened(3, Stage.title, start: 50, elapsed: .seconds(2))
                ], bidders: [bidder("alice"), bidder("zoe")])
            stage.enter("join a-room-with-a-long-name")
            return stage
        },
        Scene(name: "room-opened") { size in
            let stage = Stage.busy(size)
            stage.bidders = [bidder("alice")]
            stage.enter("open blue seconds=10 lots=5")
            return stage
        },
        Scene(name: "room-ended") { size in
            let stage = Stage.opened(size, in: room("blue")).later(4, "bob", 100)
            stage.lose()
            stage.pass(.seconds(1))
            stage.isHeld = { if case .join = $0 { true } else { false } }
            stage.connect(step: 10)
            stage.refuse(.noRoom)
            return stage
        },
        Scene(name: "rooms", sizes: [usualSize, smallSize, Size(columns: 120, rows: 40)]) { size in
            let stage = Stage.opened(size, in: room("z-room-7")).later(4, "bob", 100)
            stage.rooms =
                [RoomRow(name: .main, people: 3, lot: 12, format: .english, title: "lot-12")]
                + (0..<12).map {
                    RoomRow(
                        name: room($0 == 8 ? "experiment-b-monday" : "z-room-\($0)"),
                        people: 1 << $0, lot: $0, format: AuctionFormat.allCases[$0 % 4],
                        title: Stage.title)
                }
            stage.enter("rooms")
            return stage
        },
    ]

    private static let (usualSize, smallSize) = (
        Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)
    )

    private static func isLoading(_ command: Request.Command) -> Bool {
        switch command {
        case .laps, .who: true
        default: false
        }
    }
}
