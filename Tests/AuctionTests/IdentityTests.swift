import Auction
import TestSupport
import Testing

@Suite struct IdentityTests {
    @Test("an identity that is drawn is read again, and has no characters that look alike")
    func drawn() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<200 {
            let serverID = Identity(using: &generator)
            #expect(Identity(serverID.description) == serverID)
            #expect(serverID.description.utf8.count == 6)
            #expect(!serverID.description.contains { "01ilo".contains($0) })
        }
    }

    @Test("the identity of a room's sale is of its key alone")
    func ofSale() {
        let keys = (0..<200).map { TokenHash(of: Token(high: 0, low: $0)) }
        let sales = keys.map { Identity(ofSaleWithKey: $0) }
        #expect(Set(sales).count == keys.count)
        #expect(sales == keys.map { Identity(ofSaleWithKey: $0) })
        #expect(
            sales.allSatisfy { Identity($0.description) == $0 && $0.description.utf8.count == 6 })
    }

    @Test(
        "what is no identity is none", arguments: ["", "k3v", "k3v9k3v9x", "K3V9", "k3 v9", "k3-9"])
    func refused(word: String) {
        #expect(Identity(word) == nil)
    }
}
