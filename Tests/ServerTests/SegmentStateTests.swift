import Auction
import Basics
import DiskSupport
import House
import Journal
import Testing

@Suite struct SegmentStateTests {
    private static let alice = SessionID(connection: 1, loop: 0)
    private static let now = Instant(nanoseconds: 0)

    private let disk = MemoryDisk()

    /// Lets a client send lines, and records what follows from them.
    private func say(_ lines: String, to lobby: inout Lobby, _ commits: CommitQueue) {
        commits.catchUp()
        _ = lobby.receive(Array(lines.utf8).span, from: Self.alice, at: Self.now)
        _ = commits.record(lobby.takeEffects()) { lobby.beginSegment() }
    }

    @Test("a segment begins with the state of its moment, though rooms change before it is written")
    func moment() throws {
        // Every batch fills a segment.
        let journal = try Journal.open(disk, segmentLimit: 1) { _, _, _ in true }.journal
        let commits = CommitQueue(journal)
        var lobby = Lobby(
            Lobby.Options(
                rules: Rules(seconds: 7, allowsSelfRaise: true), limits: .none), at: Self.now)
        lobby.join(Self.alice, from: .loopback, at: Self.now)
        say("name alice\nopen blue\n", to: &lobby, commits)
        journal.writeInline()
        say("bid 5\n", to: &lobby, commits)
        say("bid 6\n", to: &lobby, commits)
        guard let group = journal.takeGroup() else {
            Issue.record("nothing is pending")
            return
        }
        say("bid 7\nopen red\n", to: &lobby, commits)
        let isWritten = journal.write(group)
        #expect(isWritten)
        #expect(newestLines("LAP ") == ["LAP 1 5 alice 00:00.0"])
        #expect(newestLines("OPEN ").count == 1)
        #expect(newestLines("PRICE ").map { $0.prefix(13) } == ["PRICE 5 alice", "PRICE 6 alice"])
        journal.writeInline()
        journal.close()
        #expect(newestLines("PRICE ").last?.hasPrefix("PRICE 7 alice") == true)
        #expect((try? Journal.verify(disk) { _, _, _ in true })?.segments == 2)
    }

    /// The words of the lines of the newest segment that begin with a word.
    private func newestLines(_ word: String) -> [String] {
        let newest = disk.contents.max { $0.key < $1.key }?.value ?? []
        return String(decoding: newest, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2).last ?? ""
            let text = words.prefix { $0 != "\t" }
            return text.hasPrefix(word) ? String(text) : nil
        }
    }
}
