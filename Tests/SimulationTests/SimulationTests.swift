import Simulation
import Testing

@Suite("Simulation")
struct SimulationTests {
    @Test(
        "a few seeds keep every promise; scripts/simulate plays many",
        arguments: 1...4 as ClosedRange<UInt64>)
    func promises(seed: UInt64) {
        #expect(Plan(seed: seed).play().violation == nil)
    }

    @Test("a seed always plays the same", arguments: [7, 198] as [UInt64])
    func determinism(seed: UInt64) {
        let plan = Plan(seed: seed)
        #expect(plan.play(keepsTrace: true).trace == plan.play(keepsTrace: true).trace)
    }

    @Test("plans are played on one, two and three loops")
    func loops() {
        #expect(Set((1...30 as ClosedRange<UInt64>).map { Plan(seed: $0).loops }) == [1, 2, 3])
    }

    @Test("shrinking leaves what a failure needs, in its order, and nothing else")
    func shrinking() {
        let smallest = Array(1...100).shrunk(tries: 600) { numbers in
            numbers.contains(17) && numbers.contains(3) && numbers.contains(90)
        }
        #expect(smallest == [3, 17, 90])
    }

    @Test("shrinking ends after a limited number of tries, with an input that fails")
    func boundedShrinking() {
        var tries = 0
        let smallest = Array(1...100).shrunk(tries: 10) { numbers in
            tries += 1
            return numbers.contains(17)
        }
        #expect(tries == 10 && smallest.contains(17))
    }
}
