import House
import Testing

@Suite struct StepLimitsTests {
    private let limits = StepLimits(unsentEffects: 80)

    @Test(
        "no input is handled with more than the limit unsent", arguments: [(80, false), (81, true)])
    func full(unsent: Int, isFull: Bool) {
        #expect(limits.isFull(unsent: unsent) == isFull)
    }

    @Test(
        "stored input takes an eighth of a step, and that of one connection is always handled",
        arguments: [
            (0, false, true), (0, true, true), (10, true, true), (11, true, false),
            (11, false, true), (80, false, true), (81, false, false), (81, true, false),
        ])
    func stored(unsent: Int, hasHandled: Bool, isHandled: Bool) {
        #expect(limits.mayHandleStored(unsent: unsent, hasHandled: hasHandled) == isHandled)
    }

    @Test(
        "long answers take a quarter of a step, and at least one line",
        arguments: [(80, 20), (3, 1)])
    func answers(unsentEffects: Int, lines: Int) {
        #expect(StepLimits(unsentEffects: unsentEffects).answerLines == lines)
    }
}
