import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

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
        if case .offer(.bid, _) = command { true } else { false }
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
