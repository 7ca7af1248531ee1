import Auction
import Basics
import Testing

@Suite struct InstantTests {
    @Test("an instant moves by a duration to the nanosecond")
    func arithmetic() {
        let start = Instant(nanoseconds: 5)
        let later = start.advanced(by: .seconds(7) + .nanoseconds(3))
        #expect(later.nanoseconds == 7_000_000_008)
        #expect(start.duration(to: later) == .nanoseconds(7_000_000_003))
        #expect(start < later)
    }

    @Test(
        "an instant advances by whole nanoseconds, cut towards zero",
        arguments: [
            (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(7_000), 7_000_000_000),
            (Duration(secondsComponent: 1, attosecondsComponent: 999_999_999), 1_000_000_000),
            (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
            (.seconds(4_722), 4_722_000_000_000), (.seconds(4_723), 4_723_000_000_000),
            (.seconds(100_000_000), 100_000_000_000_000_000), (.nanoseconds(-1), -1),
            (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), -1),
            (.seconds(-5_000), -5_000_000_000_000),
        ] as [(Duration, Int64)])
    func advance(duration: Duration, nanoseconds: Int64) {
        #expect(Instant(nanoseconds: 0).advanced(by: duration).nanoseconds == nanoseconds)
    }
}
