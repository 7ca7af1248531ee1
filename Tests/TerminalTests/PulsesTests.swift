import Auction
import Bidder
import BidderSupport
import MarbleSupport
import Reactive
import Terminal
import Testing

@Suite struct PulsesTests {
    @Test("there is a pulse in each period since the newest instant")
    func pulses() {
        let marbles = Marbles(
            """
            starts  -a----n--a--a---
            =       ---p-p-----p--p-
            """)
        marbles.expect(marbles.pulses { marbles.timeline.now }, until: 15)
    }

    @Test("the periods do not depend on the time of observation")
    func phase() {
        let marbles = Marbles(
            """
            starts  ----a------
            =       -----p-p-p-
            """)
        marbles.expect(marbles.pulses { .seconds(1) }, until: 10)
    }

    @Test("the next pulse after an observation at a pulse is a period later")
    func atThePulse() {
        let marbles = Marbles(
            """
            starts  ---a------
            =       -----p-p--
            """)
        marbles.expect(marbles.pulses { .seconds(1) }, until: 8)
    }

    @Test("the spinner turns ten times a second while something loads")
    func spinner() {
        let timeline = Timeline()
        let isLoading = Subject(false)
        var pictures: [Int?] = []
        let subscription = isLoading.signal.spinner(on: timeline).observe { pictures.append($0) }
        #expect(pictures == [nil])
        isLoading.notify(true)
        timeline.advance(to: .milliseconds(250))
        isLoading.notify(true)
        #expect(pictures == [nil, 0, 1, 2])
        timeline.advance(to: .milliseconds(300))
        isLoading.notify(false)
        #expect(pictures == [nil, 0, 1, 2, 3, nil])
        #expect(timeline.nextDeadline == nil)
        subscription.cancel()
    }

    @Test("there are ages of the laps that fit on the screen")
    func ages() {
        let timeline = Timeline()
        timeline.advance(to: .seconds(100))
        let laps = Laps().adding(lap(1, 5, "bob", at: .seconds(20))).adding(
            lap(2, 6, "al", at: .seconds(93)))
        let rows = Subject(5)
        let openedAt = Subject<Duration?>(nil)
        var ages: [[Int: String]] = []
        let subscription = Signal.of(laps)
            .ages(rows: rows.signal, openedAt: openedAt.signal, on: timeline)
            .observe { ages.append($0) }
        openedAt.notify(.zero)
        rows.notify(1)
        #expect(ages == [[:], [2: "7s", 1: "1m"], [2: "7s"]])
        subscription.cancel()
    }

    @Test("laps that do not fit on the screen cause no wake-ups")
    func hidden() {
        let timeline = Timeline()
        timeline.advance(to: .seconds(100))
        let laps = Laps().adding(lap(1, 5, "bob", at: .seconds(99)))
        let subscription = Signal.of(laps)
            .ages(rows: .of(0), openedAt: .of(.zero), on: timeline).observe { _ in }
        #expect(timeline.nextDeadline == nil)
        subscription.cancel()
    }
}

extension Marbles {
    /// Pulses every two ticks since the instant of `a`; none for another letter.
    fileprivate func pulses(since instant: @escaping () -> Duration) -> Signal<Character> {
        self.starts.map { $0 == "a" ? instant() : nil }
            .pulses(every: .seconds(2), on: timeline).map { "p" }
    }
}
