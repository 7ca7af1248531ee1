import Auction
import Basics
import Testing
import Wire

@testable import House

@Suite struct NodeMessageTests {
    private static let id = SessionID(connection: 5 << 32 | 7, loop: 2)
    private static let token = Token(high: 1, low: 0xAB)

    private static func request(
        _ line: String, name: Bidder? = nil, encoding: Encoding = .text
    ) throws -> NodeMessage {
        var session = Session(
            from: PeerAddress(version4: 0x0A00_0001), in: .regular, at: Instant(nanoseconds: 0))
        session.name = name.map { Session.Name(bidder: $0, token: token) }
        session.encoding = encoding
        session.rights = name == nil ? .server : .none
        let request = try #require(try Request(line: line))
        return .request(
            NodeRequest(
                request, of: Sender(id, session), name: session.name, in: RoomName.main))
    }

    private static func all() throws -> [NodeMessage] {
        let alice = try #require(Bidder("Alice"))
        return [
            try request("#t7 bid 120 lot=3", name: alice, encoding: .webSocket),
            try request("say two words and ü"), .left(id), .reset,
            .lines(id, Array("OK bid 5\nPURSE 3\n".utf8), outcome: .done),
            .lines(id, [], outcome: nil), .lines(id, Array("ERROR x\n".utf8), outcome: .refused),
            .named(id, alice, token), .moved(id, .main), .close(id, .moved),
        ]
    }

    private static func bytes(_ messages: [NodeMessage]) -> [UInt8] {
        messages.reduce(into: []) { $1.append(to: &$0) }
    }

    @Test func messagesAreReadAsTheyWereWritten() throws {
        let bytes = Self.bytes(try Self.all())
        let read = try #require(NodeMessage.messages(bytes))
        #expect(read.count == 10)
        #expect(Self.bytes(read) == bytes)
        guard case .request(let sent) = read[0] else { throw CancellationError() }
        #expect(sent.request.description == "#t7 bid 120 lot=3")
        #expect(sent.name?.bidder.description == "Alice" && sent.encoding == .webSocket)
        #expect(sent.rights == .none && sent.address == PeerAddress(version4: 0x0A00_0001))
        #expect(sent.connection == Self.id && sent.room == .main)
    }

    @Test func noPrefixOfAMessageIsAMessage() throws {
        for message in try Self.all() {
            let bytes = Self.bytes([message])
            for count in 1..<bytes.count {
                #expect(NodeMessage.messages(Array(bytes.prefix(count))) == nil)
            }
        }
    }

    @Test(arguments: [
        "left 5\n", "left x 0\n", "left 5 -1\n", "left 5 1\n", "gone 5 0\n", "lines 5 maybe 0\n",
        "moved 5 Main 0\n", "named 5 alice x 0\n", "request 5 1 2 text - main - - 0\n",
        "request 5 1 2 morse - main - - 4\nping", "request 5 1 2 text all main - - 4\nping",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(NodeMessage.messages(Array(text.utf8)) == nil)
    }

    @Test func aConnectionOfAnotherNodeIsOfNoLoop() {
        let id = SessionID(remote: 9 << 32)
        #expect(id.isRemote && id.connection == 9 << 32)
        #expect(!SessionID(connection: 1, loop: 254).isRemote)
    }
}
