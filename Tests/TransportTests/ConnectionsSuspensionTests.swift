import Testing
import Transport

/// A feed that is suspended while an answer is under way.
@Suite struct ConnectionsSuspensionTests {
    @Test("replies come in one piece, and what was appended meanwhile behind them")
    func inOnePiece() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admitFollower()
        hall.append("price 1\n")
        hall.output.suspendFeed(handle)
        hall.reply(handle, "lap 1\n")
        hall.append("price 2\n")
        hall.connections.flush()
        hall.reply(handle, "lap 2\n")
        hall.append("price 3\n")
        hall.connections.flush()
        peer.receive()
        #expect(peer.text == "price 1\nlap 1\nlap 2\n")
        hall.reply(handle, "ok\n")
        hall.output.resumeFeed(handle)
        hall.append("price 4\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "price 1\nlap 1\nlap 2\nok\nprice 2\nprice 3\nprice 4\n")
    }

    @Test("one that falls behind meanwhile has the whole answer, and is reported after it")
    func fallen() throws {
        let hall = try Hall(ringBytes: 1024)
        let (handle, peer) = try hall.admitFollower()
        hall.append("price 0\n")
        hall.output.suspendFeed(handle)
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
        #expect(hall.output.takeFallen().isEmpty)
        hall.output.resumeFeed(handle)
        hall.connections.flush()
        #expect(hall.output.takeFallen() == [handle])
        #expect(hall.output.skip(handle) == 200)
    }

    @Test("the news that could not be sent before the answer is counted as missed")
    func lostBefore() throws {
        let hall = try Hall(ringBytes: 1024)
        let (handle, peer) = try hall.admitFollower(sendBufferBytes: 4096)
        hall.reply(handle, String(repeating: "x", count: 20_000) + "\n")
        hall.connections.flush()
        hall.append("price 0\n")
        hall.output.suspendFeed(handle)
        hall.reply(handle, "ok\n")
        for number in 1...200 { hall.append("price \(number)\n") }
        for _ in 0..<20 {
            try hall.turn()
            peer.receive()
        }
        #expect(peer.text.hasSuffix("x\nok\n"))
        hall.output.resumeFeed(handle)
        hall.connections.flush()
        #expect(hall.output.takeFallen() == [handle])
        #expect(hall.output.skip(handle) == 201)
    }

    @Test("leaving ends the suspension")
    func unfollowed() throws {
        let hall = try Hall()
        let (handle, peer) = try hall.admitFollower()
        hall.output.suspendFeed(handle)
        hall.reply(handle, "lap 1\n")
        hall.append("price 1\n")
        #expect(hall.output.unfollow(handle) == 0)
        hall.reply(handle, "bye\n")
        try hall.deliver(handle, to: peer)
        #expect(peer.text == "lap 1\nprice 1\nbye\n")
    }
}
