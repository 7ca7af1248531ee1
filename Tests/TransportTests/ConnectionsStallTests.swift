import Posix
import Testing
import Transport

@Suite struct ConnectionsStallTests {
    private static let second: Int64 = 1_000_000_000

    private func hall(_ poller: PollerKind) throws -> Hall {
        try Hall(poller, ringBytes: 1 << 20)
    }

    /// A hall with somebody who is offered so much news at once.
    private func offering(
        _ bytes: Int, _ poller: PollerKind, sendBufferBytes: Int32 = 4096
    ) throws -> (Hall, Handle, Peer) {
        let hall = try hall(poller)
        let (handle, peer) = try hall.admit(sendBufferBytes: sendBufferBytes)
        hall.connections.follow(handle, feed: 0)
        hall.append(String(repeating: "x", count: bytes) + "\n")
        hall.connections.flush()
        return (hall, handle, peer)
    }

    /// Lets time pass second by second, with a turn each, and returns when somebody was closed.
    private func endTime(
        of handle: Handle, in hall: Hall, seconds: ClosedRange<Int64>,
        each: (Int64) throws -> Void = { _ in }
    ) throws -> Int64? {
        for second in seconds {
            try each(second)
            hall.connections.expire(at: second * Self.second)
            try hall.turn()
            if !hall.connections.isOpen(handle) { return second }
        }
        return nil
    }

    @Test(
        "who takes nothing of its output for 30 seconds is closed, and not long after",
        arguments: PollerKind.allCases, [true, false])
    func stalled(poller: PollerKind, isNews: Bool) throws {
        let hall = try hall(poller)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.connections.follow(handle, feed: 0)
        hall.connections.expire(at: 100 * Self.second)
        let line = String(repeating: "x", count: 60_000) + "\n"
        if isNews { hall.append(line) } else { hall.reply(handle, line) }
        hall.connections.flush()
        let end = try endTime(of: handle, in: hall, seconds: 101...200)
        #expect((130...134).contains(try #require(end)))
        #expect(hall.connections.takeEnded() == [Ending(handle: handle, cause: .stalled)])
        #expect(hall.connections.deadline == nil)
        withExtendedLifetime(peer) {}
    }

    @Test("who takes a little now and then is not", arguments: PollerKind.allCases)
    func slow(poller: PollerKind) throws {
        let (hall, handle, peer) = try offering(600_000, poller)
        let end = try endTime(of: handle, in: hall, seconds: 1...300) { second in
            if second % 25 == 0 { peer.receive(atMost: 40_000) }
        }
        #expect(end == nil)
        #expect(hall.connections.pendingBytes(of: handle) > 0)
    }

    @Test(
        "who takes of what the kernel keeps has taken something, though that has no room for more",
        arguments: PollerKind.allCases)
    func slower(poller: PollerKind) throws {
        let (hall, handle, peer) = try offering(600_000, poller, sendBufferBytes: 32_768)
        let pending = hall.connections.pendingBytes(of: handle)
        let end = try endTime(of: handle, in: hall, seconds: 1...200) { second in
            if second == 25 { peer.receive(atMost: 36_000) }
            #expect(hall.connections.pendingBytes(of: handle) == pending)
        }
        #expect((54...60).contains(try #require(end)))
    }

    @Test("a standstill of our own is not theirs", arguments: PollerKind.allCases)
    func standstill(poller: PollerKind) throws {
        let (hall, handle, peer) = try offering(60_000, poller)
        let end = try endTime(of: handle, in: hall, seconds: 100...200)
        #expect((130...134).contains(try #require(end)))
        withExtendedLifetime(peer) {}
    }

    @Test("who has nothing to take is not, for ever", arguments: PollerKind.allCases)
    func quiet(poller: PollerKind) throws {
        let hall = try hall(poller)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 60_000) + "\n")
        hall.connections.flush()
        try hall.deliver(handle, to: peer)
        #expect(try endTime(of: handle, in: hall, seconds: 1...300) == nil)
        #expect(hall.connections.deadline == nil)
    }

    @Test("without a limit nobody is")
    func unlimited() throws {
        var limits = ConnectionLimits()
        limits.stallNanoseconds = nil
        let hall = try Hall(.standard, limits: limits)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 60_000) + "\n")
        hall.connections.flush()
        #expect(try endTime(of: handle, in: hall, seconds: 1...300) == nil)
        #expect(hall.connections.deadline == nil)
        withExtendedLifetime(peer) {}
    }
}
