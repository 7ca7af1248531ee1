import Saleroom
import Server
import Testing
import Transport
import Wire

/// What two loops hand each other.
@Suite struct MailboxTests {
    private static let alice = Handle(rawValue: 1)
    private static let bob = Handle(rawValue: 2)

    @Test("news in a row are one command for each format, and keep their place among the others")
    func rows() {
        var commands = ShardCommands()
        commands.append(Array("one\n".utf8)[...], as: .text)
        commands.append(Array("two\n".utf8)[...], as: .text)
        commands.append(.unsilence(Self.alice))
        commands.append(Array("three\n".utf8)[...], as: .text)
        commands.append(Array("{}\n".utf8)[...], as: .json)
        #expect(
            commands.list.map { "\($0)" } == [
                "\(ShardCommands.Command.append(8, .text))",
                "\(ShardCommands.Command.unsilence(Self.alice))",
                "\(ShardCommands.Command.append(6, .text))",
                "\(ShardCommands.Command.append(3, .json))",
            ])
        #expect(commands.text == Array("one\ntwo\nthree\n{}\n".utf8))
    }

    @Test("commands that were not taken stand before those given later")
    func ordersGather() {
        let mailbox = Mailbox()
        var given = ShardCommands()
        for (word, handle) in [("one\n", Self.alice), ("two\n", Self.bob)] {
            given.append(Array(word.utf8)[...], as: .text)
            given.append(.unsilence(handle))
            mailbox.give(&given)
            #expect(given.isEmpty)
        }
        var taken = ShardCommands()
        _ = mailbox.take(&taken)
        #expect(taken.list.count == 4)
        #expect(taken.text == Array("one\ntwo\n".utf8))
        _ = mailbox.take(&taken)
        #expect(taken.isEmpty)
    }

    @Test("a shard with more than 64 KiB of news to take is behind until it has taken them")
    func behind() throws {
        let mailbox = Mailbox()
        var given = ShardCommands()
        given.append(Array(repeating: 10, count: 65_536)[...], as: .text)
        mailbox.give(&given)
        #expect(try !mailbox.isBehind())
        given.append([10], as: .text)
        mailbox.give(&given)
        #expect(try mailbox.isBehind())
        var taken = ShardCommands()
        #expect(mailbox.take(&taken).wasBehind)
        #expect(try !mailbox.isBehind())
        #expect(!mailbox.take(&taken).wasBehind)
    }

    @Test("what was read comes in order, with until when everything was")
    func eventsGather() throws {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        var taken = ShardEvents()
        reported.append(Array("a".utf8)[...], from: Self.alice)
        #expect(mailbox.report(&reported, heardUntil: 5, isHolding: false).isNews)
        reported.append(Array("b".utf8)[...], from: Self.bob)
        reported.append(.lost(Self.bob))
        #expect(mailbox.report(&reported, heardUntil: 6, isHolding: false).isNews)
        #expect(try mailbox.take(&taken) == (6, false))
        #expect(taken.bytes == Array("ab".utf8))
        #expect(taken.list.count == 3)
    }

    @Test("a shard that holds somebody back does not say that it has heard everybody")
    func holding() throws {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        var taken = ShardEvents()
        _ = mailbox.report(&reported, heardUntil: 5, isHolding: false)
        reported.append(.ended(Self.alice))
        #expect(mailbox.report(&reported, heardUntil: nil, isHolding: true) == (true, false))
        #expect(try mailbox.take(&taken) == (5, true))
        #expect(try mailbox.take(&taken) == (5, false))
        _ = mailbox.report(&reported, heardUntil: 7, isHolding: false)
        #expect(try mailbox.take(&taken) == (7, false))
    }

    @Test("a shard that holds learns when all was taken before it said so")
    func takenBefore() {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        #expect(mailbox.report(&reported, heardUntil: nil, isHolding: true) == (false, true))
        #expect(mailbox.report(&reported, heardUntil: 5, isHolding: false) == (false, false))
    }

    @Test("nobody is woken for a report of nothing, unless it was asked for")
    func inquiry() {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        #expect(!mailbox.report(&reported, heardUntil: 5, isHolding: false).isNews)
        mailbox.wantReport(until: 6)
        #expect(mailbox.report(&reported, heardUntil: 6, isHolding: false).isNews)
        #expect(!mailbox.report(&reported, heardUntil: 7, isHolding: false).isNews)
    }

    @Test("a shard asked for a later instant than it has read until turns again and then reports")
    func earlyInquiry() {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        mailbox.wantReport(until: 6)
        #expect(mailbox.report(&reported, heardUntil: 5, isHolding: false) == (false, true))
        #expect(mailbox.report(&reported, heardUntil: 6, isHolding: false) == (true, false))
        #expect(mailbox.report(&reported, heardUntil: 7, isHolding: false) == (false, false))
    }

    @Test("news that come before a requested report do not take its place")
    func newsBeforeReport() throws {
        let mailbox = Mailbox()
        var (wakes, reported) = (0, ShardEvents())
        let shard = RemoteShard(1, mailbox, wake: { wakes += 1 })
        shard.inquire(until: 6)
        reported.append(Array("a".utf8)[...], from: Self.alice)
        #expect(mailbox.report(&reported, heardUntil: 5, isHolding: false) == (true, true))
        try shard.takeEvents()
        shard.inquire(until: 6)
        #expect(wakes == 1)
        #expect(mailbox.report(&reported, heardUntil: 6, isHolding: false) == (true, false))
    }

    @Test("a report that was asked for comes once everything is heard, and not before")
    func inquiryWhileHolding() throws {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        reported.append(.ended(Self.alice))
        _ = mailbox.report(&reported, heardUntil: nil, isHolding: true)
        mailbox.wantReport(until: 6)
        #expect(!mailbox.report(&reported, heardUntil: nil, isHolding: true).isNews)
        #expect(mailbox.report(&reported, heardUntil: 6, isHolding: false).isNews)
        #expect(!mailbox.report(&reported, heardUntil: 7, isHolding: false).isNews)
    }

    @Test("a shard is asked once for an instant, and again only for a later one")
    func inquiries() throws {
        let mailbox = Mailbox()
        var (wakes, reported) = (0, ShardEvents())
        let shard = RemoteShard(1, mailbox, wake: { wakes += 1 })
        for _ in 0..<3 { shard.inquire(until: 6) }
        #expect(wakes == 1)
        try shard.takeEvents()
        shard.inquire(until: 6)
        #expect(wakes == 1)
        _ = mailbox.report(&reported, heardUntil: 6, isHolding: false)
        try shard.takeEvents()
        #expect(shard.heardUntil == 6)
        shard.inquire(until: 6)
        #expect(wakes == 1)
        shard.inquire(until: 7)
        #expect(wakes == 2)
    }

    @Test("a shard is heard until its report when all that it reported has been heard")
    func heardUntil() throws {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        let shard = RemoteShard(1, mailbox, wake: {})
        reported.append(Array("a".utf8)[...], from: Self.alice)
        reported.append(Array("b".utf8)[...], from: Self.bob)
        _ = mailbox.report(&reported, heardUntil: 6, isHolding: false)
        try shard.takeEvents()
        #expect(shard.heardUntil == .min)
        #expect(shard.nextEvent()?.1 == Array("a".utf8)[...])
        #expect(shard.heardUntil == .min)
        #expect(shard.nextEvent()?.1 == Array("b".utf8)[...])
        #expect(shard.nextEvent() == nil)
        #expect(shard.heardUntil == 6)
    }

    @Test("what a shard reports while some is left to be heard is taken after that")
    func leftOver() throws {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        let shard = RemoteShard(1, mailbox, wake: {})
        reported.append(.ended(Self.alice))
        _ = mailbox.report(&reported, heardUntil: 5, isHolding: false)
        try shard.takeEvents()
        reported.append(.ended(Self.bob))
        _ = mailbox.report(&reported, heardUntil: 6, isHolding: false)
        #expect(shard.hasUnheard)
        try shard.takeEvents()
        #expect(shard.nextEvent() != nil)
        #expect(shard.nextEvent() == nil)
        #expect(!shard.hasUnheard)
        try shard.takeEvents()
        #expect(shard.nextEvent() != nil)
        #expect(shard.nextEvent() == nil)
        #expect(shard.heardUntil == 6)
    }

    @Test("a shard is told to close as many connections as it reported as finishing")
    func finishing() throws {
        let mailbox = Mailbox()
        var reported = ShardEvents()
        let shard = RemoteShard(1, mailbox, wake: {})
        func hear(_ events: ShardEvents.Event...) throws {
            for event in events { reported.append(event) }
            _ = mailbox.report(&reported, heardUntil: 5, isHolding: false)
            try shard.takeEvents()
            while shard.nextEvent() != nil {}
        }
        #expect(!shard.closeOneFinishing())
        try hear(.finishing(Self.alice), .finishing(Self.bob))
        #expect(shard.closeOneFinishing())
        #expect(shard.closeOneFinishing())
        #expect(!shard.closeOneFinishing())
        try hear(.lost(Self.alice))
        #expect(!shard.closeOneFinishing())
        try hear(.lost(Self.bob))
        #expect(!shard.closeOneFinishing())
        shard.handOver()
        var taken = ShardCommands()
        _ = mailbox.take(&taken)
        #expect(taken.list.count == 2)
    }

    @Test("a row of news is no longer than 64 KiB, for it must fit the ring")
    func longRows() {
        var commands = ShardCommands()
        for _ in 0..<3 { commands.append(Array(repeating: 10, count: 40_000)[...], as: .text) }
        #expect(commands.list.count == 3)
        commands.append([10], as: .text)
        #expect(commands.list.count == 3)
    }

    @Test("what was wanted once keeps no room for ever")
    func room() {
        var commands = ShardCommands()
        commands.append(Array(repeating: 10, count: 1 << 20)[...], as: .text)
        commands.removeAll()
        #expect(commands.text.capacity == 0)
    }

    @Test(
        "the name of a session has the connection and its shard",
        arguments: [0, 1, 255], [0, 0xff_ffff, 0xffff_ffff_00ff_ffff] as [UInt64])
    func names(shard: Int, rawValue: UInt64) {
        let handle = Handle(rawValue: rawValue)
        let id = SessionID(handle, shard: shard)
        #expect(id.shard == shard)
        #expect(id.handle == handle)
    }
}
