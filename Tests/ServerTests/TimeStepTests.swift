import AuctionRules
import Server
import Testing

/// How far time passes in the room when there are several loops.
@Suite struct TimeStepTests {
    private func step(due: Int64?, own: Int64, others: Int64?) -> TimeStep {
        TimeStep(
            due: due.map(Instant.init(nanoseconds:)), heardUntil: Instant(nanoseconds: own),
            othersHeardUntil: others.map(Instant.init(nanoseconds:)))
    }

    private func expire(_ heardUntil: Int64) -> TimeStep {
        .expire(heardUntil: Instant(nanoseconds: heardUntil))
    }

    @Test("time does not pass before the own loop has been heard up to what is due")
    func notDue() {
        #expect(step(due: nil, own: 50, others: nil) == .none)
        #expect(step(due: 51, own: 50, others: nil) == .none)
        #expect(step(due: 51, own: 50, others: 60) == .none)
    }

    @Test("on one loop all that is due is done")
    func oneLoop() {
        #expect(step(due: 50, own: 50, others: nil) == expire(50))
        #expect(step(due: 40, own: 50, others: nil) == expire(50))
    }

    @Test("what is due waits until all loops have been heard up to its instant")
    func waiting() {
        #expect(step(due: 40, own: 50, others: 39) == .wait(for: Instant(nanoseconds: 40)))
        #expect(step(due: 40, own: 50, others: .min) == .wait(for: Instant(nanoseconds: 40)))
        #expect(step(due: 40, own: 50, others: 40) == expire(40))
    }

    @Test("only what is due by the instant up to which all loops have been heard is done")
    func heardUntil() {
        #expect(step(due: 40, own: 50, others: 45) == expire(45))
        #expect(step(due: 40, own: 50, others: 70) == expire(50))
    }
}
