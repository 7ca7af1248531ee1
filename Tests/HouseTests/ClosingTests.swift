import Auction
import Basics
import House
import Testing

/// The end of a server, by what has happened and when.
@Suite struct ClosingTests {
    private func at(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    @Test("the journal is ended once, and not after it failed")
    func endLog() {
        var closing = Closing(at: at(0))
        let ended = [closing.endLog(), closing.endLog()]
        #expect(ended == [true, false])
        var abandoned = Closing(isAbandoned: true, at: at(0))
        let isEnded = abandoned.endLog()
        #expect(!isEnded)
    }

    @Test("the server does not end while something waits for the journal")
    func waitsForLog() {
        var closing = Closing(at: at(0))
        for time: Int64 in [500, 5_000, 50_000] {
            let mustDrain = closing.step(
                isLogIdle: false, isDrained: false, areAllGone: true, at: at(time))
            #expect(!mustDrain && !closing.isFinished)
            #expect(closing.deadline == at(time + 1_000))
        }
    }

    @Test("a journal that failed is not waited for")
    func abandoned() {
        var closing = Closing(isAbandoned: true, at: at(0))
        _ = closing.step(isLogIdle: false, isDrained: false, areAllGone: true, at: at(1))
        #expect(closing.isFinished)
    }

    @Test("connections have a second to read, and 200 ms once everything is sent")
    func times() {
        var closing = Closing(at: at(0))
        let mustDrain = closing.step(
            isLogIdle: true, isDrained: false, areAllGone: false, at: at(1))
        #expect(mustDrain && !closing.isFinished)
        #expect(closing.deadline == at(1_000))
        _ = closing.step(isLogIdle: true, isDrained: true, areAllGone: false, at: at(100))
        #expect(!closing.isFinished)
        #expect(closing.deadline == at(300))
        _ = closing.step(isLogIdle: true, isDrained: true, areAllGone: false, at: at(300))
        #expect(closing.isFinished)
    }

    @Test("the server ends at once when the last connection is gone")
    func gone() {
        var closing = Closing(at: at(0))
        _ = closing.step(isLogIdle: true, isDrained: false, areAllGone: false, at: at(1))
        #expect(!closing.isFinished)
        _ = closing.step(isLogIdle: true, isDrained: false, areAllGone: true, at: at(2))
        #expect(closing.isFinished)
    }

    @Test("a connection that reads nothing does not keep the server beyond a second")
    func stalled() {
        var closing = Closing(at: at(0))
        _ = closing.step(isLogIdle: true, isDrained: false, areAllGone: false, at: at(999))
        #expect(!closing.isFinished)
        _ = closing.step(isLogIdle: true, isDrained: false, areAllGone: false, at: at(1_000))
        #expect(closing.isFinished)
    }
}
