import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ConnectionsSilenceTests {
    @Test("a newcomer is read little of, and more each time", arguments: PollerKind.allCases)
    func growing(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit()
        peer.send(String(repeating: "x", count: 60_000))
        let counts = try (0..<9).map { _ in
            guard case .bytes(let count) = hall.read(handle) else { throw Nothing() }
            return count
        }
        #expect(counts == [256, 512, 1024, 2048, 4096, 8192, 16384, 16384, 11104])
    }

    @Test(
        "who is silenced is not read from, and then from the beginning of little on",
        arguments: PollerKind.allCases)
    func silenced(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit()
        peer.send(String(repeating: "x", count: 3000))
        #expect(hall.read(handle) == .bytes(256))
        #expect(hall.read(handle) == .bytes(512))
        hall.connections.silence(handle)
        #expect(hall.connections.isSilenced(handle))
        #expect(try hall.poll().isEmpty)
        #expect(!hall.connections.hasHeld)
        hall.connections.unsilence(handle)
        #expect(try hall.poll().map(\.isReadable) == [true])
        #expect(hall.read(handle) == .bytes(256))
    }

    @Test("who is silenced still hears the news", arguments: PollerKind.allCases)
    func hears(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit()
        hall.connections.follow(handle, feed: 0)
        hall.connections.silence(handle)
        hall.append("price 120\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "price 120\n")
    }

    @Test("who is silenced is reported when its peer has gone", arguments: PollerKind.allCases)
    func gone(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit()
        hall.connections.silence(handle)
        shutdown(peer.descriptor, Int32(SHUT_WR))
        #expect(try hall.poll().isEmpty)
        peer.close()
        #expect(try hall.poll().map(\.isReadable) == [true])
    }

    @Test("a silenced connection that finishes is drained, and read until its end")
    func finishing() throws {
        let hall = try Hall(.standard)
        let (handle, peer) = try hall.admit()
        hall.connections.silence(handle)
        hall.connections.finish(handle, at: 0)
        hall.connections.flush()
        peer.send("bid 999\n")
        #expect(try hall.poll().map(\.isReadable) == [true])
        #expect(hall.read(handle) == .wouldBlock)
        #expect(try hall.poll().isEmpty)
        shutdown(peer.descriptor, Int32(SHUT_WR))
        #expect(try hall.poll().map(\.isReadable) == [true])
        #expect(hall.read(handle) == .wouldBlock)
        #expect(hall.connections.takeEnded() == [Ending(handle: handle, cause: .finished)])
    }

    @Test("who was paused is told once, when everything is sent", arguments: PollerKind.allCases)
    func unpaused(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 100_000))
        hall.connections.flush()
        #expect(hall.connections.isPaused(handle))
        #expect(hall.connections.takeUnpaused().isEmpty)
        try hall.deliver(handle, to: peer)
        #expect(hall.connections.takeUnpaused() == [handle])
        #expect(hall.connections.takeUnpaused().isEmpty)
    }

    private struct Nothing: Error {}
}
