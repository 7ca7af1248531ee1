import Auction
import BidderView
import TestSupport
import Testing
import Wire

/// The time since the opening of the lot.
@Suite struct LotClockTests {
    static let vase = SaleStateTests.vase
    /// A lot that opened at 7 s.
    let running: SaleState = SaleState().applying(
        .event(.lotOpened(Self.vase), .init(start: nil, elapsed: .seconds(3))), at: .seconds(10))

    @Test("before any lot there is no time")
    func unknown() {
        #expect(SaleState().elapsed(at: .seconds(9)) == nil)
        #expect(SaleState().runningSince == nil)
    }

    @Test(
        "the elapsed time of LOT sets the opening",
        arguments: [(Duration?.none, 10), (.zero, 10), (.seconds(3), 7)] as [(Duration?, Int)])
    func opened(elapsed: Duration?, expected: Int) {
        let sale = SaleState().applying(
            .event(.lotOpened(Self.vase), .init(start: nil, elapsed: elapsed)), at: .seconds(10))
        #expect(sale.runningSince == .seconds(expected))
        #expect(sale.elapsed(at: .seconds(12)) == .seconds(12 - expected))
    }

    @Test(
        "a bid corrects a slow clock, and never a fast one",
        arguments: [(2, 7), (5, 7), (6, 6)])
    func corrected(elapsed: Int, expected: Int) {
        let bid = lap(1, 5, "bob", at: .seconds(elapsed))
        let sale = running.applying(.event(.bidPlaced(bid)), at: .seconds(12))
        #expect(sale.openedAt == .seconds(expected))
    }

    @Test("WINNER stops the clock at its time")
    func sold() {
        let sale = running.applying(.event(.lotSold(SaleStateTests.sale)), at: .seconds(20))
        #expect(sale.elapsed(at: .seconds(99)) == .seconds(9))
        #expect(sale.runningSince == nil)
        #expect(sale.openedAt == .seconds(7))
    }

    @Test("PASSED stops the clock, and a repeated one does not move the end")
    func passed() {
        let passed = ServerMessage.event(.lotPassed(Self.vase, reason: "no-bids", elapsed: nil))
        let once = running.applying(passed, at: .seconds(20))
        for sale in [once, once.applying(passed, at: .seconds(50))] {
            #expect(sale.elapsed(at: .seconds(99)) == .seconds(13))
            #expect(sale.runningSince == nil)
        }
    }

    @Test("after connecting between lots the length of the last lot is known, but not its opening")
    func newcomer() {
        for end: ServerMessage in [
            .event(.lotSold(SaleStateTests.sale)),
            .event(.lotPassed(Self.vase, reason: "no-bids", elapsed: .seconds(9))),
        ] {
            let sale = SaleState().applying(end, at: .seconds(20))
            #expect(sale.elapsed(at: .seconds(30)) == .seconds(9))
            #expect(sale.openedAt == nil)
        }
    }

    @Test("the end of an unknown lot leaves the opening unknown")
    func otherLot() {
        let sale = running.applying(
            .event(.lotPassed(Lot(number: 2), reason: "no-bids", elapsed: nil)), at: .seconds(20))
        #expect(sale.openedAt == nil)
        #expect(sale.runningSince == nil)
        #expect(sale.elapsed(at: .seconds(30)) == nil)
    }

    @Test("the next lot starts the clock again")
    func next() {
        let sale = running.applying(
            .event(.lotPassed(Self.vase, reason: "no-bids", elapsed: nil)), at: .seconds(20)
        )
        .applying(
            .event(.lotOpened(Lot(number: 2)), .init(start: nil, elapsed: .zero)), at: .seconds(25))
        #expect(sale.runningSince == .seconds(25))
        #expect(sale.elapsed(at: .seconds(26)) == .seconds(1))
    }
}

/// The countdown as far as the server has announced it.
@Suite struct CountdownTests {
    static let bid = SaleStateTests.bid
    /// A sale whose countdown of 7 s began at 0 s.
    let counting: SaleState = SaleState(
        SaleStateTests.hello, SaleStateTests.opened, SaleStateTests.bid)

    @Test("no countdown runs before the first bid, or after the end of the lot, a void or HELLO")
    func none() {
        #expect(SaleState().timeLeft(at: .zero) == nil)
        for end: ServerMessage in [
            .event(.lotOpened(Lot(number: 2))), .event(.lotSold(SaleStateTests.sale)),
            .event(.lotPassed(Lot(number: 1), reason: "stopped", elapsed: nil)),
            SaleStateTests.void, SaleStateTests.hello,
        ] {
            #expect(counting.applying(end, at: .seconds(2)).timeLeft(at: .seconds(2)) == nil)
        }
    }

    @Test(
        "a bid sets the countdown to the sent time, or else to the full seconds",
        arguments: [(Duration?.none, 9), (.seconds(4), 4)] as [(Duration?, Int)])
    func bid(remaining: Duration?, expected: Int) {
        let sale = SaleState(.hello(seconds: 9, step: price(1)))
            .applying(
                .event(.bidPlaced(lap(1, 5, "bob")), .init(remaining: remaining)), at: .seconds(1))
        #expect(sale.timeLeft(at: .seconds(1))?.remaining == .seconds(expected))
    }

    @Test("the time left decreases to 0")
    func shrinks() {
        #expect(counting.timeLeft(at: .milliseconds(2500))?.remaining == .milliseconds(4500))
        #expect(counting.timeLeft(at: .seconds(20))?.remaining == .zero)
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
        let sale = counting.applying(
            .event(.secondsLeft(seconds), .init(remaining: remaining.map { .milliseconds($0) })),
            at: .seconds(2))
        #expect(sale.timeLeft(at: .seconds(2))?.remaining == .milliseconds(expected))
    }

    @Test(
        "the countdown never shows more than the last message, however late it was",
        arguments: 0..<20)
    func neverMore(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (sale, now) = (SaleState(SaleStateTests.hello), 0)
        for _ in 0..<200 {
            now += Int.random(in: 0...1500, using: &random)
            let left = Int.random(in: 0...7000, using: &random)
            let message: ServerMessage =
                if Bool.random(using: &random) {
                    .event(.bidPlaced(lap(1, 5, "bob")), .init(remaining: .milliseconds(left)))
                } else {
                    .event(.secondsLeft((left + 999) / 1000), .init(remaining: .milliseconds(left)))
                }
            sale = sale.applying(message, at: .milliseconds(now))
            let later = Int.random(in: 0...1000, using: &random)
            let shown = sale.timeLeft(at: .milliseconds(now + later))?.remaining
            #expect(shown.map { $0 <= .milliseconds(max(0, left - later)) } == true)
        }
    }

    @Test("a void stops the countdown, and the repeated price starts it")
    func void() {
        let again = counting.applying(SaleStateTests.void, at: .seconds(2))
            .applying(Self.bid, at: .seconds(3))
        #expect(again.timeLeft(at: .seconds(3))?.remaining == .seconds(7))
    }

    @Test("a paused sale has no countdown until it resumes or a snapshot follows")
    func paused() {
        let paused = counting.applying(.event(.paused), at: .seconds(2))
        for message in [
            Self.bid, .event(.secondsLeft(7)), SaleStateTests.void,
            .event(.lotSold(SaleStateTests.sale)),
        ] {
            let still = paused.applying(message, at: .seconds(3))
            #expect(still.timeLeft(at: .seconds(3)) == nil)
        }
        for end: ServerMessage in [.event(.resumed), SaleStateTests.hello, .skipped(3)] {
            let counting = paused.applying(end, at: .seconds(3)).applying(Self.bid, at: .seconds(3))
            #expect(counting.timeLeft(at: .seconds(4))?.remaining == .seconds(6))
        }
    }

    @Test("a warning is shown until the next bid")
    func warnings() {
        let warned = counting.applying(.event(.warned(.once)), at: .seconds(4))
            .applying(.event(.secondsLeft(2)), at: .seconds(5))
        #expect(warned.timeLeft(at: .seconds(5))?.warning == .once)
        let next = warned.applying(Self.bid, at: .seconds(6))
        #expect(next.timeLeft(at: .seconds(6))?.warning == nil)
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
