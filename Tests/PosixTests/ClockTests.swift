import Posix
import Testing

@Suite struct ClockTests {
    @Test("the monotonic clock does not go back")
    func monotonic() {
        var last = monotonicNanoseconds()
        for _ in 0..<1000 {
            let now = monotonicNanoseconds()
            #expect(now >= last)
            last = now
        }
    }

    @Test("the time of day is after this was written")
    func wallClock() {
        #expect(wallClockMilliseconds() > 1_790_000_000_000)
    }
}
