import Auction
import Basics
import House
import Testing
import Wire

@Suite struct ProxyHandshakesTests {
    private static let proxy = PeerAddress(version4: 0x0A00_0001)
    private static let client = PeerAddress(version4: 0xC000_0201)
    private static let id = SessionID(rawValue: 7)
    private static let header = Array("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".utf8)

    private static func at(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: 0).advanced(by: .milliseconds(milliseconds))
    }

    private static func handshakes() throws -> ProxyHandshakes {
        ProxyHandshakes(trusting: [try #require(AddressBlock("10.0.0.0/8"))])
    }

    /// A set with one handshake of the proxy.
    private static func handshakes(
        of id: SessionID, at milliseconds: Int
    ) throws -> ProxyHandshakes {
        var handshakes = try handshakes()
        let hasBegun = handshakes.begin(id, from: proxy, at: at(milliseconds))
        #expect(hasBegun)
        return handshakes
    }

    @Test(
        "a connection of an address that is not trusted needs no header",
        arguments: [client, .local, .loopback])
    func stranger(address: PeerAddress) throws {
        var handshakes = try Self.handshakes()
        let hasBegun = handshakes.begin(Self.id, from: address, at: Self.at(0))
        #expect(!hasBegun && !handshakes.contains(Self.id) && handshakes.deadline == nil)
    }

    @Test("a header and a command may come in any pieces", arguments: 1...40)
    func pieces(size: Int) throws {
        var handshakes = try Self.handshakes(of: Self.id, at: 0)
        let bytes = Self.header + Array("bid 1\n".utf8)
        var rest = bytes[...]
        while true {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            switch handshakes.receive(piece, from: Self.id) {
            case .incomplete: continue
            case .complete(let address, let first):
                #expect(address == Self.client)
                #expect(Array(first + rest) == Array("bid 1\n".utf8))
                #expect(!handshakes.contains(Self.id))
            case .invalid: Issue.record("refused")
            }
            return
        }
    }

    @Test("a header without a client leaves the proxy's own address")
    func forItself() throws {
        var handshakes = try Self.handshakes(of: Self.id, at: 0)
        let outcome = handshakes.receive(Array("PROXY UNKNOWN\r\n".utf8)[...], from: Self.id)
        #expect(outcome == .complete(Self.proxy, rest: []))
    }

    @Test("bytes that are no header are refused, and the handshake ends")
    func noHeader() throws {
        var handshakes = try Self.handshakes(of: Self.id, at: 0)
        let outcome = handshakes.receive(Array("bid 1\n".utf8)[...], from: Self.id)
        #expect(outcome == .invalid(Self.proxy))
        #expect(!handshakes.contains(Self.id))
    }

    @Test("a header has five seconds to come whole")
    func late() throws {
        var handshakes = try Self.handshakes(of: Self.id, at: 100)
        let first = handshakes.receive(Self.header.prefix(20), from: Self.id)
        #expect(first == .incomplete)
        #expect(handshakes.deadline == Self.at(5_100))
        let early = handshakes.popDue(at: Self.at(5_099))
        #expect(early == nil)
        let due = handshakes.popDue(at: Self.at(5_100))
        #expect(due == Self.id)
        let address = handshakes.remove(Self.id)
        #expect(address == Self.proxy)
        #expect(handshakes.deadline == nil)
    }

    @Test("a handshake that has ended is not late")
    func inTime() throws {
        var handshakes = try Self.handshakes(of: Self.id, at: 0)
        let other = SessionID(rawValue: 8)
        _ = handshakes.begin(other, from: Self.proxy, at: Self.at(10))
        _ = handshakes.receive(Self.header[...], from: Self.id)
        let early = handshakes.popDue(at: Self.at(5_005))
        #expect(early == nil)
        let due = handshakes.popDue(at: Self.at(5_010))
        #expect(due == other)
    }
}
