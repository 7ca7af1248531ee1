import Testing
import Transport

@Suite struct ConnectionsFeedTests {
    @Test("a follower gets what is appended after it came")
    func newcomer() throws {
        let hall = try Hall()
        let (early, earlyPeer) = try hall.admit()
        let (late, latePeer) = try hall.admit()
        hall.output.follow(early, feed: 0)
        hall.append("one\n")
        hall.output.follow(late, feed: 0)
        hall.append("two\n")
        try hall.deliver(early, to: earlyPeer)
        try hall.deliver(late, to: latePeer)
        #expect(earlyPeer.text == "one\ntwo\n")
        #expect(latePeer.text == "two\n")
    }

    @Test("a reply stands between the news before it and after it")
    func order() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admit()
        hall.reply(handle, "welcome\n")
        hall.output.follow(handle, feed: 0)
        hall.append("one\n")
        hall.reply(handle, "ok\n")
        hall.append("two\n")
        hall.append("three\n")
        hall.reply(handle, "bye\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "welcome\none\nok\ntwo\nthree\nbye\n")
        #expect(hall.output.sends == 1)
    }

    @Test("a flush costs one send per follower, however many lines; replies are not counted")
    func oneSendEach() throws {
        let hall = try Hall()
        let admitted = try (0..<5).map { _ in try hall.admitFollower() }
        for number in 0..<7 { hall.append("price \(number)\n") }
        hall.connections.flush()
        #expect(hall.output.sends == 5)
        hall.connections.flush()
        #expect(hall.output.sends == 5)
        hall.reply(admitted[2].handle, "ok\n")
        hall.connections.flush()
        #expect(hall.output.sends == 5)
    }

    @Test("after a slice the rest wait, and get what comes meanwhile in the same send")
    func slices() throws {
        let hall = try Hall()
        let peers = try hall.admitFollowers(5)
        hall.append("one\n")
        hall.connections.flush(slice: 2)
        #expect(hall.output.sends == 2)
        #expect(hall.output.hasUnserved)
        hall.append("two\n")
        hall.connections.flush(slice: 3)
        #expect(hall.output.sends == 5)
        #expect(hall.output.hasUnserved)
        hall.connections.flush(slice: 2)
        #expect(hall.output.sends == 7)
        #expect(!hall.output.hasUnserved)
        for peer in peers { peer.receive() }
        #expect(peers.allSatisfy { $0.text == "one\ntwo\n" })
    }

    @Test("a reply does not wait for a slice, and brings the news before it")
    func repliesBeforeSlices() throws {
        let hall = try Hall()
        _ = try hall.admitFollowers(5)
        let (handle, peer) = try hall.admitFollower()
        hall.append("one\n")
        hall.reply(handle, "ok\n")
        hall.connections.flush(slice: 0)
        peer.receive()
        #expect(peer.text == "one\nok\n")
        #expect(hall.output.sends == 1)
    }

    @Test("each is served first as often as any other")
    func rotation() throws {
        let hall = try Hall()
        let peers = try hall.admitFollowers(8)
        var firsts = Array(repeating: 0, count: peers.count)
        for _ in 0..<3 * peers.count {
            hall.append("x\n")
            hall.connections.flush(slice: 1)
            for (index, peer) in peers.enumerated() where peer.hasReceived { firsts[index] += 1 }
            hall.connections.flush()
            for peer in peers { peer.drop() }
        }
        #expect(firsts == Array(repeating: 3, count: peers.count))
    }

    @Test("a new follower takes no other's turn", arguments: 0..<4)
    func arrivingWhileServed(slice: Int) throws {
        let hall = try Hall()
        let peers = try hall.admitFollowers(3)
        hall.append("one\n")
        hall.connections.flush(slice: slice)
        let newcomers = try hall.admitFollowers(2)
        hall.connections.flush()
        for peer in peers { peer.receive() }
        #expect(peers.allSatisfy { $0.text == "one\n" })
        hall.append("two\n")
        hall.connections.flush()
        for peer in newcomers { peer.receive() }
        #expect(newcomers.allSatisfy { $0.text == "two\n" })
    }

    @Test("a follower that moves when another leaves is not left out", arguments: 0..<5)
    func leavingWhileServed(leaver: Int) throws {
        let hall = try Hall()
        let admitted = try (0..<5).map { _ in try hall.admitFollower() }
        hall.append("one\n")
        hall.connections.flush(slice: 3)
        hall.connections.close(admitted[leaver].handle)
        while hall.output.hasUnserved { hall.connections.flush(slice: 1) }
        for (index, (_, peer)) in admitted.enumerated() where index != leaver {
            peer.receive()
            #expect(peer.text == "one\n")
        }
    }

    @Test(
        "replies between news go in one send for each 64 KiB, however many",
        arguments: [(1000, 1), (6000, 3)])
    func manyPieces(turns: Int, sends: Int) throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admitFollower(sendBufferBytes: 1 << 20)
        let expected = hall.converse(with: handle, turns: turns)
        hall.connections.flush()
        peer.receive()
        #expect(peer.text == expected)
        #expect(hall.output.sends == sends)
    }

    @Test("a long line between small pieces keeps its place")
    func longLine() throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admitFollower()
        var expected = hall.converse(with: handle, turns: 100)
        let long = String(repeating: "x", count: 100_000) + "\n"
        hall.append(long)
        expected += long + hall.converse(with: handle, turns: 100)
        try hall.deliver(handle, to: peer)
        #expect(peer.text == expected)
    }

    @Test("a feed lasts as long as one connection follows it")
    func followed() throws {
        let hall = try Hall()
        let (first, _) = try hall.admit()
        let (second, _) = try hall.admit()
        #expect(!hall.output.isFollowed(0))
        hall.output.follow(first, feed: 0)
        hall.output.follow(second, feed: 0)
        #expect(hall.output.followerCounts == [2, 0, 0, 0])
        hall.output.follow(first, feed: 1)
        #expect(hall.output.isFollowed(0))
        #expect(hall.output.feed(of: first) == 1)
        hall.connections.close(second)
        #expect(!hall.output.isFollowed(0))
        #expect(hall.output.isFollowed(1))
        #expect(hall.output.followerCounts == [0, 1, 0, 0])
    }

    @Test("a feed that ends while its followers wait for their turn is not served")
    func endingWhileUnserved() throws {
        let hall = try Hall()
        let (leaver, _) = try hall.admitFollower(of: 0)
        let (_, peer) = try hall.admitFollower(of: 2)
        hall.append("lost\n", feed: 0)
        hall.append("kept\n", feed: 2)
        hall.connections.close(leaver)
        let (_, next) = try hall.admitFollower(of: 4)
        hall.connections.flush()
        #expect(!hall.output.hasUnserved)
        peer.receive()
        next.receive()
        #expect(peer.text == "kept\n")
        #expect(next.text.isEmpty)
    }

    @Test(
        "a feed takes 2 KiB while nobody is behind, however long it lasts, and nothing once it ended"
    )
    func quietFeeds() throws {
        let hall = try Hall(ringBytes: 4 << 20)
        let handles = try (0..<UInt32(100)).map { number in
            let (handle, peer) = try hall.admit()
            let feed = FeedKey(topic: number, format: 0)
            hall.output.follow(handle, feed: feed)
            for line in 0..<200 {
                hall.append("COUNTDOWN \(line)\n", feed: feed)
                hall.connections.flush()
            }
            peer.drop()
            return handle
        }
        #expect(hall.output.feedBytes == 100 * 2048)
        for handle in handles { hall.connections.close(handle) }
        #expect(hall.output.feedBytes == 0)
    }

    @Test("a feed keeps what one follower does not take, up to the limit")
    func growth() throws {
        let hall = try Hall(ringBytes: 16 * 1024)
        let line = String(repeating: "x", count: 99) + "\n"
        let (slow, slowPeer) = try hall.admitFollower(sendBufferBytes: 4096)
        let (_, peer) = try hall.admitFollower()
        var lines = 0
        while hall.output.feedBytes < 16 * 1024 {
            hall.append(line)
            hall.connections.flush()
            peer.receive()
            lines += 1
        }
        #expect(lines > 80)
        try hall.deliver(slow, to: slowPeer)
        #expect(hall.output.takeFallen().isEmpty)
        #expect(slowPeer.received == peer.received)
        #expect(peer.received.count == 100 * lines)
    }

    @Test("with much kept for all feeds, one that is behind keeps less, until there is room again")
    func growthOfMany() throws {
        var limits = ConnectionLimits()
        limits.allNewsBytes = 512 * 1024
        let hall = try Hall(ringBytes: 1 << 20, limits: limits)
        let line = String(repeating: "x", count: 999) + "\n"
        let feeds = [FeedKey(topic: 1, format: 0), FeedKey(topic: 2, format: 0)]
        let followers = try feeds.map { try hall.admitFollower(of: $0, sendBufferBytes: 4096) }
        func append(to feed: FeedKey) {
            for _ in 0..<2000 {
                hall.append(line, feed: feed)
                hall.connections.flush()
            }
        }
        append(to: feeds[0])
        #expect(hall.output.feedBytes == 512 * 1024 + 2048)
        append(to: feeds[1])
        #expect(hall.output.feedBytes == (512 + 256) * 1024)
        hall.connections.close(followers[0].handle)
        #expect(hall.output.feedBytes == 256 * 1024)
        followers[1].peer.receive()
        try hall.turn()
        #expect(hall.output.takeFallen() == [followers[1].handle])
        #expect(hall.output.skip(followers[1].handle) > 1000)
        append(to: feeds[1])
        #expect(hall.output.feedBytes == 1 << 20)
    }

    @Test("a change of feed keeps what was due of the old one")
    func change() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admitFollower()
        hall.append("one\n")
        hall.reply(handle, "ok\n")
        hall.append("two\n")
        hall.output.follow(handle, feed: 1)
        hall.reply(handle, "{ok}\n")
        hall.append("lost\n", feed: 0)
        hall.append("{three}\n", feed: 1)
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "one\nok\ntwo\n{ok}\n{three}\n")
    }

    @Test("a connection that is far behind when it changes feed has fallen")
    func changeFarBehind() throws {
        let hall = try Hall(ringBytes: 1 << 20)
        let (handle, peer) = try hall.admitFollower(sendBufferBytes: 4096)
        let line = String(repeating: "x", count: 999) + "\n"
        for _ in 0..<200 { hall.append(line) }
        hall.connections.flush()
        hall.output.follow(handle, feed: 1)
        hall.append("{unsent}\n", feed: 1)
        #expect(hall.output.takeFallen() == [handle])
        let missed = hall.output.skip(handle)
        hall.reply(handle, "missed\n")
        hall.append("{news}\n", feed: 1)
        try hall.deliver(handle, to: peer)
        let seen = peer.text.split(separator: "\n").filter { $0 + "\n" == line }.count
        #expect(seen + missed == 201)
        #expect(peer.text.hasSuffix("x\nmissed\n{news}\n"))
    }

    @Test("a burst of more than the ring reaches a peer that reads")
    func burst() throws {
        let hall = try Hall(ringBytes: 1024)
        let (handle, peer) = try hall.admitFollower()
        var expected = ""
        for number in 0..<1000 {
            hall.append("line \(number)\n")
            expected += "line \(number)\n"
        }
        try hall.deliver(handle, to: peer)
        #expect(peer.text == expected)
        #expect(hall.output.takeFallen().isEmpty)
    }

    @Test("a peer that never reads makes no difference to others")
    func stalled() throws {
        let hall = try Hall(ringBytes: 1024)
        let (stalled, stalledPeer) = try hall.admit(sendBufferBytes: 4096)
        let (healthy, healthyPeer) = try hall.admit()
        hall.output.follow(stalled, feed: 0)
        hall.output.follow(healthy, feed: 0)
        for number in 0..<5000 {
            hall.append("line \(number)\n")
            try hall.turn()
            healthyPeer.receive()
        }
        let all = (0..<5000).map { "line \($0)\n" }.joined()
        #expect(healthyPeer.text == all)
        #expect(hall.output.takeFallen().isEmpty)
        var missed: Int?
        while missed == nil {
            stalledPeer.receive()
            try hall.turn()
            missed = hall.output.takeFallen().first.map(hall.output.skip)
        }
        hall.reply(stalled, "missed\n")
        hall.append("after\n")
        try hall.deliver(stalled, to: stalledPeer)
        let seen = stalledPeer.text.split(separator: "\n").dropLast(2).map { $0 + "\n" }
        #expect(all.hasPrefix(seen.joined()))
        #expect(seen.count + (missed ?? 0) == 5000)
        #expect(stalledPeer.text.hasSuffix("missed\nafter\n"))
    }
}
