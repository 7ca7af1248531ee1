import Auction
import Bidder
import BidderSupport
import Terminal
import Wire

extension Stage {
    static let dutchTerms = Terms(
        format: .dutch, seconds: 20, start: price(300), step: price(10), hasReserve: true)

    /// Makes a stage that connects to a lot with these terms, which has just opened.
    private static func connecting(_ size: Size, by name: String?, to terms: Terms) -> Stage {
        let stage = Stage(of: name, columns: size.columns, rows: size.rows)
        stage.snapshot = [
            .event(
                .lotOpened(Lot(number: 1, title: Stage.title)),
                .init(start: terms.start, elapsed: .zero)),
            .event(.termsAnnounced(terms)),
        ]
        stage.bidders = ["alice", "bob", "carol"].map(bidder)
        return stage
    }

    /// Makes a Dutch lot whose asking price falls from 300 by 10 every 0.8 s.
    static func dutch(
        _ size: Size, by name: String? = "alice", purse: Int64 = 860, to last: Int64 = 300
    ) -> Stage {
        let stage = connecting(size, by: name, to: dutchTerms)
        stage.secrets = StageSale.secrets(purse: purse, worth: 143)
        stage.connect(step: 10)
        var ask: Int64 = 300
        while ask > last {
            stage.pass(.milliseconds(800))
            ask -= 10
            stage.send(.event(.askFell(price(ask))))
        }
        return stage
    }

    /// Makes a lot with sealed bids of which nobody has made one.
    static func sealed(
        _ size: Size, _ format: AuctionFormat, by name: String? = "alice",
        standings: [StandingsRow] = []
    ) -> Stage {
        let stage = connecting(
            size, by: name,
            to: Terms(
                format: format, seconds: 20, start: price(50), step: price(1), hasReserve: true,
                buy: price(2_000)))
        stage.snapshot.append(.event(.secondsLeft(20), .init(remaining: .seconds(20))))
        stage.secrets = StageSale.secrets(purse: 860, worth: 143)
        stage.standings = standings
        stage.connect(step: 10)
        return stage
    }

    /// Makes a lot with four sealed bids, of which one is that of alice.
    static func sealedByAll(_ size: Size, _ format: AuctionFormat) -> Stage {
        let stage = sealed(size, format)
        stage.pass(.seconds(3))
        stage.send(.event(.bidsSealed(1)), .event(.bidsSealed(2)))
        stage.pass(.seconds(3))
        let own = SealedBid(bidder: bidder("alice"), price: price(140), elapsed: .zero)
        stage.send(.event(.bidSealed(own)), .event(.bidsSealed(3)))
        stage.pass(.seconds(1))
        stage.send(.event(.bidsSealed(4)))
        stage.pass(.seconds(2))
        return stage
    }

    /// Reveals the bids by name, highest first.
    func reveal(_ bids: KeyValuePairs<String, Int64>) {
        for (name, amount) in bids {
            send(
                .event(
                    .bidRevealed(
                        SealedBid(bidder: bidder(name), price: price(amount), elapsed: .zero))))
        }
    }

    /// Makes an English lot of a game, with a reserve, a buy-now price and a longest time.
    static func game(
        _ size: Size, by name: String? = "alice",
        secrets: [SaleEvent] = StageSale.secrets(purse: 860, worth: 143),
        standings: [StandingsRow] = []
    ) -> Stage {
        let stage = connecting(
            size, by: name,
            to: Terms(
                format: .english, seconds: 7, start: price(100), step: price(10),
                hasReserve: true, buy: price(500), longest: .seconds(60)))
        stage.secrets = secrets
        stage.standings = standings
        stage.connect(step: 10)
        return stage
    }

    /// Ends the lot with a sale.
    func sell(_ name: String, for amount: Int64) {
        send(lotSold(1, Stage.title, to: name, for: amount, at: now))
    }
}
