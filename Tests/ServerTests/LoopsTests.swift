import Auction
import Basics
import House
import Server
import Testing
import Wire

/// The commands and reports that the actor's loop and another loop exchange.
@Suite struct LoopsTests {
    private static let alice = SessionID(connection: 1, loop: 1)
    private static let bob = SessionID(connection: 2, loop: 1)

    /// The actor's own loop, which notes what it is told.
    private final class OwnLoop: LoopConnections {
        var commands: [LoopCommand] = []

        func execute(_ command: LoopCommand) { commands.append(command) }
        func perform(_ effect: Effect) { commands.append(.perform(effect)) }
        func report(into report: inout LoopReport) { report.readUntil = Instant(nanoseconds: 1) }
    }

    /// The actor's own loop, and another one.
    private struct Setting {
        let own = OwnLoop()
        let mailbox = Mailbox()
        let loops: Loops
        let wakes = Counter()

        init() {
            let wakes = wakes
            loops = Loops(own, [Loops.Other(mailbox, wake: { wakes.count += 1 })])
        }

        func tell(_ commands: LoopCommand...) {
            for command in commands { loops.tell(command) }
            loops.handOver()
        }

        /// Takes the commands of the other loop.
        func take() -> [LoopCommand] {
            var commands: [LoopCommand] = []
            _ = mailbox.take(&commands)
            return commands
        }

        /// Reports events of the other loop, and until when it has read; nil if it is not done.
        @discardableResult
        func report(
            _ events: ConnectionEvents.Event..., until instant: Int64?
        ) -> (isNews: Bool, mustTurn: Bool) {
            var report = LoopReport()
            for event in events { report.events.append(event) }
            report.readUntil = instant.map { Instant(nanoseconds: $0) }
            report.isHolding = instant == nil
            return mailbox.add(&report)
        }

        /// What the actor has of the other loop's report.
        func collect() throws -> (events: [ConnectionEvents.Event], until: Int64?, hasMore: Bool) {
            try loops.collectReports()
            let report = loops.reports[1]
            return (report.events.list, report.readUntil?.nanoseconds, report.hasMore)
        }
    }

    private final class Counter {
        var count = 0
    }

    /// News whose line has slightly more than this many bytes.
    private func news(_ bytes: Int = 1) throws -> News {
        let text = String(repeating: "x", count: bytes)
        let message = Effect.news(
            .messageSaid(try #require(Bidder("eve")), text: text), nil, room: .main,
            seq: 1)
        let batch = CommitQueue(MemoryLog()).record([message]) { [] }
        return News(batch.news[0], of: batch, time: 5)
    }

    @Test("each loop is told its own commands, and all loops the news")
    func routing() throws {
        let (setting, news) = (Setting(), try news())
        let near = SessionID(connection: 1, loop: 0)
        setting.tell(
            .silence(near), .append(news), .perform(.skip(Self.alice)),
            .adopt(7, .local, loop: 1), .adopt(8, .local, loop: 0))
        #expect(
            setting.own.commands == [.silence(near), .append(news), .adopt(8, .local, loop: 0)])
        #expect(
            setting.take() == [
                .append(news), .perform(.skip(Self.alice)), .adopt(7, .local, loop: 1),
            ])
        #expect(setting.wakes.count == 1)
        setting.tell(.silence(near))
        #expect(setting.wakes.count == 1)
    }

    @Test("commands that were not taken stand before those given later")
    func commandsGather() {
        let setting = Setting()
        setting.tell(.unsilence(Self.alice))
        setting.tell(.unsilence(Self.bob))
        #expect(setting.take() == [.unsilence(Self.alice), .unsilence(Self.bob)])
        #expect(setting.take().isEmpty)
    }

    @Test("a loop with more than 64 KiB of news to take is behind until it has taken them")
    func behind() throws {
        let (setting, news) = (Setting(), try news(40_000))
        var taken: [LoopCommand] = []
        for isBehind in [false, true] {
            setting.tell(.append(news))
            _ = try setting.collect()
            #expect(setting.loops.reports[1].hasBacklog == isBehind)
        }
        #expect(setting.mailbox.take(&taken).hadBacklog)
        _ = try setting.collect()
        #expect(!setting.loops.reports[1].hasBacklog)
        #expect(!setting.mailbox.take(&taken).hadBacklog)
    }

    @Test("events come in the order of reading, with the instant until which all was read")
    func eventsGather() throws {
        let setting = Setting()
        #expect(setting.report(.ended(Self.alice), until: 5).isNews)
        #expect(setting.report(.ended(Self.bob), .lost(Self.bob), until: 6).isNews)
        let (events, until, _) = try setting.collect()
        #expect(events == [.ended(Self.alice), .ended(Self.bob), .lost(Self.bob)])
        #expect(until == 6)
    }

    @Test("a loop that holds connections does not report that it has read all, and is woken")
    func holding() throws {
        let setting = Setting()
        setting.report(until: 5)
        #expect(setting.report(.ended(Self.alice), until: nil) == (true, false))
        #expect(try setting.collect().until == 5)
        #expect(setting.wakes.count == 1)
        setting.loops.reports[1].events.removeAll()
        setting.report(until: 7)
        #expect(try setting.collect().until == 7)
        #expect(setting.wakes.count == 1)
    }

    @Test("a loop that holds turns again if its events were taken before it reported so")
    func takenBefore() {
        let setting = Setting()
        #expect(setting.report(until: nil) == (false, true))
        #expect(setting.report(until: 5) == (false, false))
    }

    @Test("an empty report wakes nobody, unless it was requested")
    func request() {
        let setting = Setting()
        #expect(!setting.report(until: 5).isNews)
        setting.tell(.report(loop: 1, until: Instant(nanoseconds: 6)))
        #expect(setting.report(until: 6).isNews)
        #expect(!setting.report(until: 7).isNews)
    }

    @Test("a loop that has not read until the requested instant turns again, and then reports")
    func earlyRequest() {
        let setting = Setting()
        setting.tell(.report(loop: 1, until: Instant(nanoseconds: 6)))
        #expect(setting.report(until: 5) == (false, true))
        #expect(setting.report(until: 6) == (true, false))
        #expect(setting.report(until: 7) == (false, false))
    }

    @Test("a requested report comes when everything is read, and not before")
    func requestWhileHolding() {
        let setting = Setting()
        setting.report(.ended(Self.alice), until: nil)
        setting.tell(.report(loop: 1, until: Instant(nanoseconds: 6)))
        #expect(!setting.report(until: nil).isNews)
        #expect(setting.report(until: 6).isNews)
        #expect(!setting.report(until: 7).isNews)
    }

    @Test("a report is not taken while the one before is unhandled")
    func untaken() throws {
        let setting = Setting()
        setting.report(.ended(Self.alice), until: 5)
        _ = try setting.collect()
        setting.report(.ended(Self.bob), until: 6)
        // So the next turn comes at once, and takes the rest.
        #expect(try setting.collect() == ([.ended(Self.alice)], 5, true))
        setting.loops.reports[1].events.removeAll()
        #expect(try setting.collect() == ([.ended(Self.bob)], 6, false))
    }
}
