import Posix
import Testing
import Transport

@Suite struct ConnectionsStallTests {
    private static let second: Int64 = 1_000_000_000

    /// A hall with a connection that is offered `bytes` of news at once.
    private func offering(
        _ bytes: Int, sendBufferBytes: Int32 = 4096
    ) throws -> (Hall, Handle, Peer) {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admitFollower(sendBufferBytes: sendBufferBytes)
        hall.append(String(repeating: "x", count: bytes) + "\n")
        hall.connections.flush()
        return (hall, handle, peer)
    }

    /// Lets time pass second by second, with a turn each, and returns when the connection closed.
    private func endTime(
        of handle: Handle, in hall: Hall, seconds: ClosedRange<Int64>,
        each: (Int64) throws -> Void = { _ in }
    ) throws -> Int64? {
        for second in seconds {
            try each(second)
            hall.connections.expire(at: at(second * Self.second))
            try hall.turn()
            if !hall.connections.isOpen(handle) { return second }
        }
        return nil
    }

    @Test(
        "a peer that takes none of its output for 30 seconds is closed soon after",
        arguments: [true, false])
    func stalled(isNews: Bool) throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admitFollower(sendBufferBytes: 4096)
        hall.connections.expire(at: at(100 * Self.second))
        let line = String(repeating: "x", count: 60_000) + "\n"
        if isNews { hall.append(line) } else { hall.reply(handle, line) }
        hall.connections.flush()
        let end = try endTime(of: handle, in: hall, seconds: 101...200)
        #expect((130...134).contains(try #require(end)))
        #expect(hall.connections.takeEnded() == [Ending(handle: handle, cause: .stalled)])
        #expect(hall.connections.deadline == nil)
        withExtendedLifetime(peer) {}
    }

    @Test("a peer that takes a little now and then stays")
    func slow() throws {
        let (hall, handle, peer) = try offering(600_000)
        let end = try endTime(of: handle, in: hall, seconds: 1...300) { second in
            if second % 25 == 0 { peer.receive(atMost: 40_000) }
        }
        #expect(end == nil)
        #expect(hall.output.pendingBytes(of: handle) > 0)
    }

    @Test("taking from what the kernel keeps is progress, even without room for more")
    func slower() throws {
        let (hall, handle, peer) = try offering(600_000, sendBufferBytes: 32_768)
        let pending = hall.output.pendingBytes(of: handle)
        let end = try endTime(of: handle, in: hall, seconds: 1...200) { second in
            if second == 25 { peer.receive(atMost: 36_000) }
            #expect(hall.output.pendingBytes(of: handle) == pending)
        }
        #expect((54...60).contains(try #require(end)))
    }

    @Test("a standstill of this process does not count as theirs")
    func standstill() throws {
        let (hall, handle, peer) = try offering(60_000)
        let end = try endTime(of: handle, in: hall, seconds: 100...200)
        #expect((130...134).contains(try #require(end)))
        withExtendedLifetime(peer) {}
    }

    @Test("a peer with nothing to take stays for ever")
    func quiet() throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 60_000) + "\n")
        hall.connections.flush()
        try hall.deliver(handle, to: peer)
        #expect(try endTime(of: handle, in: hall, seconds: 1...300) == nil)
        #expect(hall.connections.deadline == nil)
    }

    @Test("without a limit no peer is closed")
    func unlimited() throws {
        var limits = ConnectionLimits()
        limits.stallTime = nil
        let hall = try Hall(limits: limits)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 60_000) + "\n")
        hall.connections.flush()
        #expect(try endTime(of: handle, in: hall, seconds: 1...300) == nil)
        #expect(hall.connections.deadline == nil)
        withExtendedLifetime(peer) {}
    }
}

/// The private bytes that wait for all connections together.
@Suite struct ConnectionsTotalTests {
    private func hall(allOutputBytes: Int) throws -> Hall {
        var limits = ConnectionLimits()
        limits.allOutputBytes = allOutputBytes
        return try Hall(limits: limits)
    }

    private let answer = String(repeating: "x", count: 30_000) + "\n"

    @Test("past the limit those are closed that have gone longest without reading")
    func closed() throws {
        let hall = try hall(allOutputBytes: 160_000)
        let visitors = try (0..<8).map { _ in try hall.admit(sendBufferBytes: 4096) }
        var ended: [Ending] = []
        for (second, visitor) in visitors.enumerated() {
            hall.connections.expire(at: at(Int64(second) * 1_000_000_000))
            hall.reply(visitor.handle, answer)
            hall.connections.flush()
            ended += hall.connections.takeEnded()
            let waiting = visitors.reduce(0) { $0 + hall.output.pendingBytes(of: $1.handle) }
            #expect(waiting <= 160_000)
        }
        #expect(ended.allSatisfy { $0.cause == .stalled })
        #expect(ended.map(\.handle) == visitors.prefix(ended.count).map(\.handle))
        #expect((1...4).contains(ended.count))
    }

    @Test("a connection that has nothing waiting is never closed for the others")
    func spared() throws {
        let hall = try hall(allOutputBytes: 100_000)
        let honest = try hall.admit()
        let others = try (0..<20).map { _ in try hall.admit(sendBufferBytes: 4096) }
        for other in others {
            hall.reply(other.handle, answer)
            hall.reply(honest.handle, "ok\n")
            hall.connections.flush()
        }
        #expect(hall.connections.isOpen(honest.handle))
        #expect(hall.connections.takeEnded().count > 10)
    }

    @Test("what was sent, or belonged to a connection that has closed, does not count")
    func counted() throws {
        let hall = try hall(allOutputBytes: 100_000)
        for _ in 0..<10 {
            let (handle, peer) = try hall.admit()
            hall.reply(handle, answer)
            try hall.deliver(handle, to: peer)
            hall.reply(handle, answer)
            hall.connections.close(handle)
        }
        let (handle, peer) = try hall.admit()
        hall.reply(handle, answer)
        hall.connections.flush()
        #expect(hall.connections.isOpen(handle))
        #expect(hall.connections.takeEnded().isEmpty)
        withExtendedLifetime(peer) {}
    }
}
