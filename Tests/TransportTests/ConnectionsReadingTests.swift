import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ConnectionsSilenceTests {
    @Test("little is read from a new connection, and more each time")
    func growing() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        peer.send(String(repeating: "x", count: 60_000))
        let counts = try (0..<9).map { _ in
            guard case .bytes(let count) = hall.read(handle) else { throw Nothing() }
            return count
        }
        #expect(counts == [256, 512, 1024, 2048, 4096, 8192, 16384, 16384, 11104])
    }

    @Test("a silenced connection is not read from, and then little at first")
    func silenced() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        peer.send(String(repeating: "x", count: 3000))
        #expect(hall.read(handle) == .bytes(256))
        #expect(hall.read(handle) == .bytes(512))
        hall.connections.silence(handle)
        #expect(hall.connections.isSilenced(handle))
        #expect(try hall.poll().isEmpty)
        #expect(!hall.connections.rounds.hasHeld)
        hall.connections.unsilence(handle)
        #expect(try hall.poll().map(\.isReadable) == [true])
        #expect(hall.read(handle) == .bytes(1024))
    }

    @Test("a silenced connection still gets the news")
    func hears() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admitFollower()
        hall.connections.silence(handle)
        hall.append("price 120\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "price 120\n")
    }

    @Test("a silenced connection is reported when its peer has gone")
    func gone() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        hall.connections.silence(handle)
        shutdown(peer.descriptor, Int32(SHUT_WR))
        #expect(try hall.poll().isEmpty)
        peer.close()
        #expect(try hall.poll().map(\.isReadable) == [true])
    }

    @Test("a silenced connection that finishes is drained, and read until its end")
    func finishing() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        hall.connections.silence(handle)
        hall.connections.finish(handle, at: at(0))
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

    @Test("a pause is reported when it begins, and when everything is sent")
    func pauseChanges() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 100_000))
        hall.connections.flush()
        #expect(hall.output.isPaused(handle))
        #expect(hall.output.takePauseChanges() == [handle])
        try hall.deliver(handle, to: peer)
        #expect(!hall.output.isPaused(handle))
        #expect(hall.output.takePauseChanges() == [handle])
        #expect(hall.output.takePauseChanges().isEmpty)
    }

    private struct Nothing: Error {}
}

/// The rounds in which connections are read.
@Suite struct ConnectionsRoundTests {
    @Test("a held connection is not read from until taken, and reported only when its peer goes")
    func held() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        peer.send("bid 120\n")
        hall.connections.beginRound(at: at(1))
        #expect(hall.connections.hold(handle))
        #expect(try hall.poll().isEmpty)
        #expect(hall.connections.takeHeld() == handle)
        #expect(try hall.poll().map(\.handle) == [handle])
        #expect(hall.connections.hold(handle))
        peer.close()
        #expect(try hall.poll().map(\.isReadable) == [true])
        #expect(!hall.connections.hold(handle))
        hall.connections.close(handle)
        #expect(hall.connections.takeHeld() == nil)
        #expect(!hall.connections.hold(handle))
    }

    @Test("a round ends when all that its poll found is read, whatever becomes readable meanwhile")
    func finite() throws {
        let hall = try Hall()
        let connections = hall.connections
        let visitors = try (0..<4).map { _ in try hall.admit() }
        for visitor in visitors[0..<2] { visitor.peer.send("bid\n") }

        connections.beginRound(at: at(1))
        for readiness in try hall.poll() { #expect(connections.hold(readiness.handle)) }
        #expect(connections.rounds.readUntil == nil)
        #expect(!connections.rounds.mayReadReady)

        // One of the two is read; meanwhile two others become readable.
        let first = try #require(connections.takeHeld())
        #expect(hall.read(first) == .bytes(4))
        for visitor in visitors[2..<4] { visitor.peer.send("bid\n") }
        connections.beginRound(at: at(2))
        for readiness in try hall.poll() { #expect(connections.hold(readiness.handle)) }
        #expect(connections.rounds.readUntil == nil)

        let second = try #require(connections.takeHeld())
        #expect(Set([first, second]) == Set(visitors[0..<2].map(\.handle)))
        #expect(connections.takeHeld() == nil)
        #expect(connections.rounds.readUntil == at(1))
        #expect(connections.rounds.hasHeld)

        connections.beginRound(at: at(3))
        #expect(connections.rounds.readUntil == nil)
        let rest = [connections.takeHeld(), connections.takeHeld()].compactMap { $0 }
        #expect(Set(rest) == Set(visitors[2..<4].map(\.handle)))
        #expect(connections.rounds.readUntil == at(3))
        #expect(!connections.rounds.hasHeld)
    }

    @Test("a round passes over what has closed, or is not to be read from any more")
    func passedOver() throws {
        let hall = try Hall()
        let connections = hall.connections
        let visitors = try (0..<3).map { _ in try hall.admit() }
        connections.beginRound(at: at(1))
        for visitor in visitors { #expect(connections.hold(visitor.handle)) }
        connections.close(visitors[0].handle)
        connections.silence(visitors[1].handle)
        #expect(connections.takeHeld() == visitors[2].handle)
        #expect(connections.rounds.readUntil == at(1))
        visitors[1].peer.send("bid\n")
        connections.unsilence(visitors[1].handle)
        #expect(try hall.poll().map(\.handle) == [visitors[1].handle])
    }

    @Test("a connection that a poll found is read at once while nothing is held")
    func atOnce() throws {
        let hall = try Hall()
        let (handle, _) = try hall.admit()
        hall.connections.beginRound(at: at(1))
        #expect(hall.connections.rounds.mayReadReady)
        #expect(hall.connections.rounds.readUntil == at(1))
        #expect(hall.connections.hold(handle))
        #expect(!hall.connections.rounds.mayReadReady)
    }
}
