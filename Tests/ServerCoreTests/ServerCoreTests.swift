import Addresses
import AuctionRules
import EventLog
import Lobby
import ServerCore
import Testing
import Wire

/// Steps of the core of a server.
@Suite struct ServerCoreTests {
    private static let alice = SessionID(connection: 1, loop: 0)
    private static let bob = SessionID(connection: 2, loop: 0)
    private static let crowd = (3..<23).map { SessionID(connection: $0, loop: 0) }

    @Test("the hammer is due after a step that its last event filled")
    func filledStep() {
        let driver = Driver(unsentEffects: 10)
        driver.join(Self.alice)
        driver.receive("name alice\nbid 5\n", from: Self.alice)
        driver.run(at: 0)
        driver.receive(String(repeating: "ping\n", count: 12), from: Self.alice)
        driver.run(at: 30)
        #expect(driver.deadline == 1_000)
        for second: Int64 in 1...7 { driver.run(at: second * 1_000) }
        #expect(driver.lines.contains { $0.hasPrefix("WINNER alice 5 ") })
    }

    @Test("a PROXY header that does not come in five seconds closes the connection")
    func lateHeader() throws {
        let proxy = try #require(PeerAddress("10.0.0.1"))
        let block = try #require(AddressBlock("10.0.0.0/8"))
        let driver = Driver(proxies: [block])
        driver.join(Self.alice, from: proxy)
        driver.run(at: 0)
        #expect(driver.deadline == 5_000)
        driver.run(at: 4_999)
        #expect(driver.closed.isEmpty)
        driver.run(at: 5_000)
        #expect(driver.closed == [Self.alice])
        #expect(driver.events.map(\.kind) == [.handshakeEnded(.late)])
    }

    @Test("a countdown runs from when its beginning is published")
    func countdownBegins() {
        let driver = Driver()
        driver.join(Self.alice)
        driver.receive("name alice\nbid 5\n", from: Self.alice)
        driver.run(at: 40)
        driver.run(at: 60)
        #expect(driver.deadline == 1_040)
    }

    @Test("a server that ends sends BYE, and has ended when all connections are gone")
    func shutDown() {
        let driver = Driver()
        let loop = driver.place()
        #expect(loop == 0)
        driver.join(Self.alice)
        driver.run(at: 0)
        driver.core.shutDown(at: Instant(nanoseconds: 1))
        driver.run(at: 1)
        #expect(driver.closed == [Self.alice])
        #expect(driver.end == [true, false])
        driver.reports[0].events.append(.lost(Self.alice))
        driver.run(at: 2)
        #expect(driver.end == [true, true])
    }

    @Test("a connection that closes while the disk hangs makes room for a newcomer at once")
    func closedWhileFull() {
        let driver = Driver(unsentEffects: 10, openLimit: 2)
        for id in [Self.alice, Self.bob] {
            #expect(driver.place() == 0)
            driver.join(id)
        }
        driver.run(at: 0)
        driver.log.isHanging = true
        driver.receive("name alice\n" + String(repeating: "ping\n", count: 20), from: Self.alice)
        driver.run(at: 30)
        #expect(driver.isFull)
        driver.receive("ping\n", from: Self.bob)
        driver.run(at: 31)
        #expect(driver.place() == nil)
        driver.reports[0].events.append(.lost(Self.bob))
        driver.run(at: 32)
        #expect(driver.place() == 0)
        #expect(driver.place() == nil)
    }

    @Test("stored input takes a part of a step, and the rest is for other connections")
    func storedShare() {
        let driver = Driver(unsentEffects: 80, linesPerSecond: 1)
        for id in Self.crowd + [Self.bob] { driver.join(id) }
        for id in Self.crowd { driver.receive("ping\n" + "ping\n", from: id) }
        driver.run(at: 0)
        #expect(driver.storedCount == 20)
        driver.clear()
        driver.receive("status\n", from: Self.bob)
        driver.step(at: 1_000)
        let pings = driver.lines.count { $0 == "OK ping" }
        #expect((1..<20).contains(pings))
        #expect(driver.lines.last == "OK status")
        #expect(driver.canContinue)
        driver.run(at: 1_000)
        #expect(driver.storedCount == 0)
    }

    @Test("while a loop has a backlog no input is handled, and no stored input is due")
    func backlog() {
        let driver = Driver(linesPerSecond: 1)
        driver.join(Self.alice)
        driver.join(Self.bob)
        driver.receive("ping\nping\n", from: Self.alice)
        driver.run(at: 0)
        driver.run(at: 30)
        driver.clear()
        #expect(driver.deadline == 1_000)
        driver.reports[0].hasBacklog = true
        driver.step(at: 500)
        #expect(driver.deadline == nil)
        driver.receive("ping\n", from: Self.bob)
        driver.step(at: 1_000)
        #expect(driver.lines.isEmpty && !driver.canContinue && driver.deadline == nil)
        driver.reports[0].hasBacklog = false
        driver.run(at: 1_000)
        #expect(driver.lines == ["OK ping", "OK ping"])
    }

    @Test("a connection that ends within a long answer is not read from, and gets all of it")
    func endWithinAnswer() {
        let driver = Driver(unsentEffects: 12)
        driver.join(Self.alice)
        driver.run(at: 0)
        driver.receive("help", from: Self.alice)
        driver.reports[0].events.append(.ended(Self.alice))
        driver.step(at: 0)
        #expect(driver.commands == [.silence(Self.alice)])
        #expect(driver.closed.isEmpty)
        driver.run(at: 0)
        #expect(driver.lines.last == "OK help")
        #expect(driver.closed == [Self.alice])
    }

    @Test("what a connection sends after stored input is handled after it, and so is its end")
    func afterStored() {
        let driver = Driver(linesPerSecond: 1)
        driver.join(Self.alice)
        driver.receive("ping\nhelp\n", from: Self.alice)
        driver.step(at: 0)
        #expect(driver.commands == [.silence(Self.alice)])
        driver.receive("status\n", from: Self.alice)
        driver.reports[0].events.append(.ended(Self.alice))
        driver.run(at: 1_000)
        #expect(driver.closed.isEmpty)
        for second: Int64 in 2...9 { driver.run(at: second * 1_000) }
        #expect(driver.lines.filter { $0.hasPrefix("OK") } == ["OK ping", "OK help", "OK status"])
        #expect(driver.closed == [Self.alice])
        #expect(driver.commands.last == .unsilence(Self.alice))
    }

    @Test("stored input of a connection that is gone is dropped")
    func lostStored() {
        let driver = Driver(linesPerSecond: 1)
        driver.join(Self.alice)
        driver.receive("ping\nping\n", from: Self.alice)
        driver.run(at: 0)
        #expect(driver.storedCount == 1)
        driver.reports[0].events.append(.lost(Self.alice))
        driver.run(at: 1)
        #expect(driver.storedCount == 0)
        #expect(driver.hasFreedDescriptors)
    }

    @Test("a connection that stalls leaves, and the log has the reason")
    func stalled() {
        let driver = Driver()
        driver.join(Self.alice)
        driver.reports[0].events.append(.stalled(Self.alice))
        driver.run(at: 0)
        #expect(driver.events.map(\.kind) == [.connected, .left(.stalled)])
    }

    @Test("a step can continue at once while a loop has reported more")
    func moreReported() {
        let driver = Driver()
        driver.reports[0].hasMore = true
        driver.step(at: 0)
        #expect(driver.canContinue)
        driver.reports[0].hasMore = false
        driver.step(at: 0)
        #expect(!driver.canContinue)
    }

    @Test("a step that is not full can continue at once with a report that it did not take")
    func untakenReport() {
        let driver = Driver(unsentEffects: 10)
        driver.join(Self.alice)
        driver.join(Self.bob)
        driver.run(at: 0)
        driver.log.isHanging = true
        driver.receive("name alice\n" + String(repeating: "ping\n", count: 20), from: Self.alice)
        driver.receive("ping\n", from: Self.bob)
        driver.step(at: 0)
        driver.receive("status\n", from: Self.bob)
        driver.step(at: 0)
        #expect(!driver.canContinue)
        driver.log.isHanging = false
        driver.step(at: 0)
        driver.step(at: 0)
        #expect(driver.canContinue)
    }

    @Test("what is due waits for the other loops, which are asked to report, and no step is due")
    func otherLoops() {
        let driver = Driver(loops: 2)
        driver.join(Self.alice)
        driver.receive("name alice\nbid 5\n", from: Self.alice)
        driver.run(at: 0)
        driver.run(at: 30)
        #expect(driver.deadline == 1_000)
        driver.readUntil[1] = 999
        driver.step(at: 1_000)
        let due = Instant(nanoseconds: 1_000_000_000)
        #expect(driver.commands == [.report(loop: 1, until: due)])
        #expect(driver.deadline == nil)
        #expect(!driver.lines.contains("COUNTDOWN 6"))
        driver.readUntil[1] = nil
        driver.step(at: 1_001)
        #expect(driver.lines.last == "COUNTDOWN 6")
        #expect(driver.deadline == 2_000)
    }

    @Test("a connection of the Unix socket has a place when as many are open as may be")
    func localPlace() {
        let driver = Driver(openLimit: 1)
        let places = [driver.place(), driver.place(), driver.place(isLocal: true)]
        #expect(places == [0, nil, 0])
    }

    @Test("long answers take a quarter of a step")
    func answerLines() {
        let driver = Driver(unsentEffects: 40)
        driver.join(Self.alice)
        driver.run(at: 0)
        driver.run(at: 30)
        driver.clear()
        driver.receive("help\n", from: Self.alice)
        driver.step(at: 30)
        #expect(driver.lines.count == 10)
        driver.run(at: 30)
        #expect(driver.lines.last == "OK help")
    }

    @Test("the end of a server closes proxies that have sent no header, and asks for no other")
    func endOfHandshakes() throws {
        let driver = Driver(proxies: [try #require(AddressBlock("10.0.0.0/8"))])
        let proxy = try #require(PeerAddress("10.0.0.1"))
        driver.join(Self.alice, from: proxy)
        driver.run(at: 0)
        driver.core.shutDown(at: Instant(nanoseconds: 1))
        driver.join(Self.bob, from: proxy)
        driver.run(at: 1)
        #expect(Set(driver.closed) == [Self.alice, Self.bob])
    }

    @Test("a log that fails answers what waited with an error, and ends the server")
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

    @Test("a server that ends signs its log off when nothing waits for it, and then has ended")
    func signOff() {
        let driver = Driver()
        _ = driver.place()
        driver.join(Self.alice)
        driver.log.isHanging = true
        driver.receive("name alice\n", from: Self.alice)
        driver.run(at: 0)
        driver.core.shutDown(at: Instant(nanoseconds: 0))
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

    @Test("a full segment is followed by a new one that begins with the state of the sale")
    func segments() {
        let driver = Driver()
        driver.log.isSegmentFull = true
        driver.join(Self.alice)
        driver.receive("name alice\n", from: Self.alice)
        driver.run(at: 0)
        #expect(driver.log.segments == 1)
    }

    @Test("a server ends only after the input of closed connections is handled")
    func endWithUnhandled() {
        let driver = Driver()
        _ = driver.place()
        driver.join(Self.alice)
        driver.run(at: 0)
        driver.core.shutDown(at: Instant(nanoseconds: 0))
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

    @Test("the end of a connection follows input that is stored in parts")
    func endAfterParts() {
        let driver = Driver(linesPerSecond: 1)
        driver.join(Self.alice)
        driver.receive("ping\nping\nping\n", from: Self.alice)
        driver.run(at: 0)
        driver.reports[0].events.append(.ended(Self.alice))
        driver.run(at: 500)
        driver.run(at: 1_000)
        #expect(driver.closed.isEmpty)
        driver.run(at: 2_000)
        #expect(driver.lines.count { $0 == "OK ping" } == 3)
        #expect(driver.closed == [Self.alice])
    }

    @Test("a line without an end does not count against a connection that is not read from")
    func pausedLine() {
        let driver = Driver(lineTime: .seconds(30))
        driver.join(Self.alice)
        driver.receive("pin", from: Self.alice)
        driver.reports[0].events.append(.paused(Self.alice))
        for second: Int64 in [0, 29, 31, 60] { driver.run(at: second * 1_000) }
        #expect(driver.closed.isEmpty)
        driver.reports[0].events.append(.unpaused(Self.alice))
        for second: Int64 in [61, 91, 92] { driver.run(at: second * 1_000) }
        #expect(driver.closed == [Self.alice])
    }

    @Test("a command in one read with a PROXY header is handled")
    func headerAndCommand() throws {
        let driver = Driver(proxies: [try #require(AddressBlock("10.0.0.0/8"))])
        driver.join(Self.alice, from: try #require(PeerAddress("10.0.0.1")))
        driver.receive("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nping\n", from: Self.alice)
        driver.run(at: 0)
        #expect(driver.lines.last == "OK ping")
        #expect(driver.events.map(\.address.description) == ["192.0.2.1"])
    }

    @Test("a proxy that leaves before its header is closed, and the log has the reason")
    func headerEnds() throws {
        let driver = Driver(proxies: [try #require(AddressBlock("10.0.0.0/8"))])
        let proxy = try #require(PeerAddress("10.0.0.1"))
        driver.join(Self.alice, from: proxy)
        driver.join(Self.bob, from: proxy)
        driver.reports[0].events.append(.ended(Self.alice))
        driver.reports[0].events.append(.lost(Self.bob))
        driver.run(at: 0)
        #expect(driver.closed == [Self.alice])
        #expect(driver.events.map(\.kind) == [.handshakeEnded(.end), .handshakeEnded(.reset)])
    }

    @Test("a connection that falls behind the news is skipped forward to a snapshot")
    func fallen() {
        let driver = Driver()
        driver.join(Self.alice)
        driver.receive("ping\n", from: Self.alice)
        driver.run(at: 0)
        driver.reports[0].events.append(.fallen(Self.alice))
        driver.run(at: 1)
        #expect(driver.skipped == [Self.alice])
    }

    @Test(
        "a connection that no loop could take over frees a descriptor, and the log has the reason")
    func refused() {
        let driver = Driver()
        _ = driver.place()
        driver.reports[0].events.append(.refused(reason: "no memory"))
        driver.run(at: 0)
        #expect(driver.refusals == ["no memory"] && driver.hasFreedDescriptors)
    }

    @Test("a limit that refuses a connection is counted")
    func limitReached() {
        let driver = Driver()
        driver.join(Self.alice)
        driver.receive("\u{16}\u{3}\u{1}\u{2}\n", from: Self.alice)
        driver.run(at: 0)
        #expect(driver.limitsReached == [.tls: 1])
    }

    @Test("the auctioneer's stop ends the server")
    func stop() {
        let driver = Driver()
        let token = "0123456789abcdef0123456789abcdef"
        driver.core.auctioneerToken = AuctioneerToken(token)
        driver.join(Self.alice)
        driver.receive("auctioneer \(token)\nstop\n", from: Self.alice)
        driver.run(at: 0)
        #expect(driver.lines.contains("OK stop"))
        #expect(driver.end[0] && driver.closed == [Self.alice])
    }
}
