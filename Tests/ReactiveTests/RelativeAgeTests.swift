import Reactive
import Testing

@Suite struct RelativeAgeTests {
    static let hour = 3600.0
    static let day = 24 * hour

    @Test(
        "an age has a text, and the time until the text changes",
        arguments: [
            (-3, "just now", 8), (0, "just now", 5), (4.9, "just now", 0.1),
            (5, "5s", 1), (5.75, "5s", 0.25), (6, "6s", 1), (59, "59s", 1), (59.5, "59s", 0.5),
            (60, "1m", 60), (119, "1m", 1), (120, "2m", 60), (3599, "59m", 1),
            (hour, "1h", hour), (2 * hour - 1, "1h", 1), (day - 1, "23h", 1),
            (day, "1d", day), (3 * day + hour, "3d", day - hour), (400 * day, "400d", day),
        ] as [(Double, String, Double)])
    func words(seconds: Double, text: String, timeToLive: Double) {
        let age = RelativeAge(.milliseconds(Int(seconds * 1000)))
        #expect(age.text == text)
        #expect(age.timeToLive == .milliseconds(Int(timeToLive * 1000)))
    }

    @Test("a text is valid until its time is over, and changes then")
    func stale() {
        var age = Duration.zero
        for _ in 0..<200 {
            let words = RelativeAge(age)
            #expect(RelativeAge(age + words.timeToLive - .nanoseconds(1)).text == words.text)
            #expect(RelativeAge(age + words.timeToLive).text != words.text)
            age += words.timeToLive
        }
    }

    @Test(
        "the timeline wakes when the text changes, and not before",
        arguments: [
            (Duration.zero, Duration.seconds(4), 0),
            (.zero, .seconds(10), 6),
            (.seconds(10), .seconds(30), 30),
            (.seconds(60), .seconds(3540), 59),
            (.seconds(3500), .seconds(60), 1),
            (.seconds(3600), .seconds(3599), 0),
            (.seconds(3600), .seconds(86_399), 23),
            (.seconds(2 * 86_400), .seconds(86_400), 1),
        ])
    func wakes(age: Duration, time: Duration, wakes: Int) {
        let timeline = Timeline()
        timeline.advance(to: age)
        var told: [[String]] = []
        let subscription = RelativeAge.texts(since: [.zero], on: timeline)
            .observe { told.append($0) }
        #expect(timeline.wakes(during: time) == wakes)
        #expect(told.count == 1 + wakes)
        #expect(told.last == [RelativeAge(age + time).text])
        subscription.cancel()
        #expect(timeline.nextDeadline == nil)
    }

    @Test("the first age to change wakes the timeline, and all texts are emitted")
    func several() {
        let timeline = Timeline()
        timeline.advance(to: .seconds(65))
        var told: [[String]] = []
        let subscription = RelativeAge.texts(since: [.seconds(60), .zero], on: timeline)
            .observe { told.append($0) }
        timeline.advance(to: .seconds(66))
        #expect(told == [["5s", "1m"], ["6s", "1m"]])
        subscription.cancel()
    }

    @Test("without an event the timeline never wakes")
    func none() {
        let timeline = Timeline()
        var told: [[String]] = []
        let subscription = RelativeAge.texts(since: [], on: timeline).observe { told.append($0) }
        #expect(told == [[]])
        #expect(timeline.nextDeadline == nil)
        subscription.cancel()
    }
}

extension Timeline {
    /// Lets time pass as a loop would, and counts how often it wakes.
    func wakes(during duration: Duration) -> Int {
        let end = now + duration
        var wakes = 0
        while let deadline = nextDeadline, deadline <= end {
            advance(to: deadline)
            wakes += 1
        }
        advance(to: end)
        return wakes
    }
}
