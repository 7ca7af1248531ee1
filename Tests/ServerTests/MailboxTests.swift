import Basics
import House
import Server
import Testing
import Wire

/// What two loops hand each other.
@Suite struct MailboxTests {
    private static let alice = SessionID(connection: 1, loop: 1)
    private static let bob = SessionID(connection: 2, loop: 1)
    private static let (text, json) = (RoomFeed(.main, .text), RoomFeed(.main, .json))

    /// A shard that records what it is asked to do.
    private final class Recorder: ShardOutput {
        var words: [String] = []

        func adopt(_ descriptor: Int32, from address: PeerAddress) { words.append("adopt") }
        func encodings(followedIn room: RoomID) -> Encodings { Encodings(.text) }
        func append(_ record: ArraySlice<UInt8>, to feed: RoomFeed) { words.append("one") }
        func append(_ records: ArraySlice<UInt8>, lengths: ArraySlice<Int>, to feed: RoomFeed) {
            let text = String(decoding: records, as: UTF8.self)
            words.append("\(feed.room.number) \(feed.encoding) \(Array(lengths)) \(text)")
        }
        func perform(_ effect: Effect) { words.append("perform") }
        func execute(_ command: LoopCommand) { words.append("\(command)") }
        func report(into report: inout LoopReport) {}
    }

    private func words(of commands: ShardCommands) -> [String] {
        let recorder = Recorder()
        commands.execute(on: recorder)
        return recorder.words
    }

    @Test("news in a row are one command for each feed, and keep their place among the others")
    func rows() {
        let blue = RoomID(slot: 7, generation: 1)
        var commands = ShardCommands()
        commands.append(Array("one\n".utf8)[...], to: Self.text)
        commands.append(Array("two\n".utf8)[...], to: Self.text)
        commands.execute(.unsilence(Self.alice))
        commands.append(Array("three\n".utf8)[...], to: Self.text)
        commands.append(Array("{}\n".utf8)[...], to: Self.json)
        commands.append(Array("four\n".utf8)[...], to: RoomFeed(blue, .json))
        #expect(
            words(of: commands) == [
                "0 text [4, 4] one\ntwo\n", "\(LoopCommand.unsilence(Self.alice))",
                "0 text [6] three\n",
                "0 json [3] {}\n", "\(blue.number) json [5] four\n",
            ])
    }

    @Test("commands that were not taken stand before those given later")
    func ordersGather() {
        let mailbox = Mailbox()
        var given = ShardCommands()
        for (word, id) in [("one\n", Self.alice), ("two\n", Self.bob)] {
            given.append(Array(word.utf8)[...], to: Self.text)
            given.execute(.unsilence(id))
            mailbox.add(&given)
            #expect(given.isEmpty)
        }
        var taken = ShardCommands()
        _ = mailbox.take(&taken)
        #expect(
            words(of: taken) == [
                "0 text [4] one\n", "\(LoopCommand.unsilence(Self.alice))", "0 text [4] two\n",
                "\(LoopCommand.unsilence(Self.bob))",
            ])
        _ = mailbox.take(&taken)
        #expect(taken.isEmpty)
    }

    @Test("a shard with more than 64 KiB of news to take is behind until it has taken them")
    func behind() throws {
        let mailbox = Mailbox()
        var given = ShardCommands()
        given.append(Array(repeating: 10, count: 65_536)[...], to: Self.text)
        mailbox.add(&given)
        #expect(try !mailbox.hasBacklog())
        given.append([10], to: Self.text)
        mailbox.add(&given)
        #expect(try mailbox.hasBacklog())
        var taken = ShardCommands()
        #expect(mailbox.take(&taken).hadBacklog)
        #expect(try !mailbox.hasBacklog())
        #expect(!mailbox.take(&taken).hadBacklog)
    }

    @Test("events come in the order of reading, with the instant until which all was read")
    func eventsGather() throws {
        let mailbox = Mailbox()
        var reported = ConnectionEvents()
        var taken = ConnectionEvents()
        reported.append(Array("a".utf8)[...], from: Self.alice)
        #expect(mailbox.report(&reported, readUntil: 5, isHolding: false).isNews)
        reported.append(Array("b".utf8)[...], from: Self.bob)
        reported.append(.lost(Self.bob))
        #expect(mailbox.report(&reported, readUntil: 6, isHolding: false).isNews)
        #expect(try mailbox.take(&taken) == (6, false))
        #expect(taken.bytes == Array("ab".utf8))
        #expect(taken.list.count == 3)
    }

    @Test("a shard that holds a connection does not report that it has read all")
    func holding() throws {
        let mailbox = Mailbox()
        var reported = ConnectionEvents()
        var taken = ConnectionEvents()
        _ = mailbox.report(&reported, readUntil: 5, isHolding: false)
        reported.append(.ended(Self.alice))
        #expect(mailbox.report(&reported, readUntil: nil, isHolding: true) == (true, false))
        #expect(try mailbox.take(&taken) == (5, true))
        #expect(try mailbox.take(&taken) == (5, false))
        _ = mailbox.report(&reported, readUntil: 7, isHolding: false)
        #expect(try mailbox.take(&taken) == (7, false))
    }

    @Test("a shard that holds turns again if its events were taken before it reported that")
    func takenBefore() {
        let mailbox = Mailbox()
        var reported = ConnectionEvents()
        #expect(mailbox.report(&reported, readUntil: nil, isHolding: true) == (false, true))
        #expect(mailbox.report(&reported, readUntil: 5, isHolding: false) == (false, false))
    }

    @Test("an empty report wakes nobody, unless it was requested")
    func inquiry() {
        let mailbox = Mailbox()
        var reported = ConnectionEvents()
        #expect(!mailbox.report(&reported, readUntil: 5, isHolding: false).isNews)
        mailbox.requestReport(until: 6)
        #expect(mailbox.report(&reported, readUntil: 6, isHolding: false).isNews)
        #expect(!mailbox.report(&reported, readUntil: 7, isHolding: false).isNews)
    }

    @Test("a shard asked for a later instant than it has read until turns again and then reports")
    func earlyInquiry() {
        let mailbox = Mailbox()
        var reported = ConnectionEvents()
        mailbox.requestReport(until: 6)
        #expect(mailbox.report(&reported, readUntil: 5, isHolding: false) == (false, true))
        #expect(mailbox.report(&reported, readUntil: 6, isHolding: false) == (true, false))
        #expect(mailbox.report(&reported, readUntil: 7, isHolding: false) == (false, false))
    }

    @Test("a requested report comes when everything is read, and not before")
    func inquiryWhileHolding() throws {
        let mailbox = Mailbox()
        var reported = ConnectionEvents()
        reported.append(.ended(Self.alice))
        _ = mailbox.report(&reported, readUntil: nil, isHolding: true)
        mailbox.requestReport(until: 6)
        #expect(!mailbox.report(&reported, readUntil: nil, isHolding: true).isNews)
        #expect(mailbox.report(&reported, readUntil: 6, isHolding: false).isNews)
        #expect(!mailbox.report(&reported, readUntil: 7, isHolding: false).isNews)
    }

    @Test("a run of news is at most 64 KiB, because it must fit the ring")
    func longRows() {
        var commands = ShardCommands()
        for _ in 0..<3 { commands.append(Array(repeating: 10, count: 40_000)[...], to: Self.text) }
        #expect(commands.count == 3)
        commands.append([10], to: Self.text)
        #expect(commands.count == 3)
    }

    @Test("a report is not taken over one that was not handled")
    func untaken() throws {
        let mailbox = Mailbox()
        var (reported, report) = (ConnectionEvents(), LoopReport())
        let shard = RemoteShard(mailbox, wake: {})
        reported.append(.ended(Self.alice))
        _ = mailbox.report(&reported, readUntil: 5, isHolding: false)
        try shard.report(into: &report)
        reported.append(.ended(Self.bob))
        _ = mailbox.report(&reported, readUntil: 6, isHolding: false)
        try shard.report(into: &report)
        #expect(report.events.list == [.ended(Self.alice)])
        #expect(report.readUntil?.nanoseconds == 5)
        // So the next turn comes at once, and takes the rest.
        #expect(report.hasMore)
        report.events.removeAll()
        try shard.report(into: &report)
        #expect(report.events.list == [.ended(Self.bob)])
        #expect(!report.hasMore)
    }

    @Test("the loop of a shard is woken when it waits for its events to be taken")
    func wakes() throws {
        let mailbox = Mailbox()
        var (wakes, reported, report) = (0, ConnectionEvents(), LoopReport())
        let shard = RemoteShard(mailbox, wake: { wakes += 1 })
        try shard.report(into: &report)
        #expect(wakes == 0)
        reported.append(.ended(Self.alice))
        _ = mailbox.report(&reported, readUntil: nil, isHolding: true)
        try shard.report(into: &report)
        #expect(wakes == 1)
    }
}
