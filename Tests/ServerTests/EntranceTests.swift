import Addresses
import AuctionRules
import Saleroom
import Server
import Testing
import Wire

@Suite struct EntranceTests {
    private static let proxy = PeerAddress(version4: 0x0A00_0001)
    private static let client = PeerAddress(version4: 0xC000_0201)
    private static let id = SessionID(rawValue: 7)
    private static let header = Array("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".utf8)

    private static func at(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: 0).advanced(by: .milliseconds(milliseconds))
    }

    private static func entrance() throws -> Entrance {
        Entrance(trusting: [try #require(AddressBlock("10.0.0.0/8"))])
    }

    /// An entrance in which somebody waits who came over the proxy.
    private static func entrance(
        detaining id: SessionID, at milliseconds: Int
    ) throws -> Entrance {
        var entrance = try entrance()
        let isDetained = entrance.detains(id, from: proxy, at: at(milliseconds))
        #expect(isDetained)
        return entrance
    }

    @Test("whoever is not trusted goes straight in", arguments: [client, .local, .loopback])
    func stranger(address: PeerAddress) throws {
        var entrance = try Self.entrance()
        let isDetained = entrance.detains(Self.id, from: address, at: Self.at(0))
        #expect(!isDetained && !entrance.contains(Self.id) && entrance.deadline == nil)
    }

    @Test("a header and a command may come in any pieces", arguments: 1...40)
    func pieces(size: Int) throws {
        var entrance = try Self.entrance(detaining: Self.id, at: 0)
        let bytes = Self.header + Array("bid 1\n".utf8)
        var rest = bytes[...]
        while true {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            switch entrance.hear(piece, from: Self.id) {
            case .waits: continue
            case .admits(let address, let first):
                #expect(address == Self.client)
                #expect(Array(first + rest) == Array("bid 1\n".utf8))
                #expect(!entrance.contains(Self.id))
            case .refuses: Issue.record("refused")
            }
            return
        }
    }

    @Test("a proxy that speaks for itself comes from where it is")
    func forItself() throws {
        var entrance = try Self.entrance(detaining: Self.id, at: 0)
        let outcome = entrance.hear(Array("PROXY UNKNOWN\r\n".utf8)[...], from: Self.id)
        #expect(outcome == .admits(Self.proxy, first: []))
    }

    @Test("what is no header is refused, and forgotten")
    func noHeader() throws {
        var entrance = try Self.entrance(detaining: Self.id, at: 0)
        let outcome = entrance.hear(Array("bid 1\n".utf8)[...], from: Self.id)
        #expect(outcome == .refuses(Self.proxy))
        #expect(!entrance.contains(Self.id))
    }

    @Test("a header has five seconds to come whole")
    func late() throws {
        var entrance = try Self.entrance(detaining: Self.id, at: 100)
        let first = entrance.hear(Self.header.prefix(20), from: Self.id)
        #expect(first == .waits)
        #expect(entrance.deadline == Self.at(5_100))
        let early = entrance.takeDue(at: Self.at(5_099))
        #expect(early == nil)
        let due = entrance.takeDue(at: Self.at(5_100))
        #expect(due == Self.id)
        let address = entrance.dismiss(Self.id)
        #expect(address == Self.proxy)
        #expect(entrance.deadline == nil)
    }

    @Test("who came in in time is not taken for late")
    func inTime() throws {
        var entrance = try Self.entrance(detaining: Self.id, at: 0)
        let other = SessionID(rawValue: 8)
        _ = entrance.detains(other, from: Self.proxy, at: Self.at(10))
        _ = entrance.hear(Self.header[...], from: Self.id)
        let early = entrance.takeDue(at: Self.at(5_005))
        #expect(early == nil)
        let due = entrance.takeDue(at: Self.at(5_010))
        #expect(due == other)
    }
}
