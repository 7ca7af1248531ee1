import Simulation
import Testing

@Suite("Simulation")
struct SimulationTests {
    @Test("every promise is kept, whatever happens", arguments: 1...24 as ClosedRange<UInt64>)
    func promises(seed: UInt64) {
        #expect(Plan(seed: seed).play().violation == nil)
    }

    /// Seeds that broke a promise once, each with the fault of the server that it found.
    static let found: [(seed: UInt64, fault: String)] = [
        (1, "the seconds of a recovered lot ran before they were told"),
        (6, "two loops that waited for each other kept each other awake"),
        (231, "time passed to an instant until which no poll had looked for input"),
        (331, "a client that fell behind waited for an answer that waited for it"),
        (584, "what another loop reported was left while there was room again"),
    ]

    @Test("a seed that found a fault finds it no more", arguments: found)
    func regression(seed: UInt64, fault: String) {
        #expect(Plan(seed: seed).play().violation == nil, "again: \(fault)")
    }

    @Test("a seed always plays the same", arguments: [7, 19, 198] as [UInt64])
    func determinism(seed: UInt64) {
        let plan = Plan(seed: seed)
        #expect(plan.play(keepsTrace: true).trace == plan.play(keepsTrace: true).trace)
    }

    @Test("shrinking leaves what a failure needs, in its order, and nothing else")
    func shrinking() {
        let smallest = Array(1...100).shrunk(tries: 600) { numbers in
            numbers.contains(17) && numbers.contains(3) && numbers.contains(90)
        }
        #expect(smallest == [3, 17, 90])
    }

    @Test("shrinking ends after so many tries, with something that fails")
    func boundedShrinking() {
        var tries = 0
        let smallest = Array(1...100).shrunk(tries: 10) { numbers in
            tries += 1
            return numbers.contains(17)
        }
        #expect(tries == 10 && smallest.contains(17))
    }
}
