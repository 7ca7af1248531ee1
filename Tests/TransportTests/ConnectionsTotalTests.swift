import Testing
import Transport

/// The private bytes that wait for all connections together.
@Suite struct ConnectionsTotalTests {
    private func hall(_ most: Int?) throws -> Hall {
        var limits = ConnectionLimits()
        limits.allOutputBytes = most
        return try Hall(.standard, limits: limits)
    }

    private let answer = String(repeating: "x", count: 30_000) + "\n"

    @Test("past the limit those are closed that have gone longest without reading")
    func closed() throws {
        let hall = try hall(160_000)
        let visitors = try (0..<8).map { _ in try hall.admit(sendBufferBytes: 4096) }
        var ended: [Ending] = []
        for (second, visitor) in visitors.enumerated() {
            hall.connections.expire(at: Int64(second) * 1_000_000_000)
            hall.reply(visitor.handle, answer)
            hall.connections.flush()
            ended += hall.connections.takeEnded()
            let waiting = visitors.reduce(0) { $0 + hall.connections.pendingBytes(of: $1.handle) }
            #expect(waiting <= 160_000)
        }
        #expect(ended.allSatisfy { $0.cause == .stalled })
        #expect(ended.map(\.handle) == visitors.prefix(ended.count).map(\.handle))
        #expect((1...4).contains(ended.count))
    }

    @Test("a connection that has nothing waiting is never closed for the others")
    func spared() throws {
        let hall = try hall(100_000)
        let honest = try hall.admit()
        let others = try (0..<20).map { _ in try hall.admit(sendBufferBytes: 4096) }
        for other in others {
            hall.reply(other.handle, answer)
            hall.reply(honest.handle, "ok\n")
            hall.connections.flush()
        }
        #expect(hall.connections.isOpen(honest.handle))
        #expect(hall.connections.takeEnded().count > 10)
    }

    @Test("what was sent, or belonged to a connection that has closed, does not count")
    func counted() throws {
        let hall = try hall(100_000)
        for _ in 0..<10 {
            let (handle, peer) = try hall.admit()
            hall.reply(handle, answer)
            try hall.deliver(handle, to: peer)
            hall.reply(handle, answer)
            hall.connections.close(handle)
        }
        let (handle, peer) = try hall.admit()
        hall.reply(handle, answer)
        hall.connections.flush()
        #expect(hall.connections.isOpen(handle))
        #expect(hall.connections.takeEnded().isEmpty)
        withExtendedLifetime(peer) {}
    }
}
