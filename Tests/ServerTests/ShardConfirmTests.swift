import House
import Posix
import Server
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// When a shard reports that a connection has been sent its output.
@Suite struct ShardConfirmTests {
    /// A shard with one connection, whose peer reads when the test says so.
    private final class Setting {
        let shard: Shard
        let id: SessionID
        private let loop: EventLoop
        private let peer: Int32
        private var report = LoopReport()

        init() throws {
            var ends: [Int32] = [-1, -1]
            #if canImport(Darwin)
                try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
            #else
                try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            #endif
            for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            peer = ends[1]
            loop = try EventLoop(poller: .standard)
            shard = Shard(loop, number: 0, ConnectionLimits())
            shard.execute(.adopt(ends[0], .local, loop: 0))
            shard.report(into: &report)
            guard case .joined(let id, _)? = report.events.list.first else {
                throw SystemError(code: 0, call: "adopt")
            }
            self.id = id
            report.events.removeAll()
            shard.execute(.silence(id))
        }

        deinit {
            close(peer)
        }

        /// Has the connection fail: its peer is gone.
        func closePeer() {
            shutdown(peer, Int32(SHUT_RDWR))
            shard.heed(Readiness(handle: id.handle, ready: [.readable, .writable]))
        }

        /// Gives the connection more than the kernel takes, so that it is paused.
        func sayMuch() {
            shard.execute(.perform(.send(Array(repeating: 10, count: 4 << 20), to: id)))
            #expect(takeEvents().list.contains(.paused(id)))
        }

        /// Reads at the other end until everything has been sent, and returns what is confirmed.
        func drain() -> [Int] {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var events = ConnectionEvents()
            while !events.list.contains(.unpaused(id)) {
                while recv(peer, &buffer, buffer.count, 0) > 0 {}
                shard.heed(Readiness(handle: id.handle, ready: .writable))
                events.append(takeEvents())
            }
            return events.confirmations.map(\.number)
        }

        /// Ends a turn, and returns what it reports.
        func takeEvents() -> ConnectionEvents {
            shard.send(at: .now)
            shard.report(into: &report)
            defer { report.events.removeAll() }
            return report.events
        }

        /// The numbers that are confirmed now.
        func takeConfirmed() -> [Int] { takeEvents().confirmations.map(\.number) }
    }

    @Test("a connection confirms only what was requested")
    func unasked() throws {
        let setting = try Setting()
        setting.sayMuch()
        #expect(setting.takeConfirmed().isEmpty)
        // What was asked is still on its way from the server's loop.
        #expect(setting.drain().isEmpty)
        setting.shard.execute(.perform(.confirm(setting.id, number: 1)))
        #expect(setting.takeConfirmed() == [1])
        #expect(setting.takeConfirmed().isEmpty)
    }

    @Test("a request for a connection that does not read is confirmed when it has read")
    func delayed() throws {
        let setting = try Setting()
        setting.sayMuch()
        setting.shard.execute(.perform(.confirm(setting.id, number: 7)))
        for _ in 0..<3 { #expect(setting.takeConfirmed().isEmpty) }
        #expect(setting.drain() == [7])
        #expect(setting.takeConfirmed().isEmpty)
    }

    @Test("nothing is confirmed for a connection that closed before it had read")
    func closed() throws {
        let setting = try Setting()
        setting.sayMuch()
        setting.shard.execute(.perform(.confirm(setting.id, number: 7)))
        #expect(setting.takeConfirmed().isEmpty)
        setting.closePeer()
        #expect(setting.takeConfirmed().isEmpty)
    }
}
