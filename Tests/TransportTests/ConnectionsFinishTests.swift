import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ConnectionsFinishTests {
    @Test("finishing sends all, ends, and waits for the peer's end")
    func finish() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admitFollower()
        hall.append("sold\n")
        hall.reply(handle, "bye\n")
        hall.connections.finish(handle, at: at(0))
        hall.append("unsent\n")
        hall.connections.flush()
        peer.receive()
        #expect(peer.text == "sold\nbye\n")
        #expect(peer.hasSeenEnd)
        peer.send("bid 999\n")
        #expect(hall.read(handle) == .wouldBlock)
        #expect(hall.connections.isOpen(handle))
        shutdown(peer.descriptor, Int32(SHUT_WR))
        #expect(hall.read(handle) == .wouldBlock)
        #expect(hall.connections.takeEnded() == [Ending(handle: handle, cause: .finished)])
        #expect(hall.connections.deadline == nil)
    }

    @Test("a peer that has ended is closed as soon as all is sent")
    func finishAfterEnd() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        shutdown(peer.descriptor, Int32(SHUT_WR))
        #expect(hall.read(handle) == .end)
        hall.reply(handle, "bye\n")
        hall.connections.finish(handle, at: at(0))
        hall.connections.flush()
        peer.receive()
        #expect(peer.text == "bye\n")
        #expect(hall.connections.takeEnded() == [Ending(handle: handle, cause: .finished)])
    }

    @Test("a peer that goes on sending after its end was sent is closed after 255 reads")
    func endlessSender() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        hall.reply(handle, "bye\n")
        hall.connections.finish(handle, at: at(0))
        hall.connections.flush()
        var reads = 0
        while hall.connections.isOpen(handle), reads < 1_000 {
            peer.send("x\n")
            #expect(hall.read(handle) == .wouldBlock)
            reads += 1
        }
        #expect(reads == 256)
        #expect(hall.connections.takeEnded() == [Ending(handle: handle, cause: .finished)])
    }

    @Test("a slow peer gets everything before the end")
    func slow() throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admitFollower(sendBufferBytes: 4096)
        let news = (0..<3000).map { "line \($0)\n" }.joined()
        hall.append(news)
        hall.connections.finish(handle, at: at(0))
        while !peer.hasSeenEnd {
            try hall.turn()
            peer.receive(atMost: 3000)
        }
        #expect(peer.text == news)
    }

    @Test("a slow peer has 30 s for the rest")
    func patience() throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 80_000))
        hall.connections.finish(handle, at: at(0))
        var second: Int64 = 0
        while !peer.hasSeenEnd, second < 29 {
            second += 1
            hall.connections.expire(at: at(second * 1_000_000_000))
            try hall.turn()
            if second % 2 == 0 { peer.receive() }
        }
        #expect(peer.received.count == 80_000)
    }

    @Test(
        "a peer that needs longer is closed then, whether it takes bytes or none",
        arguments: [0, 1, 1000])
    func impatience(bytes: Int) throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 200_000))
        hall.connections.finish(handle, at: at(0))
        var second: Int64 = 0
        while hall.connections.isOpen(handle), second < 100 {
            second += 1
            hall.connections.expire(at: at(second * 1_000_000_000))
            try hall.turn()
            peer.receive(atMost: bytes)
        }
        #expect(second == 30)
        #expect(hall.connections.takeEnded() == [Ending(handle: handle, cause: .expired)])
        withExtendedLifetime(peer) {}
    }

    @Test("finishing connections make room for others, the oldest first")
    func makeRoom() throws {
        let hall = try Hall()
        let (first, _) = try hall.admit()
        let (second, _) = try hall.admit()
        let (third, _) = try hall.admit()
        hall.connections.finish(second, at: at(100))
        // A time before that counts as that.
        hall.connections.expire(at: at(50))
        hall.connections.finish(first, at: at(60))
        #expect(hall.connections.closeOneFinishing())
        #expect(hall.connections.takeEnded() == [Ending(handle: second, cause: .expired)])
        #expect(hall.connections.closeOneFinishing())
        #expect(!hall.connections.closeOneFinishing())
        #expect(hall.connections.isOpen(third))
        #expect(hall.connections.deadline == nil)
    }

    @Test("a peer that has all and does not end is closed at the deadline")
    func expiry() throws {
        let hall = try Hall()
        let (first, _) = try hall.admit()
        let (second, _) = try hall.admit()
        hall.connections.finish(first, at: at(100))
        hall.connections.finish(second, at: at(200))
        hall.connections.flush()
        let deadline = try #require(hall.connections.deadline)
        #expect(deadline == at(100).advanced(by: .seconds(2)))
        hall.connections.expire(at: deadline.advanced(by: .nanoseconds(-1)))
        #expect(hall.connections.isOpen(first) && hall.connections.isOpen(second))
        hall.connections.expire(at: deadline)
        #expect(hall.connections.takeEnded() == [Ending(handle: first, cause: .expired)])
        #expect(hall.connections.deadline == at(200).advanced(by: .seconds(2)))
        hall.connections.close(second)
        #expect(hall.connections.deadline == nil)
    }

    @Test("the last line survives unread commands over TCP")
    func lastLine() throws {
        let hall = try Hall()
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let peer = Peer(try connect(to: listener))
        let handle = try hall.connections.adopt(try accept(on: listener))
        peer.send("never read\n")
        hall.reply(handle, "bye\n")
        hall.connections.finish(handle, at: at(0))
        hall.connections.flush()
        while !peer.hasSeenEnd {
            try waitUntilReadable(peer.descriptor)
            peer.receive()
        }
        #expect(peer.text == "bye\n")
        peer.close()
        while hall.connections.isOpen(handle) {
            for readiness in try hall.poll() { _ = hall.read(readiness.handle) }
        }
        #expect(hall.connections.takeEnded().map(\.cause) == [.finished])
    }
}
