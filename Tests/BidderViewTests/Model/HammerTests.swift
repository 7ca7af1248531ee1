import AuctionRules
import BidderView
import TestSupport
import Testing
import Wire

@Suite struct HammerTests {
    static let bid = ServerMessage.price(lap(1, 5, "bob"), lot: nil, remaining: .seconds(7))

    @Test("no countdown runs before the first bid of a lot, nor after its end")
    func none() {
        #expect(Hammer().countdown(at: .zero) == nil)
        for end: ServerMessage in [
            .lot(Lot(number: 2), start: nil, elapsed: nil),
            .passed(Lot(number: 1), reason: "stopped"),
        ] {
            #expect(hear(Self.bid, at: 1).hearing(end, at: .seconds(2), fullSeconds: 7) == Hammer())
        }
    }

    @Test(
        "a bid sets the countdown to what the server says is left, or else to the full seconds",
        arguments: [(Duration?.none, 9), (.seconds(4), 4)] as [(Duration?, Int)])
    func bid(remaining: Duration?, expected: Int) {
        let hammer = Hammer().hearing(
            .price(lap(1, 5, "bob"), lot: nil, remaining: remaining), at: .seconds(1),
            fullSeconds: 9)
        #expect(hammer.countdown(at: .seconds(1))?.remaining == .seconds(expected))
    }

    @Test("what is left shrinks with time, down to nothing")
    func shrinks() {
        let hammer = hear(Self.bid, at: 1)
        #expect(hammer.countdown(at: .milliseconds(3500))?.remaining == .milliseconds(4500))
        #expect(hammer.countdown(at: .seconds(20))?.remaining == .zero)
    }

    @Test(
        "what is announced corrects the countdown",
        arguments: [
            // Seconds announced, milliseconds left if told, milliseconds shown 2 s after the bid.
            (5, nil, 5000), (4, nil, 4000), (5, 4600, 4600),
            // A server never means more than the whole seconds that it says.
            (4, 4700, 4000),
            // News that is late must not turn it back.
            (5, 5300, 5000), (6, nil, 6000), (6, 5999, 5000), (6, 5500, 5000),
            // A server that stood still for a second or more may.
            (7, 6800, 6800), (7, nil, 7000),
        ] as [(Int, Int?, Int)])
    func corrected(seconds: Int, remaining: Int?, expected: Int) {
        let hammer = hear(Self.bid, at: 0).hearing(
            .countdown(seconds, remaining: remaining.map { .milliseconds($0) }), at: .seconds(2),
            fullSeconds: 7)
        #expect(hammer.countdown(at: .seconds(2))?.remaining == .milliseconds(expected))
    }

    @Test("it never shows more than the server said last, however late news is", arguments: 0..<20)
    func neverMore(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (hammer, now) = (Hammer(), 0)
        for _ in 0..<200 {
            now += Int.random(in: 0...1500, using: &random)
            let left = Int.random(in: 0...7000, using: &random)
            let message: ServerMessage =
                if Bool.random(using: &random) {
                    .price(lap(1, 5, "bob"), lot: nil, remaining: .milliseconds(left))
                } else {
                    .countdown((left + 999) / 1000, remaining: .milliseconds(left))
                }
            hammer = hammer.hearing(message, at: .milliseconds(now), fullSeconds: 7)
            let later = Int.random(in: 0...1000, using: &random)
            let shown = hammer.countdown(at: .milliseconds(now + later))?.remaining
            #expect(shown.map { $0 <= .milliseconds(max(0, left - later)) } == true)
        }
    }

    @Test("a void stops the countdown, and a price that leads again begins it")
    func void() {
        let voided = hear(Self.bid, at: 1).hearing(
            StandingTests.void, at: .seconds(2), fullSeconds: 7)
        #expect(voided == Hammer())
        let again = voided.hearing(Self.bid, at: .seconds(3), fullSeconds: 7)
        #expect(again.countdown(at: .seconds(3))?.remaining == .seconds(7))
    }

    @Test("while the sale is paused nothing counts, until it goes on or a snapshot tells")
    func paused() {
        let paused = hear(Self.bid, at: 1).hearing(.paused, at: .seconds(2), fullSeconds: 7)
        let told: [ServerMessage] = [
            Self.bid, .countdown(7, remaining: nil), StandingTests.void,
            .winner(StandingTests.sale),
        ]
        for message in told {
            let still = paused.hearing(message, at: .seconds(3), fullSeconds: 7)
            #expect(still.countdown(at: .seconds(3)) == nil)
        }
        for end: ServerMessage in [.resumed, .hello(seconds: 7, step: price(1)), .skipped(3)] {
            let counting = paused.hearing(end, at: .seconds(3), fullSeconds: 7)
                .hearing(Self.bid, at: .seconds(3), fullSeconds: 7)
            #expect(counting.countdown(at: .seconds(4))?.remaining == .seconds(6))
        }
    }

    @Test("a warning stays until the next bid")
    func warnings() {
        let warned = hear(Self.bid, at: 0)
            .hearing(.going(.once), at: .seconds(4), fullSeconds: 7)
            .hearing(.countdown(2, remaining: nil), at: .seconds(5), fullSeconds: 7)
        #expect(warned.countdown(at: .seconds(5))?.warning == .once)
        #expect(
            warned.hearing(Self.bid, at: .seconds(6), fullSeconds: 7)
                .countdown(at: .seconds(6))?.warning == nil)
    }

    private func hear(_ message: ServerMessage, at seconds: Int) -> Hammer {
        Hammer().hearing(message, at: .seconds(seconds), fullSeconds: 7)
    }
}
