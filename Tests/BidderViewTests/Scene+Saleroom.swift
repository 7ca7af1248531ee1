import AuctionRules
import Drawing
import Wire

extension Stage {
    static let title = "Walnut bureau, about 1760"

    /// Alice, or somebody who watches, in a sale whose lot has just opened.
    static func opened(
        _ size: Size, by name: String? = "alice", title: String = title,
        others: [String] = ["bob", "carol"], elapsed: Duration = .zero
    ) -> Stage {
        let stage = Stage(of: name, columns: size.columns, rows: size.rows)
        stage.snapshot = [
            .lot(Lot(number: 1, title: title), start: price(100), elapsed: elapsed)
        ]
        stage.bidders = (name.map { [$0] } ?? []).map(bidder) + others.map(bidder)
        stage.connect(step: 10)
        return stage
    }

    /// Time passes, the server counts it down, and then somebody bids.
    @discardableResult
    func later(_ seconds: Double, _ name: String, _ amount: Int64) -> Stage {
        pass(.seconds(seconds))
        bid(amount, by: name, at: now - openedAt)
        return self
    }

    /// Time passes while the server counts down.
    @discardableResult
    func count(to last: Int) -> Stage {
        for seconds in stride(from: 6, through: last, by: -1) {
            pass(.seconds(1))
            tell(.countdown(seconds, remaining: .seconds(seconds)))
            if seconds == 4 { tell(.going(.once)) }
            if seconds == 2 { tell(.going(.twice)) }
        }
        return self
    }

    /// Twelve laps in a minute and a half, with people who come and go.
    static func busy(_ size: Size, by name: String? = "alice") -> Stage {
        let stage = opened(size, by: name)
        stage.later(34.2, "bob", 100).later(3.1, "alice", 120).later(6.4, "carol", 150)
        stage.tell(.joined(bidder("dora-the-collector")))
        stage.later(5.9, "dora-the-collector", 200).later(0.4, "bob", 210)
        stage.later(0.3, "carol", 260).later(6.9, "alice", 300).later(6.8, "bob", 320)
        stage.tell(.joined(bidder("eve")), .left(bidder("carol")))
        stage.later(6.6, "eve", 400).later(2.2, "dora-the-collector", 410)
        stage.later(6.1, "alice", 800).later(6.7, "bob", 1_050)
        stage.pass(.seconds(2.4))
        return stage
    }

    /// A lot that has been open for an hour, with a bid in most minutes.
    static func long(_ size: Size) -> Stage {
        let stage = Stage(columns: size.columns, rows: size.rows)
        stage.bids = (0..<58).map { index in
            Bid(
                number: index + 1, price: price(100 + Int64(index * index) * 10),
                bidder: bidder(["bob", "alice", "carol"][index % 3]),
                elapsed: .seconds(37) + .seconds(61) * index)
        }
        stage.snapshot =
            [.lot(Lot(number: 1, title: title), start: nil, elapsed: .seconds(3_600))]
            + (stage.bids.last.map {
                [.price($0, lot: 1, remaining: .seconds(40))]
            } ?? [])
        stage.bidders = ["alice", "bob", "carol"].map(bidder)
        stage.connect(seconds: 120, step: 10)
        stage.pass(.seconds(2))
        return stage
    }
}
