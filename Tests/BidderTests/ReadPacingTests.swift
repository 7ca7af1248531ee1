import Auction
import Basics
import Bidder
import Testing

@Suite struct ReadPacingTests {
    static let start = Instant.now

    @Test("four reads may follow each other at once, and then one a period")
    func burst() {
        var pacing = ReadPacing()
        for _ in 0..<ReadPacing.burst {
            #expect(pacing.delay(at: Self.start) == nil)
            pacing.read(at: Self.start)
        }
        let next = Self.start.advanced(by: ReadPacing.period)
        #expect(pacing.delay(at: Self.start) == next)
        #expect(pacing.delay(at: next) == nil)
        pacing.read(at: next)
        #expect(pacing.delay(at: next) == next.advanced(by: ReadPacing.period))
    }

    @Test("after a quiet time reads may follow each other at once again")
    func rest() {
        var pacing = ReadPacing()
        for _ in 0..<100 { pacing.read(at: Self.start) }
        let later = Self.start.advanced(by: ReadPacing.period * 100)
        for _ in 0..<ReadPacing.burst {
            #expect(pacing.delay(at: later) == nil)
            pacing.read(at: later)
        }
        #expect(pacing.delay(at: later) != nil)
    }
}
