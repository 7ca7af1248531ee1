import Auction
import Basics
import House
import Testing
import Wire

/// How a server ends.
@Suite struct ServerEndTests {
    private static let alice = SessionID(connection: 1, loop: 0)
    private static let bob = SessionID(connection: 2, loop: 0)
    private static let crowd = (3..<23).map { SessionID(connection: $0, loop: 0) }

    @Test("a server that ends sends BYE, and has ended when all connections are gone")
    func shutDown() {
        let driver = Driver()
        let loop = driver.place()
        #expect(loop == 0)
        driver.join(Self.alice)
        driver.run(at: 0)
        driver.house.shutDown(at: Instant(nanoseconds: 1))
        driver.run(at: 1)
        #expect(driver.closed == [Self.alice])
        #expect(driver.end == [true, false])
        driver.reports[0].events.append(.lost(Self.alice))
        driver.run(at: 2)
        #expect(driver.end == [true, true])
    }

    @Test("the end of a server closes proxies that have sent no header, and asks for no other")
    func endOfHandshakes() throws {
        let driver = Driver(proxies: [try #require(AddressBlock("10.0.0.0/8"))])
        let proxy = try #require(PeerAddress("10.0.0.1"))
        driver.join(Self.alice, from: proxy)
        driver.run(at: 0)
        driver.house.shutDown(at: Instant(nanoseconds: 1))
        driver.join(Self.bob, from: proxy)
        driver.run(at: 1)
        #expect(Set(driver.closed) == [Self.alice, Self.bob])
    }

    @Test("a journal that fails answers what waited with an error, and ends the server")
    func failedLog() throws {
        let driver = Driver(proxies: [try #require(AddressBlock("10.0.0.0/8"))])
        driver.join(Self.alice)
        driver.join(Self.bob, from: try #require(PeerAddress("10.0.0.1")))
        driver.run(at: 0)
        driver.log.isHanging = true
        driver.receive("name alice\n", from: Self.alice)
        driver.step(at: 1)
        driver.log.failure = LogFailure("full")
        driver.receive("ping\n", from: Self.alice)
        driver.clear()
        driver.step(at: 2)
        #expect(driver.lines.count { $0.hasPrefix("ERROR unavailable") } == 1)
        #expect(Set(driver.closed) == [Self.alice, Self.bob])
        #expect(driver.end[0])
        let newcomer = Self.crowd[0]
        driver.join(newcomer)
        driver.step(at: 3)
        #expect(driver.closed.contains(newcomer))
    }

    @Test("a server that ends signs its journal off when nothing waits for it, and then has ended")
    func endLog() {
        let driver = Driver()
        _ = driver.place()
        driver.join(Self.alice)
        driver.log.isHanging = true
        driver.receive("name alice\n", from: Self.alice)
        driver.run(at: 0)
        driver.house.shutDown(at: Instant(nanoseconds: 0))
        driver.reports[0].events.append(.lost(Self.alice))
        driver.run(at: 10)
        let count = driver.log.count
        driver.run(at: 20)
        #expect(driver.log.count == count && driver.end == [true, false])
        (driver.log.isHanging, driver.log.isHanging) = (false, true)
        driver.run(at: 30)
        #expect(driver.log.count == count + 1 && driver.end == [true, false])
        driver.log.isHanging = false
        driver.run(at: 40)
        #expect(driver.log.count == count + 1 && driver.end == [true, true])
    }

    @Test("a server ends only after the input of closed connections is handled")
    func endWithUnhandled() {
        let driver = Driver()
        _ = driver.place()
        driver.join(Self.alice)
        driver.run(at: 0)
        driver.house.shutDown(at: Instant(nanoseconds: 0))
        driver.reports[0].hasBacklog = true
        driver.receive("ping\n", from: Self.alice)
        driver.reports[0].events.append(.lost(Self.alice))
        driver.step(at: 1)
        driver.step(at: 2)
        #expect(driver.end == [true, false])
        driver.reports[0].hasBacklog = false
        driver.step(at: 3)
        #expect(driver.end == [true, true])
    }

    @Test("the auctioneer's stop ends the server")
    func stop() {
        let driver = Driver()
        let token = "0123456789abcdef0123456789abcdef"
        driver.house.lobby.auctioneerToken = AuctioneerToken(token)
        driver.join(Self.alice)
        driver.receive("auctioneer \(token)\nstop\n", from: Self.alice)
        driver.run(at: 0)
        #expect(driver.lines.contains("OK stop"))
        #expect(driver.end[0] && driver.closed == [Self.alice])
    }
}
