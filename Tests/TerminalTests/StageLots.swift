import Auction
import Bidder
import BidderSupport
import Terminal
import Wire

extension Stage {
    static let title = "Walnut bureau, about 1760"

    /// Makes the view of a bidder or an observer when a lot has just opened.
    static func opened(
        _ size: Size, by name: String? = "alice", title: String = title,
        in place: RoomName = .main, others: [String] = ["bob", "carol"], elapsed: Duration = .zero
    ) -> Stage {
        let stage = Stage(of: name, in: place, columns: size.columns, rows: size.rows)
        let content = Room(
            snapshot: [lotOpened(1, title, start: 100, elapsed: elapsed)],
            bidders: (name.map { [$0] } ?? []).map(bidder) + others.map(bidder))
        if place == .main {
            (stage.snapshot, stage.bidders) = (content.snapshot, content.bidders)
        } else {
            stage.otherRooms[place] = content
        }
        stage.connect(step: 10)
        return stage
    }

    /// Advances the time, and accepts a bid.
    @discardableResult
    func later(_ seconds: Double, _ name: String, _ amount: Int64) -> Stage {
        pass(.seconds(seconds))
        bid(amount, by: name, at: now - openedAt)
        return self
    }

    /// Advances the time with the countdown of the server.
    @discardableResult
    func count(to last: Int) -> Stage {
        for seconds in stride(from: 6, through: last, by: -1) {
            pass(.seconds(1))
            if seconds == 4 { send(.event(.warned(.once))) }
            if seconds == 2 { send(.event(.warned(.twice))) }
        }
        return self
    }

    /// Makes a lot with twelve laps in 90 s, and bidders who join and leave.
    static func busy(_ size: Size, by name: String? = "alice") -> Stage {
        let stage = opened(size, by: name)
        stage.later(34.2, "bob", 100).later(3.1, "alice", 120).later(6.4, "carol", 150)
        stage.send(joined("dora-the-collector"))
        stage.later(5.9, "dora-the-collector", 200).later(0.4, "bob", 210)
        stage.later(0.3, "carol", 260).later(6.9, "alice", 300).later(6.8, "bob", 320)
        stage.send(joined("eve"), left("carol"))
        stage.later(6.6, "eve", 400).later(2.2, "dora-the-collector", 410)
        stage.later(6.1, "alice", 800).later(6.7, "bob", 1_050)
        stage.pass(.seconds(2.4))
        return stage
    }

    /// Makes a lot that has been open for an hour, with a bid in most minutes.
    static func long(_ size: Size) -> Stage {
        let stage = Stage(columns: size.columns, rows: size.rows)
        stage.bids = (0..<58).map { index in
            Bid(
                number: index + 1, price: price(100 + Int64(index * index) * 10),
                bidder: bidder(["bob", "alice", "carol"][index % 3]),
                elapsed: .seconds(37) + .seconds(61) * index)
        }
        stage.snapshot =
            [lotOpened(1, title, elapsed: .seconds(3_600))]
            + (stage.bids.last.map {
                [.event(.bidPlaced($0), .init(remaining: .seconds(40)))]
            } ?? [])
        stage.bidders = ["alice", "bob", "carol"].map(bidder)
        stage.connect(seconds: 120, step: 10)
        stage.pass(.seconds(2))
        return stage
    }
}

extension Stage {
    /// Makes a view of a small lot that has just opened.
    static func open(
        of name: String? = "alice", columns: Int = 80, rows: Int = 24, ringsBell: Bool = false
    ) -> Stage {
        let stage = Stage(of: name, columns: columns, rows: rows, ringsBell: ringsBell)
        stage.snapshot = [lotOpened(1, "Vase", start: 5)]
        stage.connect()
        return stage
    }

    /// Makes a view of a small lot in a sale with secrets.
    static func open(
        of name: String? = "alice", secrets: [SaleEvent], seconds: Int = 7
    ) -> Stage {
        let stage = Stage(of: name)
        stage.snapshot = [lotOpened(1, "Vase", start: 5)]
        stage.secrets = secrets
        stage.connect(seconds: seconds)
        return stage
    }

    /// Makes a view of a lot that is sold by these terms, and has just opened.
    static func open(_ format: AuctionFormat, buy: Int64? = nil, ringsBell: Bool = false) -> Stage {
        let stage = Stage(ringsBell: ringsBell)
        let step = format == .dutch ? price(10) : price(1)
        let terms = Terms(
            format: format, seconds: 7, start: price(100), step: step, buy: buy.map(price))
        stage.snapshot = [lotOpened(1, "Vase", start: 100), .event(.termsAnnounced(terms))]
        stage.connect()
        return stage
    }

    func sell(to name: String, for amount: Int64, at elapsed: Duration) {
        send(lotSold(1, "Vase", to: name, for: amount, at: elapsed))
    }
}
