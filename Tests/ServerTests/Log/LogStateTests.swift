import Auction
import Basics
import House
import Journal
import Server
import Testing

@Suite struct LogStateTests {
    /// The lines about a server in which each of these clients has sent its lines.
    private static func state(
        _ clients: [[String]], memory: Int? = nil, _ journal: JournalFigures? = nil
    ) throws -> [String] {
        var limits = Limits.none
        limits.rooms = 1000
        var lobby = Lobby(
            Lobby.Options(rules: Rules(seconds: 7), limits: limits), at: Instant(nanoseconds: 0))
        for (number, lines) in clients.enumerated() {
            let id = SessionID(rawValue: UInt64(number + 1))
            lobby.join(id, from: .loopback, at: Instant(nanoseconds: 0))
            for line in lines {
                _ = lobby.receive(
                    Array((line + "\n").utf8).span, from: id, at: Instant(nanoseconds: 0))
            }
            _ = lobby.takeEffects()
        }
        let output = try LogOutput()
        let log = Log(output.writer, level: .error, clock: { 1_795_341_600_007 })
        log.answer(
            stateOf: lobby.statuses, connections: clients.count, memory: memory, journal)
        log.handOver()
        let head = "time=2026-11-22T10:00:00.007Z level=info event="
        return output.end().map { $0.hasPrefix(head) ? String($0.dropFirst(head.count)) : $0 }
    }

    @Test("a server without other rooms has one line, whatever the level of the log")
    func main() throws {
        var figures = JournalFigures()
        (figures.events, figures.batches) = (9, 7)
        #expect(
            try Self.state([["name alice", "bid 120"], []], memory: 4096, figures) == [
                "state lot=1 stage=open price=120 leader=alice connections=2 named=1 memory=4096 "
                    + "events=9 batches=7"
            ])
    }

    @Test("each other room has a line, by name, and the first line has the number of rooms")
    func rooms() throws {
        let lines = try Self.state([
            ["name bo", "open red", "bid 60"], ["name al", "open blue"],
            ["name cy", "join red"], ["name di"],
        ])
        #expect(
            lines == [
                "state lot=1 stage=open connections=4 named=1 rooms=3",
                "state room=blue lot=1 stage=open people=1 named=1",
                "state room=red lot=1 stage=open price=60 leader=bo people=2 named=2",
            ])
    }

    @Test("of more than 100 other rooms the first have a line, and the others are counted")
    func manyRooms() throws {
        let lines = try Self.state((100..<203).map { ["open room-\($0)"] })
        #expect(lines.count == 102)
        #expect(lines[0] == "state lot=1 stage=open connections=103 named=0 rooms=104")
        #expect(lines[1] == "state room=room-100 lot=1 stage=open people=1 named=0")
        #expect(lines[100] == "state room=room-199 lot=1 stage=open people=1 named=0")
        #expect(lines[101] == "withheld of=state lines=3")
    }
}
