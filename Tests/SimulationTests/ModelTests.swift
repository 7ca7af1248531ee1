import House
import Simulation
import Testing

/// The models are only as good as what they refuse.
@Suite("Countdown model")
struct CountdownModelTests {
    /// A price at 1 s that starts a countdown of 3 s; then seconds shown at times in milliseconds.
    private func isAccepted(_ numbers: [(number: Int, at: Int)]) -> Bool {
        var model = CountdownModel(seconds: 3)
        model.price(seq: 2)
        var isRight = model.show(3, seq: 3, at: .milliseconds(900))
        model.published(upTo: 3, at: .seconds(1))
        for (number, time) in numbers {
            if !model.show(number, seq: 4, at: .milliseconds(time)) { isRight = false }
            model.published(upTo: 4, at: .milliseconds(time))
        }
        return isRight && model.mayFall(at: .milliseconds(numbers.last?.at ?? 0))
    }

    @Test("a lot ends after every second was shown, each in its time or late")
    func full() {
        #expect(isAccepted([(2, 2000), (1, 3000), (0, 4000)]))
        #expect(isAccepted([(2, 2900), (1, 3850), (0, 4850)]))
    }

    @Test("a second that is early or missing is noticed, and a hammer before the last")
    func wrong() {
        #expect(!isAccepted([(2, 1999), (1, 3000), (0, 4000)]))
        #expect(!isAccepted([(2, 2900), (1, 3849), (0, 4850)]))
        #expect(!isAccepted([(2, 2000), (0, 4000)]))
        #expect(!isAccepted([(2, 2000), (1, 3000)]))
        #expect(!isAccepted([]))
    }

    @Test("the full seconds are given again after a second was missed, and not before")
    func standstill() {
        #expect(isAccepted([(2, 2000), (3, 4000), (2, 5000), (1, 6000), (0, 7000)]))
        #expect(!isAccepted([(2, 2000), (3, 3999), (2, 5000), (1, 6000), (0, 7000)]))
        #expect(!isAccepted([(2, 2000), (3, 4000), (2, 4500), (1, 6000), (0, 7000)]))
    }

    @Test("while a price is not published no second passes")
    func unpublished() {
        var model = CountdownModel(seconds: 3)
        model.price(seq: 2)
        let first = model.show(3, seq: 3, at: .zero)
        let next = model.show(2, seq: 4, at: .seconds(60))
        #expect(first && !next && model.nextChange == nil)
    }

    @Test("a second that is published late has its time, less 50 ms, and none comes before that")
    func late() {
        var model = CountdownModel(seconds: 3)
        model.price(seq: 2)
        _ = model.show(3, seq: 3, at: .zero)
        model.published(upTo: 3, at: .zero)
        let second = model.show(2, seq: 4, at: .seconds(1))
        #expect(second && model.nextChange == nil)
        var early = model
        let isEarly = early.show(1, seq: 5, at: .seconds(60))
        #expect(!isEarly)
        model.published(upTo: 4, at: .seconds(7))
        #expect(model.nextChange == .milliseconds(7_950))
        #expect(model.hammerInstant == .milliseconds(8_950))
    }

    @Test("each second is due one after the other, and the hammer with the last")
    func due() {
        var model = CountdownModel(seconds: 3)
        model.price(seq: 2)
        #expect(model.hammerInstant == nil)
        _ = model.show(3, seq: 3, at: .zero)
        model.published(upTo: 3, at: .seconds(10))
        #expect(model.hammerInstant == .seconds(13))
        #expect(model.nextChange == .seconds(11))
        _ = model.show(2, seq: 4, at: .seconds(11))
        model.published(upTo: 4, at: .seconds(11))
        #expect(model.nextChange == .seconds(12))
        model.hammer()
        #expect(model.hammerInstant == nil && model.nextChange == nil)
    }
}

@Suite("Told time")
struct ToldTimeTests {
    @Test("less than was told may be decided only after it was published, and in its time")
    func told() {
        var told = ToldTime()
        #expect(told.allows(.zero, at: .zero))
        told.tell(.seconds(2), seq: 4, at: .seconds(1))
        #expect(!told.allows(.zero, at: .seconds(60)))
        #expect(!told.isOverdue(at: .milliseconds(2_999)) && told.isOverdue(at: .seconds(3)))
        let waits = [(3, 6), (4, 7)].map { told.publish(upTo: $0, at: .seconds($1)) }
        #expect(waits == [nil, .seconds(6)])
        #expect(!told.isOverdue(at: .seconds(60)))
        #expect(!told.allows(.seconds(1), at: .milliseconds(7_949)))
        #expect(told.allows(.seconds(1), at: .milliseconds(7_950)))
        #expect(!told.allows(.zero, at: .milliseconds(8_949)))
        #expect(told.allows(.zero, at: .milliseconds(8_950)))
    }
}

@Suite("Lot clock")
struct LotClockTests {
    @Test("the time of a lot may stand still and not go back, and begins again with the next")
    func elapsed() {
        var clock = LotClock(seconds: 5)
        let first = [3, 3, 8, 7].map { clock.show(elapsed: .seconds($0)) }
        #expect(first == [true, true, true, false])
        clock.lot()
        let next = clock.show(elapsed: .zero)
        #expect(next)
    }

    @Test("the time that is left falls, or begins again with the full seconds, and is never more")
    func remaining() {
        var clock = LotClock(seconds: 5)
        let shown = [5, 4, 4, 5, 2, 3].map { clock.show(remaining: .seconds($0)) }
        #expect(shown == [true, true, true, true, true, false])
        let second = clock.show(remaining: .milliseconds(3_950), second: 4)
        let later = clock.show(remaining: .milliseconds(3_960))
        #expect(second && !later)
        #expect(clock.mayRemain(.seconds(5)))
        #expect(!clock.mayRemain(.seconds(5) + .nanoseconds(1)))
    }
}

@Suite("Unhandled bytes")
struct UnhandledBytesTests {
    @Test("bytes are unhandled from their arrival until the house was given them")
    func unhandled() {
        var bytes = UnhandledBytes()
        bytes.add(3, at: .seconds(1))
        bytes.add(0, at: .seconds(2))
        bytes.add(4, at: .seconds(5))
        bytes.remove(2)
        #expect(bytes.contains(from: .zero, before: .seconds(2)))
        bytes.remove(1)
        #expect(!bytes.contains(from: .zero, before: .seconds(5)))
        #expect(bytes.contains(from: .seconds(5), before: .seconds(6)))
        #expect(!bytes.contains(from: .seconds(6), before: .seconds(7)))
        bytes.remove(4)
        #expect(!bytes.contains(from: .zero, before: .seconds(100)))
    }
}

@Suite("Grants")
struct GrantsTests {
    /// Three at once, and one more every 20 seconds.
    private static let rate = TokenBucket.Rate(3, per: .seconds(60), burst: 3)

    private func isSpent(after seconds: [Int], at now: Duration, slack: Int64 = 0) -> Bool {
        var tally = Grants()
        for second in seconds { tally.add(at: .seconds(second)) }
        return tally.isSpent(Self.rate, at: now, slack: slack)
    }

    @Test(
        "what a burst and its time allow is not too much",
        arguments: [
            ([], 0), ([0, 0], 0), ([0, 0, 0], 20), ([0, 0, 0, 20], 40), ([0, 30, 30], 31),
            ([0, 0, 0, 60, 60, 60], 80),
        ] as [([Int], Int)])
    func allowed(seconds: [Int], now: Int) {
        #expect(!isSpent(after: seconds, at: .seconds(now)))
    }

    @Test(
        "one more than that is too much, in whatever time",
        arguments: [
            ([0, 0, 0], 19), ([0, 0, 0, 20], 39), ([0, 30, 30, 30], 31), ([0, 50, 50, 50], 61),
            ([0, 0, 0, 60, 60, 60], 79),
        ] as [([Int], Int)])
    func tooMuch(seconds: [Int], now: Int) {
        #expect(isSpent(after: seconds, at: .seconds(now)))
    }

    @Test("a nanosecond decides")
    func exact() {
        #expect(isSpent(after: [0, 0, 0], at: .seconds(20) - .nanoseconds(1)))
        #expect(!isSpent(after: [0, 0, 0], at: .seconds(20)))
    }

    @Test("slack allows as many more")
    func slack() {
        #expect(!isSpent(after: [0, 0, 0], at: .zero, slack: 1))
        #expect(isSpent(after: [0, 0, 0, 0], at: .zero, slack: 1))
    }
}
