import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct PollerTests {
    @Test("a descriptor is reported as it was asked for", arguments: PollerKind.allCases)
    func interests(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (ours, theirs) = try socketPair()
        let peer = Peer(theirs)
        defer { closeDescriptor(ours) }
        let handle = try hall.loop.register(ours, for: .readable)
        #expect(try hall.poll().isEmpty)
        peer.send("x")
        #expect(try hall.poll().map(\.ready) == [.readable])
        try hall.loop.change(handle, to: [.readable, .writable])
        #expect(try hall.poll().map(\.ready) == [[.readable, .writable]])
        try hall.loop.change(handle, to: [])
        #expect(try hall.poll().isEmpty)
    }

    @Test("a hang-up is readable", arguments: PollerKind.allCases)
    func hangUp(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit()
        peer.close()
        let ready = try hall.poll()
        #expect(ready.map(\.handle) == [handle])
        #expect(ready.map(\.isReadable) == [true])
    }

    @Test("a handle is stale once its slot is used again", arguments: PollerKind.allCases)
    func staleHandle(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (first, firstPeer) = try hall.admit()
        firstPeer.send("old")
        hall.connections.close(first)
        let (second, secondPeer) = try hall.admit()
        #expect(first != second)
        secondPeer.send("new")
        #expect(try hall.poll().map(\.handle) == [second])
        #expect(hall.read(first) == .wouldBlock)
        hall.connections.close(first)
        #expect(hall.connections.isOpen(second))
    }

    @Test("any of many can be removed", arguments: PollerKind.allCases)
    func removal(poller: PollerKind) throws {
        let hall = try Hall(poller)
        var admitted = try (0..<20).map { _ in try hall.admit() }
        for position in [0, 7, 17, 3] {
            hall.connections.close(admitted.remove(at: min(position, admitted.count - 1)).handle)
        }
        for (_, peer) in admitted { peer.send("x") }
        #expect(try Set(hall.poll().map(\.handle)) == Set(admitted.map(\.handle)))
    }
}
