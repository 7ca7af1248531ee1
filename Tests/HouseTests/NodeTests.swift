import Auction
import Basics
import House
import Testing
import Wire

/// What the house of a node of several does for its connections.
@Suite struct NodeTests {
    private static let alice = SessionID(connection: 1, loop: 0)
    private static let bob = SessionID(connection: 2, loop: 0)

    private let driver = Driver(node: "one", names: 1)
    private let art: RoomName

    init() throws {
        art = try #require(RoomName("art"))
        driver.house.takeOver([.main], at: Instant(nanoseconds: 0))
        driver.house.add(node: "two", at: Instant(nanoseconds: 0))
        for id in [Self.alice, Self.bob] { driver.join(id) }
        driver.run(at: 0)
        driver.clear()
    }

    private func execute(_ text: String, by id: SessionID = alice) {
        driver.receive(text, from: id)
        driver.run(at: 100)
    }

    private func decide(_ claim: NodeClaim, isOwn: Bool) {
        driver.house.decide(claim, isOwn: isOwn, at: Instant(nanoseconds: 100_000_000))
        driver.run(at: 100)
    }

    @Test("a name that is over the limit is not claimed")
    func namesOverTheLimit() throws {
        let name = try #require(Bidder("alice"))
        execute("name alice\n")
        #expect(driver.claims == [.name(name)])
        decide(.name(name), isOwn: true)
        execute("name bob\nname carl\n", by: Self.bob)
        #expect(driver.claims == [.name(name)])
        #expect(driver.lines.filter { $0.hasPrefix("ERROR slow-down") }.count == 2)
    }

    @Test("a room that another node has claimed is not claimed")
    func roomsOfOthers() {
        driver.house.follow(owner: "two", of: art, at: Instant(nanoseconds: 0))
        execute("open art\n")
        #expect(driver.claims.isEmpty)
        #expect(driver.lines.last?.hasPrefix("ERROR room-taken") == true)
    }

    @Test("a claim of a room is made once, and used once")
    func claimsOfRooms() {
        execute("open art\n")
        decide(.room(art), isOwn: true)
        #expect(driver.claims == [.room(art)])
        #expect(driver.lines.contains { $0.hasPrefix("OK open art ") })
    }

    @Test("requests for a node that is gone are refused, and what waits for it ends with its return")
    func goneNodes() {
        driver.house.follow(owner: "two", of: .main, at: Instant(nanoseconds: 0))
        execute("say hello\nping\n")
        #expect(driver.messages.map(\.node) == ["two"])
        #expect(driver.lines.isEmpty)
        driver.house.remove(node: "two", at: Instant(nanoseconds: 100_000_000))
        execute("say hello\n", by: Self.bob)
        #expect(driver.lines.last?.hasPrefix("ERROR unavailable") == true)
        #expect(driver.messages.count == 1)
        driver.house.add(node: "two", at: Instant(nanoseconds: 100_000_000))
        driver.run(at: 100)
        #expect(driver.closed == [Self.alice])
    }

    @Test("requests are refused while nothing becomes durable, also those for other nodes")
    func unavailable() {
        driver.house.follow(owner: "two", of: .main, at: Instant(nanoseconds: 0))
        driver.house.isUnavailable = true
        execute("say hello\n")
        #expect(driver.messages.isEmpty)
        #expect(driver.lines.last?.hasPrefix("ERROR unavailable") == true)
    }
}
