import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ConnectionsTests {
    @Test("reading distinguishes bytes, nothing and the end")
    func readOutcomes() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        #expect(hall.read(handle) == .wouldBlock)
        peer.send("bid 120\n")
        #expect(hall.read(handle) == .bytes(8))
        shutdown(peer.descriptor, Int32(SHUT_WR))
        #expect(try hall.poll().map(\.isReadable) == [true])
        #expect(hall.read(handle) == .end)
        #expect(try hall.poll().isEmpty)
    }

    @Test("a peer that has gone altogether reads as reset")
    func reset() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        hall.reply(handle, "unread\n")
        hall.connections.flush()
        peer.close()
        #expect(hall.read(handle) == .reset)
    }

    @Test("a half-closed peer still gets the news")
    func halfClosed() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admitFollower()
        shutdown(peer.descriptor, Int32(SHUT_WR))
        #expect(hall.read(handle) == .end)
        hall.append("price 120\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "price 120\n")
    }

    @Test("replies without a feed go out in order")
    func replies() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        hall.reply(handle, "one\n")
        hall.reply(handle, "two\n")
        #expect(hall.output.pendingBytes == 8)
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "one\ntwo\n")
    }

    @Test("a blocked peer is not read from once it asks for more")
    func pausingWhileBlocked() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 30_000))
        hall.connections.flush()
        #expect(hall.output.pendingBytes(of: handle) > 0)
        #expect(!hall.output.isPaused(handle))
        for _ in 0..<10 {
            hall.reply(handle, String(repeating: "y", count: 60_000))
            hall.connections.flush()
        }
        #expect(hall.output.isPaused(handle))
        peer.send("more\n")
        #expect(try hall.poll().allSatisfy { !$0.isReadable })
        try hall.deliver(handle, to: peer)
        #expect(peer.received.count == 630_000)
        #expect(!hall.output.isPaused(handle))
        #expect(hall.read(handle) == .bytes(5))
    }

    @Test("with more than half of its output limit waiting a connection is paused")
    func pausingAtTheLimit() throws {
        var limits = ConnectionLimits()
        limits.outputBytes = 400_000
        let hall = try Hall(limits: limits)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 100_000))
        hall.connections.flush()
        let pending = hall.output.pendingBytes(of: handle)
        #expect(pending > 0)
        hall.reply(handle, String(repeating: "y", count: 200_000 - pending))
        hall.connections.flush()
        #expect(!hall.output.isPaused(handle))
        hall.reply(handle, "z")
        hall.connections.flush()
        #expect(hall.output.isPaused(handle))
        withExtendedLifetime(peer) {}
    }

    @Test("a failed send closes at the flush and is reported once")
    func broken() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admitFollower()
        peer.close()
        hall.append("price 120\n")
        hall.connections.flush()
        let ended = hall.connections.takeEnded()
        #expect(ended.map(\.handle) == [handle])
        #expect(ended.map(\.cause) == [.broken])
        #expect(hall.connections.takeEnded().isEmpty)
        #expect(!hall.connections.isOpen(handle))
        #expect(!hall.output.isFollowed(0))
    }

    @Test("every call with a stale handle does nothing")
    func stale() throws {
        let hall = try Hall()
        let (handle, _) = try hall.admit()
        hall.connections.close(handle)
        hall.output.follow(handle, feed: 0)
        hall.reply(handle, "x\n")
        hall.connections.writable(handle)
        hall.connections.finish(handle, at: at(0))
        hall.connections.close(handle)
        hall.connections.flush()
        #expect(hall.output.skip(handle) == 0)
        #expect(hall.output.pendingBytes(of: handle) == 0)
        #expect(hall.connections.deadline == nil)
        #expect(!hall.output.isFollowed(0))
    }

    @Test("the state of a connection takes 48 bytes")
    func stateBytes() {
        #expect(Connections.stateBytes == 48)
    }
}
