import Auction
import Testing

@Suite struct DrawTests {
    @Test("the hash is SipHash-2-4: the first vectors of its paper's reference")
    func reference() {
        let expected: [UInt64] = [
            0x726f_db47_dd0e_0e31, 0x74f8_39c5_93dc_67fd, 0x0d6c_8009_d9a9_4f5a,
        ]
        for (count, hash) in expected.enumerated() {
            var state = KeyedHash(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)
            for byte in 0..<UInt8(count) { state.combine(byte) }
            #expect(state.finish() == hash)
        }
    }

    @Test("a seed is printed and parsed", arguments: [Seed(0), Seed(1), Seed(.max)])
    func seeds(seed: Seed) {
        var generator = SystemRandomNumberGenerator()
        for seed in [seed, Seed(using: &generator)] { #expect(Seed(seed.description) == seed) }
    }

    @Test("draws fill their range, and are the same for one name in one lot")
    func draws() throws {
        let options = GameOptions(values: .personal(50...59), seed: Seed(1))
        let (al, upper) = (try #require(Bidder("al")), try #require(Bidder("AL")))
        var drawn: Set<Int64> = []
        for lot in 1...200 {
            let worth = try #require(options.worth(ofLot: lot, to: al, common: nil))
            #expect(options.worth(ofLot: lot, to: upper, common: nil)?.amount == worth.amount)
            drawn.insert(worth.amount)
        }
        #expect(drawn == Set(50...59))
    }

    @Test("estimates are at most the noise away from the common value, and never negative")
    func estimates() throws {
        let options = GameOptions(values: .common(0...100, noise: 20), seed: Seed(7))
        for lot in 1...100 {
            let value = try #require(options.commonValue(ofLot: lot))
            for name in ["al", "bo", "cy"] {
                let bidder = try #require(Bidder(name))
                let worth = try #require(options.worth(ofLot: lot, to: bidder, common: value))
                #expect(worth.isEstimate && worth.amount >= 0 && abs(worth.amount - value) <= 20)
            }
        }
    }

    @Test("with a number for all draws, every lot is drawn as the one of this number")
    func oneDraw() throws {
        let al = try #require(Bidder("al"))
        for values in [GameOptions.Values.personal(0...9_999), .common(0...9_999, noise: 500)] {
            var options = GameOptions(values: values, seed: Seed(1))
            let common = options.commonValue(ofLot: 3)
            let worth = options.worth(ofLot: 3, to: al, common: common)
            #expect(options.worth(ofLot: 8, to: al, common: common) != worth)
            options.draws = 3
            #expect(options.commonValue(ofLot: 8) == common)
            #expect(options.worth(ofLot: 8, to: al, common: common) == worth)
        }
    }
}
