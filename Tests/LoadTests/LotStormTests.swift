import Load
import Testing

@Suite("LotStorm")
struct LotStormTests {
    private let millisecond: Int64 = 1_000_000

    @Test("bids rise until a price is heard, and for a moment from then on")
    func rising() {
        var storm = LotStorm()
        #expect(bids(&storm, 0..<1000) == Array(0..<1000))
        storm.priceHeard(at: 1000 * millisecond)
        storm.priceHeard(at: 1100 * millisecond)
        #expect(bids(&storm, 1000..<1400) == Array(1000..<1300))
    }

    @Test("one last bid follows a little later, and none after it")
    func last() {
        var storm = LotStorm()
        storm.priceHeard(at: 0)
        #expect(bids(&storm, 0..<5000) == Array(0..<300) + [500])
        storm.priceHeard(at: 5000 * millisecond)
        #expect(bids(&storm, 5000..<6000) == [])
    }

    @Test("another lot begins anew")
    func anew() {
        var storm = LotStorm()
        storm.priceHeard(at: 0)
        _ = bids(&storm, 0..<5000)
        storm.open()
        #expect(bids(&storm, 5000..<5010) == Array(5000..<5010))
    }

    /// The milliseconds at which a bid is to be higher, out of one bid each.
    private func bids(_ storm: inout LotStorm, _ times: Range<Int64>) -> [Int64] {
        times.filter { storm.takeBid(at: $0 * millisecond) }
    }
}
