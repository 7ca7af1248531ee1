import Posix
import Saleroom
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
        private let handle: Handle
        private let peer: Int32

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
            shard = Shard(loop, ConnectionLimits())
            handle = try shard.connections.adopt(ends[0])
            id = SessionID(handle, shard: 0)
            shard.connections.silence(handle)
        }

        deinit {
            close(peer)
        }

        /// Gives the connection more than the kernel takes, so that it is paused.
        func sayMuch() {
            shard.perform(.send(Array(repeating: 10, count: 4 << 20), to: id))
            shard.flush()
            #expect(shard.connections.isPaused(handle))
        }

        /// Reads at the other end until everything has been sent.
        func drain() {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while shard.connections.isPaused(handle) {
                while recv(peer, &buffer, buffer.count, 0) > 0 {}
                shard.connections.writable(handle)
                shard.flush()
            }
        }

        /// The numbers that are reported now.
        func takeConfirmed() -> [Int] { shard.takeConfirmed().map(\.number) }
    }

    @Test("a connection that has read its output confirms nothing that was not asked")
    func unasked() throws {
        let setting = try Setting()
        setting.sayMuch()
        #expect(setting.takeConfirmed().isEmpty)
        setting.drain()
        // What was asked is still on its way from the saleroom.
        #expect(setting.takeConfirmed().isEmpty)
        setting.shard.perform(.confirm(setting.id, number: 1))
        #expect(setting.takeConfirmed() == [1])
        #expect(setting.takeConfirmed().isEmpty)
    }

    @Test("what is asked of a connection that does not read is confirmed when it has read")
    func delayed() throws {
        let setting = try Setting()
        setting.sayMuch()
        setting.shard.perform(.confirm(setting.id, number: 7))
        for _ in 0..<3 { #expect(setting.takeConfirmed().isEmpty) }
        setting.drain()
        #expect(setting.takeConfirmed() == [7])
        #expect(setting.takeConfirmed().isEmpty)
    }

    @Test("nothing is confirmed of a connection that closed before it had read")
    func closed() throws {
        let setting = try Setting()
        setting.sayMuch()
        setting.shard.perform(.confirm(setting.id, number: 7))
        #expect(setting.takeConfirmed().isEmpty)
        setting.shard.close(setting.id.handle)
        #expect(setting.takeConfirmed().isEmpty)
    }
}
