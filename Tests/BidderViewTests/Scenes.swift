import AuctionRules
import Drawing
import Sale
import Testing
import Typing
import Wire

/// A state of the view, reached by lines of the server, keys and time.
struct Scene: CustomTestStringConvertible, Sendable {
    let name: String
    var sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)]
    let play: @Sendable (Size) -> Stage

    var testDescription: String { name }

    /// The state on terminals of all sizes.
    var views: [View] { sizes.map { View(scene: self, size: $0) } }

    /// A state on a terminal of one size.
    struct View: CustomTestStringConvertible, Sendable {
        let scene: Scene
        let size: Size

        var file: String { "\(scene.name)-\(size.columns)x\(size.rows).txt" }
        var testDescription: String { file }

        /// The frame of the state.
        var frame: Frame {
            let stage = scene.play(size)
            _ = stage.screen
            return stage.frame
        }
    }

    static let all = connections + rooms + lots + endings + inputs + extremes + games
}

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
                    .lot(Lot(number: 3, title: Stage.title), start: price(50), elapsed: .seconds(2))
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
            stage.send(.paused)
            stage.pass(.seconds(4))
            return stage
        },
        Scene(name: "voided") { size in
            let stage = Stage.opened(size).later(4, "alice", 100).later(3.2, "bob", 120)
            stage.pass(.seconds(2.5))
            stage.void(restating: 7)
            stage.pass(.seconds(1))
            return stage
        },
        Scene(name: "all-voided") { size in
            let stage = Stage.opened(size).later(4, "bob", 100)
            stage.pass(.seconds(2.5))
            stage.void(restating: 7)
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
                .price(lap(30, 480, "bob", at: .seconds(18)), lot: 1, remaining: .seconds(7)))
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
            stage.send(.over(lots: 1))
            return stage
        },
        Scene(name: "passed") { size in
            let stage = Stage.opened(size)
            stage.pass(.seconds(30))
            stage.send(.passed(Lot(number: 1, title: Stage.title), reason: "no-bids"))
            return stage
        },
        Scene(name: "sold-while-paused") { size in
            let stage = Stage.opened(size).later(4, "bob", 1_500)
            stage.pass(.seconds(1))
            stage.send(
                .paused, .hammered,
                .winner(
                    SoldLot(
                        number: 1, title: Stage.title, bidder: bidder("bob"), price: price(1_500),
                        elapsed: .seconds(5))))
            return stage
        },
        Scene(name: "next-lot") { size in
            let stage = sold(size, to: "bob")
            stage.bids = []
            stage.pass(.seconds(3))
            stage.send(
                .lot(Lot(number: 2, title: "lot-2"), start: price(50), elapsed: .zero))
            stage.pass(.seconds(2))
            return stage
        },
    ]

    private static func sold(_ size: Size, to name: String) -> Stage {
        let stage = Stage.opened(size).later(4, "carol", 900).later(2, name, 1_500).count(to: 1)
        stage.pass(.seconds(1))
        stage.send(
            .winner(
                SoldLot(
                    number: 1, title: Stage.title, bidder: bidder(name), price: price(1_500),
                    elapsed: .seconds(13))))
        stage.pass(.seconds(2))
        return stage
    }
}

extension Scene {
    /// Typed lines and their answers.
    static let inputs = [
        Scene(name: "bid-taken") { size in
            let stage = typed("200", on: Stage.opened(size).later(4, "bob", 120))
            stage.bid(200, by: "alice", at: stage.now)
            return stage
        },
        Scene(name: "bid-waits") { size in
            let stage = Stage.opened(size).later(4, "bob", 120)
            stage.isHeld = isBid
            return typed("200", on: stage)
        },
        Scene(name: "outbid") { size in
            let stage = typed("200", on: Stage.opened(size).later(4, "bob", 120))
            stage.bid(200, by: "alice", at: stage.now)
            return stage.later(2, "bob", 250)
        },
        Scene(name: "too-low") { size in
            refused(
                .tooLow(minimum: 130), after: "125", on: Stage.opened(size).later(4, "bob", 120))
        },
        Scene(name: "leading") { size in
            refused(
                .leading(at: price(120)), after: "150",
                on: Stage.opened(size).later(4, "alice", 120))
        },
        Scene(name: "no-such-command") { typed("sell it", on: Stage.opened($0)) },
        Scene(name: "offer") { size in
            let stage = Stage.opened(size).later(4, "bob", 120)
            stage.press(.up)
            return stage
        },
        Scene(name: "completion") { size in
            let stage = Stage.opened(size).later(4, "bob", 120)
            stage.type("stat")
            stage.press(.tab)
            return stage
        },
        Scene(name: "long-line") { size in
            let stage = Stage.opened(size).later(4, "bob", 120)
            stage.type((1...40).map { "\($0)" }.joined(separator: " "))
            stage.press(.left, .left)
            return stage
        },
        Scene(name: "long-line-refused") { size in
            let stage = refused(
                .tooLow(minimum: 130), after: "125", on: Stage.opened(size).later(4, "bob", 120))
            stage.type("bid " + String(repeating: "1234567890", count: 10))
            return stage
        },
        Scene(
            name: "help-playing",
            sizes: [
                Size(columns: 80, rows: 24), Size(columns: 40, rows: 12),
                Size(columns: 120, rows: 40),
            ]
        ) { size in
            let stage = Stage.busy(size)
            stage.type("?")
            return stage
        },
        Scene(name: "help-watching") { size in
            let stage = Stage.busy(size, by: nil)
            stage.type("?")
            return stage
        },
    ]

    private static func isBid(_ command: Request.Command) -> Bool {
        if case .bid = command { true } else { false }
    }

    private static func typed(_ line: String, on stage: Stage) -> Stage {
        stage.type(line)
        stage.press(.enter)
        return stage
    }

    private static func refused(_ fault: ErrorReply, after line: String, on stage: Stage) -> Stage {
        stage.isHeld = isBid
        _ = typed(line, on: stage)
        stage.refuse(fault)
        return stage
    }
}

extension Scene {
    /// The widest, highest and smallest content.
    static let extremes = [
        Scene(name: "wide-title") { size in
            Stage.opened(size, title: "青花瓷瓶 (清代) 🏺 with a lid 🇨🇳 and a 👨‍👩‍👧 on it").later(4, "bob", 120)
        },
        Scene(name: "long-title") { size in
            let word = "Louis-seize commode with marquetry of tulipwood and amaranth, "
            return Stage.opened(size, title: String(String(repeating: word, count: 4).prefix(200)))
                .later(4, "bob", 120)
        },
        Scene(name: "highest-price") { size in
            let (first, second) = ("abcdefghijklmnopqrstuvwx", "a-name-of-24-letters-123")
            return Stage.opened(size, others: [first, second])
                .later(4, first, 999_999_999_990).later(5, second, 1_000_000_000_000)
        },
        Scene(name: "alike-names") { size in
            let names = (1...5).map { "bidder-number-00000000-\($0)" }
            let stage = Stage.opened(size, others: names + (1...20).map { "guest-\($0)" })
            for (index, name) in names.enumerated() {
                stage.later(1.5, name, Int64(100 + 20 * index))
            }
            return stage
        },
        Scene(
            name: "too-small",
            sizes: [Size(columns: 39, rows: 11), Size(columns: 10, rows: 3)]
        ) { Stage.busy($0) },
    ]
}
