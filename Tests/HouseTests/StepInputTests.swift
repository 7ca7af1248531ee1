import Auction
import Basics
import House
import Testing
import Wire

/// What a step takes of the input, and when the next one is due.
@Suite struct StepInputTests {
    private static let alice = SessionID(connection: 1, loop: 0)
    private static let bob = SessionID(connection: 2, loop: 0)
    private static let crowd = (3..<23).map { SessionID(connection: $0, loop: 0) }

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
}
