import ServerCore
import Testing

@Suite struct StepLimitsTests {
    private let limits = StepLimits(mostUnsent: 80)

    @Test("nothing is heard with more than the limit unsent", arguments: [(80, false), (81, true)])
    func full(unsent: Int, isFull: Bool) {
        #expect(limits.isFull(unsent: unsent) == isFull)
    }

    @Test(
        "stored input takes an eighth of a turn, and one connection's is heard unless it is full",
        arguments: [
            (0, false, true), (0, true, true), (10, true, true), (11, true, false),
            (11, false, true), (80, false, true), (81, false, false), (81, true, false),
        ])
    func stored(unsent: Int, hasHandled: Bool, isHeard: Bool) {
        #expect(limits.mayHandleStored(unsent: unsent, hasHandled: hasHandled) == isHeard)
    }

    @Test(
        "long answers take a quarter of a turn, and at least one line",
        arguments: [(80, 20), (3, 1)])
    func answers(mostUnsent: Int, lines: Int) {
        #expect(StepLimits(mostUnsent: mostUnsent).answersPerStep == lines)
    }
}
