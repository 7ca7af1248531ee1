import Addresses
import Testing

@Suite struct PeerAddressTests {
    private static let documentation: UInt64 = 0x2001_0DB8_0000_0000

    @Test(
        "an address is printed as people write it",
        arguments: [
            (PeerAddress(version4: 0xC000_0201), "192.0.2.1"),
            (.loopback, "127.0.0.1"),
            (PeerAddress(high: documentation, low: 0xAB), "2001:db8:0:0:0:0:0:ab"),
            (.local, "local"),
        ])
    func prints(address: PeerAddress, text: String) {
        #expect(address.description == text)
    }

    @Test(
        "loopback and a local socket are of this machine, and nothing else",
        arguments: [
            (PeerAddress(version4: 0x7F00_0002), true), (.local, true),
            (PeerAddress(high: 0, low: 1), true), (PeerAddress(version4: 0x8000_0001), false),
            (PeerAddress(high: 0, low: 2), false), (PeerAddress(high: 0, low: 0x7F00_0001), false),
        ])
    func knowsThisMachine(address: PeerAddress, isOfThisMachine: Bool) {
        #expect(address.isOfThisMachine == isOfThisMachine)
    }

    @Test("64 bits of IPv6 are one network, and each address of IPv4 is one of its own")
    func groupsNetworks() {
        let one = PeerAddress(high: Self.documentation, low: 1)
        let other = PeerAddress(high: Self.documentation, low: 2)
        #expect(one.network == other.network)
        #expect(
            PeerAddress(version4: 0xC000_0201).network != PeerAddress(version4: 0xC000_0202).network
        )
        #expect(PeerAddress.local.network == .local)
    }
}
