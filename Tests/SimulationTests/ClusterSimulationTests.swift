import Simulation
import Testing

@Suite("Cluster simulation")
struct ClusterSimulationTests {
    @Test(
        "two seeds keep every promise; scripts/simulate --cluster plays many",
        arguments: [205, 372] as [UInt64])
    func promises(seed: UInt64) {
        #expect(ClusterPlan(seed: seed).play().violation == nil)
    }

    @Test("a seed always plays the same", arguments: [7] as [UInt64])
    func determinism(seed: UInt64) {
        let plan = ClusterPlan(seed: seed)
        #expect(plan.play(keepsTrace: true).trace == plan.play(keepsTrace: true).trace)
    }
}
