import Testing
import Transport

/// A feed that is suspended while an answer is under way.
@Suite struct ConnectionsSuspensionTests {
    @Test("replies come in one piece, and what was appended meanwhile behind them")
    func inOnePiece() throws {
        let hall = try Hall(.standard)
        let (handle, peer) = try hall.admit()
        hall.connections.follow(handle, feed: 0)
        hall.append("price 1\n")
        hall.connections.suspendFeed(handle)
        hall.reply(handle, "lap 1\n")
        hall.append("price 2\n")
        hall.connections.flush()
        hall.reply(handle, "lap 2\n")
        hall.append("price 3\n")
        hall.connections.flush()
        peer.receive()
        #expect(peer.text == "price 1\nlap 1\nlap 2\n")
        hall.reply(handle, "ok\n")
        hall.connections.resumeFeed(handle)
        hall.append("price 4\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "price 1\nlap 1\nlap 2\nok\nprice 2\nprice 3\nprice 4\n")
    }

    @Test("one that falls behind meanwhile has the whole answer, and is reported after it")
    func fallen() throws {
        let hall = try Hall(.standard, ringBytes: 1024)
        let (handle, peer) = try hall.admit()
        hall.connections.follow(handle, feed: 0)
        hall.append("price 0\n")
        hall.connections.suspendFeed(handle)
        for number in 1...200 {
            hall.append("price \(number)\n")
            hall.connections.flush()
        }
        hall.reply(handle, "lap 1\n")
        hall.connections.flush()
        hall.reply(handle, "ok\n")
        hall.connections.flush()
        peer.receive()
        #expect(peer.text == "price 0\nlap 1\nok\n")
        #expect(hall.connections.takeFallen().isEmpty)
        hall.connections.resumeFeed(handle)
        hall.connections.flush()
        #expect(hall.connections.takeFallen() == [handle])
        #expect(hall.connections.skip(handle) == 200)
    }

    @Test("the news that could not be sent before the answer is counted as missed")
    func lostBefore() throws {
        let hall = try Hall(.standard, ringBytes: 1024)
        let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
        hall.connections.follow(handle, feed: 0)
        hall.reply(handle, String(repeating: "x", count: 20_000) + "\n")
        hall.connections.flush()
        hall.append("price 0\n")
        hall.connections.suspendFeed(handle)
        hall.reply(handle, "ok\n")
        for number in 1...200 { hall.append("price \(number)\n") }
        for _ in 0..<20 {
            try hall.turn()
            peer.receive()
        }
        #expect(peer.text.hasSuffix("x\nok\n"))
        hall.connections.resumeFeed(handle)
        hall.connections.flush()
        #expect(hall.connections.takeFallen() == [handle])
        #expect(hall.connections.skip(handle) == 201)
    }

    @Test("leaving ends the suspension")
    func unfollowed() throws {
        let hall = try Hall(.standard)
        let (handle, peer) = try hall.admit()
        hall.connections.follow(handle, feed: 0)
        hall.connections.suspendFeed(handle)
        hall.reply(handle, "lap 1\n")
        hall.append("price 1\n")
        #expect(hall.connections.unfollow(handle) == 0)
        hall.reply(handle, "bye\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "lap 1\nprice 1\nbye\n")
    }
}
