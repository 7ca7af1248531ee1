import Basics
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

@Suite struct AddressBlockTests {
    @Test(
        "an address is read as it is written",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("::", "0:0:0:0:0:0:0:0"),
            ("::1", "0:0:0:0:0:0:0:1"), ("1::", "1:0:0:0:0:0:0:0"),
            ("2001:DB8::aB", "2001:db8:0:0:0:0:0:ab"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("64:ff9b::192.0.2.33", "64:ff9b:0:0:0:0:c000:221"), ("1::8", "1:0:0:0:0:0:0:8"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ])
    func address(text: String, printed: String) {
        #expect(PeerAddress(text)?.description == printed)
    }

    @Test(
        "what is no address is none",
        arguments: [
            "", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "1.2.3.4 ", "01.2.3.4", "1.2.3.256",
            "1..2.3",
            "a.b.c.d", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1%1",
            "[::1]", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1.2.3.4::", ":1", "1:", "::1:",
            "1:2:3:4:5:6:7:1.2.3.4", "localhost", "١.2.3.4", "+1.2.3.4", "::1.2.3.4:5",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ])
    func noAddress(text: String) {
        #expect(PeerAddress(text) == nil)
    }

    @Test(
        "a block has the addresses that begin like it",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.0/31", "192.0.2.1", true), ("192.0.2.0/31", "192.0.2.2", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
            ("::/0", "2001:db8::1", true), ("::/0", "203.0.113.9", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("2001:db8::/96", "2001:db8::1", true), ("2001:db8::/96", "2001:db8::1:0:1", false),
            ("::ffff:10.0.0.0/104", "10.1.2.3", true), ("::1", "::1", true),
        ])
    func block(text: String, address: String, isOne: Bool) throws {
        let block = try #require(AddressBlock(text))
        #expect(block.contains(try #require(PeerAddress(address))) == isOne)
        #expect(!block.contains(.local))
    }

    @Test("peers of local sockets are matched by the word local alone")
    func local() throws {
        let block = try #require(AddressBlock("local"))
        #expect(block.contains(.local))
        #expect(!block.contains(.loopback))
    }

    @Test(
        "what is no block is none",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.1/8",
            "2001:db8::1/32", "::/129", "/8", "all", "Local", "10.0.0.0/+8",
        ])
    func noBlock(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
