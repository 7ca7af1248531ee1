import AuctionRules
import BidderView
import MarbleSupport
import Reactive
import TestSupport
import Testing
import Wire

@Suite struct LotClockTests {
    static let vase = Lot(number: 1, title: "Vase")
    static let heard = ServerMessage.lot(vase, start: nil, elapsed: .seconds(3))
    let running: LotClock = LotClock().applying(Self.heard, at: .seconds(10))

    @Test("before any lot there is no time")
    func unknown() {
        #expect(LotClock().elapsed(at: .seconds(9)) == nil)
        #expect(LotClock().runningSince == nil)
    }

    @Test(
        "the elapsed time of LOT sets the opening",
        arguments: [(Duration?.none, 10), (.zero, 10), (.seconds(3), 7)] as [(Duration?, Int)])
    func opened(elapsed: Duration?, expected: Int) {
        let clock = LotClock().applying(
            .lot(Self.vase, start: nil, elapsed: elapsed), at: .seconds(10))
        #expect(clock.runningSince == .seconds(expected))
        #expect(clock.elapsed(at: .seconds(12)) == .seconds(12 - expected))
    }

    @Test(
        "a bid corrects a slow clock, and never a fast one",
        arguments: [(2, 7), (5, 7), (6, 6)])
    func corrected(elapsed: Int, expected: Int) {
        let bid = lap(1, 5, "bob", at: .seconds(elapsed))
        let clock = running.applying(.price(bid, lot: nil, remaining: nil), at: .seconds(12))
        #expect(clock.openedAt == .seconds(expected))
    }

    @Test("WINNER stops the clock at its time")
    func sold() {
        let sale = SoldLot(
            number: 1, title: "Vase", bidder: bidder("bob"), price: price(5), elapsed: .seconds(8))
        let clock = running.applying(.winner(sale), at: .seconds(20))
        #expect(clock.elapsed(at: .seconds(99)) == .seconds(8))
        #expect(clock.runningSince == nil)
        #expect(clock.openedAt == .seconds(7))
    }

    @Test("PASSED stops the clock")
    func passed() {
        let clock = running.applying(.passed(Self.vase, reason: "no-bids"), at: .seconds(20))
        #expect(clock.elapsed(at: .seconds(99)) == .seconds(13))
        #expect(clock.runningSince == nil)
    }

    @Test("after connecting between lots the length of the last lot is known, but not its opening")
    func newcomer() {
        let sale = SoldLot(
            number: 1, title: "Vase", bidder: bidder("bob"), price: price(5), elapsed: .seconds(8))
        let clock = LotClock().applying(.winner(sale), at: .seconds(20))
        #expect(clock.elapsed(at: .seconds(30)) == .seconds(8))
        #expect(clock.openedAt == nil)
    }

    @Test("the end of an unknown lot leaves the opening unknown")
    func otherLot() {
        let clock = running.applying(.passed(Lot(number: 2), reason: "no-bids"), at: .seconds(20))
        #expect(clock.openedAt == nil)
        #expect(clock.runningSince == nil)
        #expect(clock.elapsed(at: .seconds(30)) == nil)
    }

    @Test("a repeated PASSED does not move the end")
    func passedAgain() {
        let passed = ServerMessage.passed(Self.vase, reason: "no-bids")
        let clock = running.applying(passed, at: .seconds(20)).applying(passed, at: .seconds(50))
        #expect(clock.elapsed(at: .seconds(99)) == .seconds(13))
    }

    @Test("the next lot starts the clock again")
    func next() {
        let clock = running.applying(.passed(Self.vase, reason: "no-bids"), at: .seconds(20))
            .applying(.lot(Lot(number: 2), start: nil, elapsed: .zero), at: .seconds(25))
        #expect(clock.runningSince == .seconds(25))
        #expect(clock.elapsed(at: .seconds(26)) == .seconds(1))
    }
}

@Suite struct CountdownClockTests {
    static let bid = ServerMessage.price(lap(1, 5, "bob"), lot: nil, remaining: .seconds(7))

    @Test("no countdown runs before the first bid, or after the end of the lot")
    func none() {
        #expect(CountdownClock().timeLeft(at: .zero) == nil)
        for end: ServerMessage in [
            .lot(Lot(number: 2), start: nil, elapsed: nil),
            .passed(Lot(number: 1), reason: "stopped"),
        ] {
            #expect(
                hear(Self.bid, at: 1).applying(end, at: .seconds(2), fullSeconds: 7)
                    == CountdownClock())
        }
    }

    @Test(
        "a bid sets the countdown to the sent time, or else to the full seconds",
        arguments: [(Duration?.none, 9), (.seconds(4), 4)] as [(Duration?, Int)])
    func bid(remaining: Duration?, expected: Int) {
        let hammer = CountdownClock().applying(
            .price(lap(1, 5, "bob"), lot: nil, remaining: remaining), at: .seconds(1),
            fullSeconds: 9)
        #expect(hammer.timeLeft(at: .seconds(1))?.remaining == .seconds(expected))
    }

    @Test("the time left decreases to 0")
    func shrinks() {
        let hammer = hear(Self.bid, at: 1)
        #expect(hammer.timeLeft(at: .milliseconds(3500))?.remaining == .milliseconds(4500))
        #expect(hammer.timeLeft(at: .seconds(20))?.remaining == .zero)
    }

    @Test(
        "COUNTDOWN corrects the countdown",
        arguments: [
            // Announced seconds, milliseconds left if sent, milliseconds shown 2 s after the bid.
            (5, nil, 5000), (4, nil, 4000), (5, 4600, 4600),
            // The time left is never more than the whole seconds.
            (4, 4700, 4000),
            // News that is late must not turn it back.
            (5, 5300, 5000), (6, nil, 6000), (6, 5999, 5000), (6, 5500, 5000),
            // A server that stood still for a second or more may.
            (7, 6800, 6800), (7, nil, 7000),
        ] as [(Int, Int?, Int)])
    func corrected(seconds: Int, remaining: Int?, expected: Int) {
        let hammer = hear(Self.bid, at: 0).applying(
            .countdown(seconds, remaining: remaining.map { .milliseconds($0) }), at: .seconds(2),
            fullSeconds: 7)
        #expect(hammer.timeLeft(at: .seconds(2))?.remaining == .milliseconds(expected))
    }

    @Test(
        "the countdown never shows more than the last message, however late it was",
        arguments: 0..<20)
    func neverMore(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (hammer, now) = (CountdownClock(), 0)
        for _ in 0..<200 {
            now += Int.random(in: 0...1500, using: &random)
            let left = Int.random(in: 0...7000, using: &random)
            let message: ServerMessage =
                if Bool.random(using: &random) {
                    .price(lap(1, 5, "bob"), lot: nil, remaining: .milliseconds(left))
                } else {
                    .countdown((left + 999) / 1000, remaining: .milliseconds(left))
                }
            hammer = hammer.applying(message, at: .milliseconds(now), fullSeconds: 7)
            let later = Int.random(in: 0...1000, using: &random)
            let shown = hammer.timeLeft(at: .milliseconds(now + later))?.remaining
            #expect(shown.map { $0 <= .milliseconds(max(0, left - later)) } == true)
        }
    }

    @Test("a void stops the countdown, and the repeated price starts it")
    func void() {
        let voided = hear(Self.bid, at: 1).applying(
            SaleStateTests.void, at: .seconds(2), fullSeconds: 7)
        #expect(voided == CountdownClock())
        let again = voided.applying(Self.bid, at: .seconds(3), fullSeconds: 7)
        #expect(again.timeLeft(at: .seconds(3))?.remaining == .seconds(7))
    }

    @Test("a paused sale has no countdown until it resumes or a snapshot follows")
    func paused() {
        let paused = hear(Self.bid, at: 1).applying(.paused, at: .seconds(2), fullSeconds: 7)
        let told: [ServerMessage] = [
            Self.bid, .countdown(7, remaining: nil), SaleStateTests.void,
            .winner(SaleStateTests.sale),
        ]
        for message in told {
            let still = paused.applying(message, at: .seconds(3), fullSeconds: 7)
            #expect(still.timeLeft(at: .seconds(3)) == nil)
        }
        for end: ServerMessage in [.resumed, .hello(seconds: 7, step: price(1)), .skipped(3)] {
            let counting = paused.applying(end, at: .seconds(3), fullSeconds: 7)
                .applying(Self.bid, at: .seconds(3), fullSeconds: 7)
            #expect(counting.timeLeft(at: .seconds(4))?.remaining == .seconds(6))
        }
    }

    @Test("a warning is shown until the next bid")
    func warnings() {
        let warned = hear(Self.bid, at: 0)
            .applying(.going(.once), at: .seconds(4), fullSeconds: 7)
            .applying(.countdown(2, remaining: nil), at: .seconds(5), fullSeconds: 7)
        #expect(warned.timeLeft(at: .seconds(5))?.warning == .once)
        #expect(
            warned.applying(Self.bid, at: .seconds(6), fullSeconds: 7)
                .timeLeft(at: .seconds(6))?.warning == nil)
    }

    private func hear(_ message: ServerMessage, at seconds: Int) -> CountdownClock {
        CountdownClock().applying(message, at: .seconds(seconds), fullSeconds: 7)
    }
}

@Suite struct TimeLeftTests {
    @Test(
        "whole seconds are rounded up",
        arguments: [(0, 0), (1, 1), (999, 1), (1000, 1), (1001, 2), (6999, 7), (7000, 7)])
    func seconds(milliseconds: Int, expected: Int64) {
        let countdown = TimeLeft(remaining: .milliseconds(milliseconds), warning: nil)
        #expect(countdown.seconds == expected)
    }

    @Test(
        "the fraction is from 0 to 1",
        arguments: [
            (0, 7, 0), (3500, 7, 0.5), (7000, 7, 1), (9000, 7, 1), (500, 0, 0.5), (5000, 0, 1),
        ] as [(Int, Int, Double)])
    func fraction(milliseconds: Int, seconds: Int, expected: Double) {
        let countdown = TimeLeft(remaining: .milliseconds(milliseconds), warning: nil)
        #expect(countdown.fraction(ofSeconds: seconds) == expected)
    }
}

@Suite struct SignalClockTests {
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

    @Test("the clock of the lot is sent only when it changes")
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

    @Test("the countdown has the full seconds of the newest greeting")
    func hammer() {
        let timeline = Timeline()
        let greetings = Subject<Greeting>()
        let news = Subject<ServerMessage>()
        var falls: [Duration?] = []
        let subscription = news.signal.countdownClock(greetings.signal, on: timeline)
            .observe { falls.append($0.endsAt) }
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
    /// Pulses every two ticks since the instant of `a`; none for another letter.
    fileprivate func pulses(since instant: @escaping () -> Duration) -> Signal<Character> {
        self.starts.map { $0 == "a" ? instant() : nil }
            .pulses(every: .seconds(2), on: timeline).map { "p" }
    }
}
