import AuctionRules
import BidderView
import MarbleSupport
import Reactive
import Testing
import Wire

@Suite struct SignalClockTests {
    @Test("pulses come once in each period since the newest instant, and none while there is none")
    func pulses() {
        let marbles = Marbles(
            """
            starts  -a----n--a--a---
            =       ---p-p-----p--p-
            """)
        marbles.expect(marbles.pulses { marbles.timeline.now }, until: 15)
    }

    @Test("pulses are those of the instant, whenever somebody begins to listen")
    func phase() {
        let marbles = Marbles(
            """
            starts  ----a------
            =       -----p-p-p-
            """)
        marbles.expect(marbles.pulses { .seconds(1) }, until: 10)
    }

    @Test("a pulse at the very instant of listening has been, the next comes a period later")
    func atThePulse() {
        let marbles = Marbles(
            """
            starts  ---a------
            =       -----p-p--
            """)
        marbles.expect(marbles.pulses { .seconds(1) }, until: 8)
    }

    @Test("the clock of the lot runs from when it opened, and is told only when it changes")
    func lotClock() {
        let marbles = Marbles(
            """
            news  --o-c-c--w-w-o---
            =     o-o------w---o---
            """)
        let start = Signal<Character>.of("o")
        let clock = start.merge(marbles.news).map(message).lotClock(on: marbles.timeline)
        marbles.expect(clock.map { $0.runningSince == nil ? "w" : "o" })
    }

    @Test("the hammer is that of the greeting's full seconds, with each greeting anew")
    func hammer() {
        let timeline = Timeline()
        let greetings = Subject<Greeting>()
        let news = Subject<ServerMessage>()
        var falls: [Duration?] = []
        let subscription = news.signal.hammer(greetings.signal, on: timeline)
            .observe { falls.append($0.fallsAt) }
        greetings.notify(Greeting(seconds: 7, step: price(1)))
        timeline.advance(to: .seconds(10))
        news.notify(.price(lap(1, 5, "bob"), lot: nil, remaining: nil))
        news.notify(.joined(bidder("carol")))
        #expect(falls == [.seconds(17)])
        subscription.cancel()
    }
}

private func message(_ symbol: Character) -> ServerMessage {
    switch symbol {
    case "o": .lot(Lot(number: 1), start: nil, elapsed: .zero)
    case "w":
        .winner(
            SoldLot(
                number: 1, title: "Vase", bidder: bidder("bob"), price: price(5),
                elapsed: .seconds(7)))
    default: .countdown(3, remaining: nil)
    }
}

extension Marbles {
    /// Pulses every two ticks since the instant for `a`; there is none for another letter.
    fileprivate func pulses(since instant: @escaping () -> Duration) -> Signal<Character> {
        self.starts.map { $0 == "a" ? instant() : nil }
            .pulses(every: .seconds(2), on: timeline).map { "p" }
    }
}
