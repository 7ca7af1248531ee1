import Reactive
import Testing

/// What the operators are for, in a few lines each.
@Suite struct ReadingTests {
    let timeline = Timeline()

    @Test("every bid is a lap on the clock, with a table of laps and a heading")
    func laps() {
        let bids = Subject<Int>()
        let clock = Signal.interval(.milliseconds(100), on: timeline).map { $0 + 1 }.startWith(0)
        let laps = clock.sample(on: bids.signal).map(lapTime).scan(into: []) { $0.append($1) }
            .replay(1)
        let heading = laps.map { $0.count == 1 ? "1 lap" : "\($0.count) laps" }.startWith("no laps")

        var table: [String] = []
        var headings: [String] = []
        let bag = SubscriptionBag()
        laps.observe(in: bag) { table = $0 }
        heading.observe(in: bag) { headings.append($0) }
        for (price, time) in [(100, 3_250), (120, 61_700), (150, 61_700)] {
            timeline.advance(to: .milliseconds(time))
            bids.notify(price)
        }
        #expect(table == ["00:03.2", "01:01.7", "01:01.7"])
        #expect(headings == ["no laps", "1 lap", "2 laps", "3 laps"])
        bag.cancel()
    }

    @Test("a stream of events gives bids per window, a ticker of the newest, and who joined")
    func charts() {
        let events = Subject<SaleEvent>()
        let bids = events.signal.filter { $0.kind == .bid }
        let rate = bids.buffer(time: .seconds(5), on: timeline).map(\.count)
        let ticker = bids.map(\.content)
        let joins = events.signal.filter { $0.kind == .join }.map(\.content)

        var rates: [Int] = []
        var newest = ""
        var joined: [String] = []
        let bag = SubscriptionBag()
        rate.observe(in: bag) { rates.append($0) }
        ticker.observe(in: bag) { newest = $0 }
        joins.observe(in: bag) { joined.append($0) }
        for (second, kind, content) in [
            (1, .join, "alice"), (2, .bid, "alice 100"), (4, .join, "bob"), (4, .bid, "bob 120"),
            (12, .bid, "alice 150"),
        ] as [(Int, SaleEvent.Kind, String)] {
            timeline.advance(to: .seconds(second))
            events.notify(SaleEvent(kind: kind, content: content))
        }
        timeline.advance(to: .seconds(15))
        #expect(rates == [2, 0, 1])
        #expect(newest == "alice 150")
        #expect(joined == ["alice", "bob"])
        bag.cancel()
    }

    @Test("each bid restarts the one countdown, and at 0 the last bidder has won")
    func auction() {
        let bids = Subject<String>()
        let countdown = bids.signal.map { [timeline] _ in
            Signal.interval(.seconds(1), on: timeline).map { 6 - $0 }.startWith(7).prefix(8)
        }
        .switchToLatest().share()
        let winner = bids.signal.sample(on: countdown.filter { $0 == 0 }).prefix(1)

        var seconds: [Int] = []
        var winners: [String] = []
        let bag = SubscriptionBag()
        countdown.observe(in: bag) { seconds.append($0) }
        winner.observe(in: bag) { winners.append($0) }
        for (second, bidder) in [(0, "alice"), (2, "bob"), (8, "carol")] {
            timeline.advance(to: .seconds(second))
            bids.notify(bidder)
        }
        timeline.advance(to: .seconds(60))
        #expect(seconds == [7, 6, 5] + [7, 6, 5, 4, 3, 2, 1] + [7, 6, 5, 4, 3, 2, 1, 0])
        #expect(winners == ["carol"])
        #expect(timeline.nextDeadline == nil)
        bag.cancel()
    }
}

/// Tenths of a second as `MM:SS.d`.
private func lapTime(tenths: Int) -> String {
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(twoDigits(tenths / 600)):\(twoDigits(tenths / 10 % 60)).\(tenths % 10)"
}

private struct SaleEvent {
    enum Kind { case bid, join }

    let kind: Kind
    let content: String
}
