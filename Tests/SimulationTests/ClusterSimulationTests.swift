import Simulation
import Testing

@Suite("Cluster simulation")
struct ClusterSimulationTests {
    @Test(
        "a few seeds keep every promise; scripts/simulate --cluster plays many",
        arguments: [10, 24, 27, 205, 372] as [UInt64])
    func promises(seed: UInt64) {
        #expect(ClusterPlan(seed: seed).play().violation == nil)
    }

    @Test("a seed always plays the same", arguments: [7] as [UInt64])
    func determinism(seed: UInt64) {
        let plan = ClusterPlan(seed: seed)
        #expect(plan.play(keepsTrace: true).trace == plan.play(keepsTrace: true).trace)
    }

    @Test("a planted fault breaks its promise", arguments: ClusterPlan.Planted.allCases)
    func planted(fault: ClusterPlan.Planted) {
        let isFound = (1...7 as ClosedRange<UInt64>).reversed().contains { seed in
            var plan = ClusterPlan(seed: seed)
            plan.planted = fault
            return plan.play().violation?.promise == fault.promise
        }
        #expect(isFound)
    }
}
