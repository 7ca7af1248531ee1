import Auction
import Basics
import House
import Testing

/// How far time advances in the lobby if there are several loops.
@Suite struct TimeStepTests {
    private func step(due: Int64?, own: Int64, others: Int64?) -> TimeStep {
        TimeStep(
            due: due.map(Instant.init(nanoseconds:)), handledUntil: Instant(nanoseconds: own),
            othersHandledUntil: others.map(Instant.init(nanoseconds:)))
    }

    private func expire(_ handledUntil: Int64) -> TimeStep {
        .expire(handledUntil: Instant(nanoseconds: handledUntil))
    }

    @Test("time does not advance before the own loop has been read up to what is due")
    func notDue() {
        #expect(step(due: nil, own: 50, others: nil) == .notDue)
        #expect(step(due: 51, own: 50, others: nil) == .notDue)
        #expect(step(due: 51, own: 50, others: 60) == .notDue)
    }

    @Test("on one loop all that is due is done")
    func oneLoop() {
        #expect(step(due: 50, own: 50, others: nil) == expire(50))
        #expect(step(due: 40, own: 50, others: nil) == expire(50))
    }

    @Test("what is due waits until all loops have been read up to its instant")
    func waiting() {
        #expect(step(due: 40, own: 50, others: 39) == .wait(for: Instant(nanoseconds: 40)))
        #expect(step(due: 40, own: 50, others: .min) == .wait(for: Instant(nanoseconds: 40)))
        #expect(step(due: 40, own: 50, others: 40) == expire(40))
    }

    @Test("only what is due by the instant up to which all loops have been read is done")
    func handledUntil() {
        #expect(step(due: 40, own: 50, others: 45) == expire(45))
        #expect(step(due: 40, own: 50, others: 70) == expire(50))
    }
}

/// What the house knows of its loops.
@Suite struct LoopStatesTests {
    private static let alice = SessionID(connection: 1, loop: 1)
    private static let bob = SessionID(connection: 2, loop: 1)

    private var loops = LoopStates(count: 2, openLimit: 4)
    private var reports = [LoopReport(), LoopReport()]

    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    /// Gives the second loop a report.
    private mutating func report(_ events: ConnectionEvents.Event..., until instant: Int64) {
        for event in events { reports[1].events.append(event) }
        reports[1].readUntil = at(instant)
        loops.take(&reports)
    }

    private mutating func handleAll() -> Int {
        var count = 0
        while loops.nextEvent() != nil { count += 1 }
        return count
    }

    @Test("a loop is asked once for an instant, and again only for a later one")
    mutating func requests() {
        #expect(loops.requestReports(until: at(6)) == [.report(loop: 1, until: at(6))])
        #expect(loops.requestReports(until: at(6)).isEmpty)
        report(until: 5)
        #expect(loops.requestReports(until: at(6)).isEmpty)
        report(until: 6)
        #expect(loops.requestReports(until: at(6)).isEmpty)
        #expect(loops.requestReports(until: at(7)) == [.report(loop: 1, until: at(7))])
    }

    @Test("time may advance to a report's instant when all that it reported is handled")
    mutating func handledUntil() {
        reports[0].readUntil = at(6)
        reports[1].events.append(Array("a".utf8)[...], from: Self.alice)
        reports[1].events.append(Array("bc".utf8)[...], from: Self.bob)
        report(until: 6)
        #expect(loops.timeStep(due: at(6)) == .wait(for: at(6)))
        #expect(loops.nextEvent()?.bytes == Array("a".utf8)[...])
        #expect(loops.timeStep(due: at(6)) == .wait(for: at(6)))
        #expect(loops.nextEvent()?.bytes == Array("bc".utf8)[...])
        #expect(loops.nextEvent() == nil)
        #expect(loops.timeStep(due: at(6)) == .expire(handledUntil: at(6)))
        #expect(loops.handledUntil == at(6))
    }

    @Test("no deadline counts while the own loop has not read all that its poll found")
    mutating func unfinishedRound() {
        reports[0].readUntil = at(6)
        report(until: 6)
        #expect(loops.timeStep(due: at(6)) == .expire(handledUntil: at(6)))
        reports[0].readUntil = nil
        report(until: 7)
        #expect(loops.timeStep(due: at(6)) == nil)
    }

    @Test("a report is not taken while events of the one before are not handled")
    mutating func leftOver() {
        report(.ended(Self.alice), until: 5)
        reports[1].events.append(.ended(Self.bob))
        let areTaken = loops.take(&reports)
        #expect(!areTaken)
        #expect(reports[1].events.list.count == 1)
        #expect(handleAll() == 1)
        report(until: 7)
        #expect(reports[1].events.isEmpty)
        #expect(handleAll() == 1)
    }

    @Test("a loop whose events were left comes first in the next step")
    mutating func order() {
        let carol = SessionID(connection: 3, loop: 0)
        reports[0].events.append(.ended(carol))
        report(.ended(Self.alice), .ended(Self.bob), until: 5)
        #expect(loops.nextEvent()?.event == .ended(carol))
        #expect(loops.nextEvent()?.event == .ended(Self.alice))
        loops.finishHandling()
        reports[0].events.append(.ended(carol))
        loops.take(&reports)
        #expect(loops.nextEvent()?.event == .ended(Self.bob))
        #expect(loops.nextEvent()?.event == .ended(carol))
        #expect(loops.nextEvent() == nil)
    }

    @Test("a loop that fills each step with its last event does not keep the others waiting")
    mutating func fairness() {
        let carol = SessionID(connection: 3, loop: 0)
        reports[0].events.append(.ended(carol))
        report(.ended(Self.alice), until: 5)
        #expect(loops.nextEvent()?.event == .ended(carol))
        loops.finishHandling()
        reports[0].events.append(.ended(carol))
        loops.take(&reports)
        #expect(loops.nextEvent()?.event == .ended(Self.alice))
    }

    @Test("a step that ends with the last event of a report has handled the report")
    mutating func filledStep() {
        reports[0].events.append(.ended(SessionID(connection: 3, loop: 0)))
        reports[0].readUntil = at(6)
        report(until: 6)
        #expect(loops.nextEvent() != nil)
        #expect(loops.timeStep(due: at(6)) == nil)
        loops.finishHandling()
        #expect(loops.timeStep(due: at(6)) == .expire(handledUntil: at(6)))
    }

    @Test("a connection that could not be taken over is not counted any more")
    mutating func refused() {
        #expect(loops.place(isLocal: false)?.loop == 0)
        #expect(loops.place(isLocal: false)?.loop == 1)
        report(.refused(reason: "no descriptor"), until: 5)
        #expect(handleAll() == 1)
        #expect(loops.connectionCount == 1)
    }

    @Test("a closed connection makes room before its events and those before it are handled")
    mutating func closedEarly() {
        for _ in 0..<4 { #expect(loops.place(isLocal: false) != nil) }
        report(.ended(Self.alice), .lost(Self.alice), until: 5)
        #expect(loops.connectionCount == 3)
        for _ in 0..<2 {
            reports[1].events.append(.lost(SessionID(connection: 3, loop: 1)))
            loops.take(&reports)
        }
        #expect(reports[1].events.list.count == 2)
        #expect(loops.connectionCount == 1)
        #expect(handleAll() == 2)
        loops.take(&reports)
        #expect(handleAll() == 2)
        #expect(loops.connectionCount == 1)
    }

    @Test("newcomers go to the loop with the fewest connections")
    mutating func placing() {
        #expect((0..<4).compactMap { _ in loops.place(isLocal: false)?.loop } == [0, 1, 0, 1])
        #expect(loops.connectionCount == 4)
        report(.lost(Self.alice), until: 5)
        #expect(handleAll() == 1)
        #expect(loops.place(isLocal: false)?.loop == 1)
    }

    @Test("with the limit open a newcomer is refused, unless a finishing connection can be closed")
    mutating func openLimit() {
        for _ in 0..<4 { #expect(loops.place(isLocal: false) != nil) }
        #expect(loops.place(isLocal: false) == nil)
        #expect(loops.place(isLocal: true) != nil)
        report(.finishing(Self.alice), .finishing(Self.bob), until: 5)
        #expect(handleAll() == 2)
        for _ in 0..<2 {
            #expect(loops.place(isLocal: false)?.command == .closeOneFinishing(loop: 1))
        }
        #expect(loops.place(isLocal: false) == nil)
        report(.lost(Self.alice), until: 6)
        #expect(handleAll() == 1)
        #expect(loops.place(isLocal: false) == nil)
    }

    @Test("a connection counts as read unless it was reported as paused")
    mutating func paused() {
        report(.paused(Self.alice), .paused(Self.bob), .unpaused(Self.bob), until: 5)
        #expect(handleAll() == 3)
        #expect(loops.isPaused(Self.alice))
        #expect(!loops.isPaused(Self.bob))
        report(.lost(Self.alice), until: 6)
        #expect(handleAll() == 1)
        #expect(!loops.isPaused(Self.alice))
    }

    @Test("everything is sent when every loop has reported that")
    mutating func drained() {
        let commands = loops.drain()
        #expect(commands == [.drain(loop: 0), .drain(loop: 1)])
        report(.drained, until: 5)
        #expect(handleAll() == 1)
        #expect(!loops.isDrained)
        reports[0].events.append(.drained)
        report(until: 6)
        #expect(handleAll() == 1)
        #expect(loops.isDrained)
        _ = loops.drain()
        #expect(!loops.isDrained)
    }

    @Test(
        "the name of a session has the connection and its loop",
        arguments: [0, 1, 255], [0, 0xff_ffff, 0xffff_ffff_00ff_ffff] as [UInt64])
    func names(loop: Int, connection: UInt64) {
        let id = SessionID(connection: connection, loop: loop)
        #expect(id.loop == loop)
        #expect(id.connection == connection)
    }
}
