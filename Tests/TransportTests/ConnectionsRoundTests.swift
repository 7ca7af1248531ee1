import Posix
import Testing
import Transport

/// The rounds in which connections are read.
@Suite struct ConnectionsRoundTests {
    @Test(
        "a held connection is not read from until taken, and reported only when its peer goes",
        arguments: PollerKind.allCases)
    func held(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit()
        peer.send("bid 120\n")
        hall.connections.beginRound(at: 1)
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
        let hall = try Hall(.standard)
        let connections = hall.connections
        let visitors = try (0..<4).map { _ in try hall.admit() }
        for visitor in visitors[0..<2] { visitor.peer.send("bid\n") }

        connections.beginRound(at: 1)
        for readiness in try hall.poll() { #expect(connections.hold(readiness.handle)) }
        #expect(connections.readUntil == nil)
        #expect(!connections.mayReadReady)

        // One of the two is read; meanwhile two others become readable.
        let first = try #require(connections.takeHeld())
        #expect(hall.read(first) == .bytes(4))
        for visitor in visitors[2..<4] { visitor.peer.send("bid\n") }
        connections.beginRound(at: 2)
        for readiness in try hall.poll() { #expect(connections.hold(readiness.handle)) }
        #expect(connections.readUntil == nil)

        let second = try #require(connections.takeHeld())
        #expect(Set([first, second]) == Set(visitors[0..<2].map(\.handle)))
        #expect(connections.takeHeld() == nil)
        #expect(connections.readUntil == 1)
        #expect(connections.hasHeld)

        connections.beginRound(at: 3)
        #expect(connections.readUntil == nil)
        let rest = [connections.takeHeld(), connections.takeHeld()].compactMap { $0 }
        #expect(Set(rest) == Set(visitors[2..<4].map(\.handle)))
        #expect(connections.readUntil == 3)
        #expect(!connections.hasHeld)
    }

    @Test("a round passes over what has closed, or is not to be read from any more")
    func passedOver() throws {
        let hall = try Hall(.standard)
        let connections = hall.connections
        let visitors = try (0..<3).map { _ in try hall.admit() }
        connections.beginRound(at: 1)
        for visitor in visitors { #expect(connections.hold(visitor.handle)) }
        connections.close(visitors[0].handle)
        connections.silence(visitors[1].handle)
        #expect(connections.takeHeld() == visitors[2].handle)
        #expect(connections.readUntil == 1)
        visitors[1].peer.send("bid\n")
        connections.unsilence(visitors[1].handle)
        #expect(try hall.poll().map(\.handle) == [visitors[1].handle])
    }

    @Test("a connection that a poll found is read at once while nothing is held")
    func atOnce() throws {
        let hall = try Hall(.standard)
        let (handle, _) = try hall.admit()
        hall.connections.beginRound(at: 1)
        #expect(hall.connections.mayReadReady)
        #expect(hall.connections.readUntil == 1)
        #expect(hall.connections.hold(handle))
        #expect(!hall.connections.mayReadReady)
    }
}
