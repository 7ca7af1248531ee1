import ClusterSupport
import Testing

@Suite struct LogStormTests {
    private static var faults: FakeNATS.Faults {
        var faults = FakeNATS.Faults()
        faults.delay = 0...40
        (faults.lostAcknowledgements, faults.lostRequests) = (8, 5)
        (faults.errorsAfterStoring, faults.errorsBeforeStoring) = (5, 5)
        (faults.lostDeliveries, faults.repeatedDeliveries) = (2, 3)
        return faults
    }

    @Test(arguments: UInt64(1)...24)
    func promisesAreKeptWhateverGoesWrong(seed: UInt64) {
        var storm = LogStorm(seed: seed, isCluster: seed.isMultiple(of: 2))
        storm.run(Self.faults, actions: 300)
        #expect(storm.world.violations == [])
        #expect(storm.world.durableCount > 3)
    }

    @Test func aServerThatLetsTwoOwnersThroughIsFound() {
        var faults = Self.faults
        faults.ignoredComparisons = 50
        let found = (UInt64(1)...8).filter { seed in
            var storm = LogStorm(seed: seed, isCluster: true)
            storm.run(faults, actions: 300)
            return !storm.world.violations.isEmpty
        }
        #expect(!found.isEmpty)
    }
}
