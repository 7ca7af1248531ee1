import Posix
import Testing
import Transport

/// How a flush divides its sends among the feeds that have something to send.
@Suite struct ConnectionsTurnsTests {
    @Test("the few followers of a feed do not wait for the many of another", arguments: [0, 2])
    func fewBesideMany(few: Int) throws {
        try raiseOpenFileLimit()
        let hall = try Hall()
        let (few, many) = (FeedKey(topic: UInt32(few), format: 0), FeedKey(topic: 1, format: 0))
        let crowd = try hall.admitFollowers(1000, of: many)
        let peers = try hall.admitFollowers(5, of: few)
        hall.append("many\n", feed: many)
        hall.connections.flush(slice: 128)
        hall.append("few\n", feed: few)
        hall.append("many\n", feed: many)
        hall.connections.flush(slice: 32)
        for peer in peers { peer.receive() }
        #expect(peers.allSatisfy { $0.text == "few\n" })
        #expect(hall.output.sends == 128 + 32)
        #expect(crowd.count { $0.hasReceived } == 128 + 32 - 5)
    }

    @Test("a flush begins with the feed at which the last one stopped", arguments: [16, 20, 128])
    func order(slice: Int) throws {
        let hall = try Hall()
        let feeds = (0..<8).map { FeedKey(topic: $0, format: 0) }
        let rooms = try feeds.map { try hall.admitFollowers(20, of: $0) }
        for feed in feeds { hall.append("x\n", feed: feed) }
        var flushes = 0
        while hall.output.hasUnserved {
            hall.connections.flush(slice: slice)
            flushes += 1
            let served = rooms.map { $0.count { $0.hasReceived } }
            #expect(served.reduce(0, +) == min(160, flushes * slice))
            // No feed has its second turn before every feed has had its first.
            #expect(served.max() ?? 0 <= 16 || served.min() ?? 0 > 0)
        }
        #expect(flushes == (160 + slice - 1) / slice)
    }

    @Test("a flush takes up to four slices while more than 64 KiB wait for followers")
    func furtherSlices() throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let peers = try hall.admitFollowers(10, sendBufferBytes: 1 << 20)
        hall.append(String(repeating: "x", count: 65_536) + "\n")
        hall.connections.flush(slice: 2)
        #expect(hall.output.sends == 8)
        #expect(hall.output.hasUnserved)
        hall.connections.flush(slice: 2)
        #expect(hall.output.sends == 10)
        for peer in peers { peer.receive() }
        #expect(peers.allSatisfy { $0.received.count == 65_537 })
    }

    @Test("long pending output is limited to 1 MiB a flush, and a short reply does not wait for it")
    func longReplies() throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let crowd = try (0..<40).map { _ in try hall.admitFollower(sendBufferBytes: 1 << 20) }
        let (handle, peer) = try hall.admit()
        hall.append(String(repeating: "x", count: 65_536) + "\n")
        for (follower, _) in crowd { hall.reply(follower, "ok\n") }
        hall.reply(handle, "short\n")
        hall.connections.flush(slice: 0)
        peer.receive()
        #expect(peer.text == "short\n")
        // 16 x 64 KiB is the 1 MiB limit of a flush.
        #expect(crowd.map(\.peer.hasReceived) == (0..<40).map { $0 < 16 })
        #expect(crowd.map { hall.output.isUnserved($0.handle) } == (0..<40).map { $0 >= 16 })
        while hall.output.hasUnserved { hall.connections.flush(slice: 1) }
        for (_, peer) in crowd { peer.receive() }
        #expect(crowd.allSatisfy { $0.peer.received.count == 65_540 })
    }

    @Test("a follower whose socket buffer has room misses nothing, however small the slices")
    func smallSlices() throws {
        let hall = try Hall(ringBytes: 32 * 1024)
        let peers = try hall.admitFollowers(60, sendBufferBytes: 1 << 20)
        var expected: [UInt8] = []
        for number in 0..<400 {
            let line = String(repeating: "x", count: number % 500) + "\n"
            hall.append(line)
            expected += Array(line.utf8)
            if number % 4 == 0 { hall.connections.flush(slice: 1) }
        }
        while hall.output.hasUnserved { hall.connections.flush(slice: 1) }
        for peer in peers { peer.receive() }
        #expect(hall.output.takeFallen().isEmpty)
        #expect(peers.allSatisfy { $0.received == expected })
    }
}
