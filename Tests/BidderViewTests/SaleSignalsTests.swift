import AuctionRules
import BidderView
import MarbleSupport
import Reactive
import Testing
import Wire

@Suite struct SignalBiddersTests {
    @Test("bidders are loaded, and then join and leave with the news")
    func bidders() {
        let marbles = Marbles(
            """
            loads  -1-----2--
            news   ---Ab-A---
            =      -1-21-12--
            """)
        let loaded = marbles.loads.map { $0 == "1" ? [bidder("bob")] : [bidder("x"), bidder("a")] }
        let bidders = Signal.bidders(loaded: loaded, news: marbles.news.map(message))
        marbles.expect(bidders.map { Character("\($0.count)") })
    }

    @Test("a bidder who joins is last, and only once in the list")
    func order() {
        let news = Subject<ServerMessage>()
        var names: [String] = []
        let subscription = Signal.bidders(
            loaded: .of([bidder("al"), bidder("bob")]).concat(.never), news: news.signal
        )
        .observe { names = $0.map(\.description) }
        news.notify(.joined(bidder("AL")))
        #expect(names == ["bob", "AL"])
        news.notify(.price(lap(1, 5, "carol"), lot: nil, remaining: nil))
        #expect(names == ["bob", "AL"])
        subscription.cancel()
    }
}

/// A capital letter joins, a small one leaves.
private func message(_ symbol: Character) -> ServerMessage {
    let name = symbol.lowercased() == "b" ? "bob" : "a"
    return symbol.isUppercase ? .joined(bidder(name)) : .left(bidder(name))
}

@Suite struct SignalSpinnerTests {
    @Test("the spinner turns ten times a second while something loads")
    func turns() {
        let timeline = Timeline()
        let (one, other) = (Subject(false), Subject<Bool>())
        var told: [Int?] = []
        let subscription = Signal.spinner(while: [one.signal, other.signal], on: timeline)
            .observe { told.append($0) }
        #expect(told == [nil])
        one.notify(true)
        timeline.advance(to: .milliseconds(250))
        other.notify(true)
        one.notify(false)
        #expect(told == [nil, 0, 1, 2])
        timeline.advance(to: .milliseconds(300))
        other.notify(false)
        #expect(told == [nil, 0, 1, 2, 3, nil])
        #expect(timeline.nextDeadline == nil)
        subscription.cancel()
    }
}
