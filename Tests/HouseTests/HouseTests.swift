import Auction
import Basics
import House
import Testing
import Wire

/// Steps of the house of a server.
@Suite struct HouseTests {
    private static let alice = SessionID(connection: 1, loop: 0)
    private static let bob = SessionID(connection: 2, loop: 0)

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

    @Test(
        "a sync that hangs for longer than the countdown lets no second pass, and a bid is in time")
    func hangingSync() {
        let driver = Driver(seconds: 5)
        for (id, name) in [(Self.alice, "alice"), (Self.bob, "bob")] {
            driver.join(id)
            driver.receive("name \(name)\n", from: id)
        }
        driver.receive("bid 5\n", from: Self.alice)
        driver.run(at: 0)
        driver.log.isHanging = true
        for second: Int64 in 1...6 { driver.run(at: second * 1_000) }
        #expect(driver.deadline == nil)
        driver.receive("bid 6\n", from: Self.bob)
        driver.run(at: 6_300)
        driver.clear()
        driver.log.isHanging = false
        driver.run(at: 7_000)
        #expect(
            driver.lines == ["COUNTDOWN 4", "OK bid 6", "PRICE 6 bob 00:06.3 2", "COUNTDOWN 5"])
        #expect(driver.deadline == 8_000)
        driver.clear()
        for second: Int64 in 8...12 { driver.run(at: second * 1_000) }
        #expect(driver.lines.contains("WINNER bob 6 00:12.0 lot-1"))
    }

    @Test("a second that was durable late has its time, and then the next is due")
    func lateSecond() {
        let driver = Driver(seconds: 5)
        driver.join(Self.alice)
        driver.receive("name alice\nbid 5\n", from: Self.alice)
        driver.run(at: 0)
        driver.log.isHanging = true
        driver.run(at: 1_000)
        driver.clear()
        driver.log.isHanging = false
        driver.run(at: 7_000)
        #expect(driver.lines == ["COUNTDOWN 4"])
        #expect(driver.deadline == 7_950)
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

    @Test("a connection that stalls leaves, and the log has the reason")
    func stalled() {
        let driver = Driver()
        driver.join(Self.alice)
        driver.reports[0].events.append(.stalled(Self.alice))
        driver.run(at: 0)
        #expect(driver.events.map(\.kind) == [.connected, .left(.stalled)])
    }

    @Test("a connection of the Unix socket has a place when as many are open as may be")
    func localPlace() {
        let driver = Driver(openLimit: 1)
        let places = [driver.place(), driver.place(), driver.place(isLocal: true)]
        #expect(places == [0, nil, 0])
    }

    @Test("a full segment is followed by a new one, whose state is that of this moment")
    func segments() {
        let driver = Driver()
        for (id, name) in [(Self.alice, "alice"), (Self.bob, "bob")] {
            driver.join(id)
            driver.receive("name \(name)\n", from: id)
        }
        driver.run(at: 0)
        driver.log.isSegmentFull = true
        driver.receive("bid 5\n", from: Self.alice)
        driver.run(at: 10)
        driver.receive("bid 6\nsay hello\n", from: Self.bob)
        driver.run(at: 20)
        let states = driver.log.states.map { $0() }
        #expect(states.count == 1)
        let lines = String(decoding: states[0].text, as: UTF8.self).split(separator: "\n")
        #expect(lines.first?.hasPrefix("STATE main ") == true)
        #expect(lines.filter { $0.hasPrefix("LAP ") } == ["LAP 1 5 alice 00:00.0"])
        #expect(!lines.contains { $0.hasPrefix("PRICE 6 ") })
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
}
