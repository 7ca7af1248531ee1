import Basics
import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The far end of a connection: reads when the test calls it, and keeps all it read.
final class Peer {
    private(set) var descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var hasSeenEnd = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close()
    }

    var text: String { String(decoding: received, as: UTF8.self) }

    func close() {
        if descriptor != -1 { closeDescriptor(descriptor) }
        descriptor = -1
    }

    func send(_ text: String) {
        _ = write(descriptor, text, text.utf8.count)
    }

    /// Whether anything has arrived that was not read yet.
    var hasReceived: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) == 1
    }

    /// Reads what has arrived, and forgets it.
    func drop() {
        receive()
        received.removeAll()
    }

    /// Reads what has arrived, up to a number of bytes.
    func receive(atMost limit: Int = .max) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var left = limit
        while left > 0 {
            let count = recv(descriptor, &buffer, min(left, buffer.count), Int32(MSG_DONTWAIT))
            if count == 0 { hasSeenEnd = true }
            guard count > 0 else { return }
            received += buffer[..<count]
            left -= count
        }
    }
}

extension FeedKey: ExpressibleByIntegerLiteral {
    /// Names feeds of two formats by turns.
    public init(integerLiteral number: Int) {
        self.init(topic: UInt32(number / 2), format: number % 2)
    }
}

/// Connections over socket pairs, turned by hand.
final class Hall {
    let loop: EventLoop
    let connections: Connections
    var output: Output { connections.output }

    init(
        _ poller: PollerKind = .standard, ringBytes: Int = 4096,
        limits: ConnectionLimits = ConnectionLimits()
    ) throws {
        loop = try EventLoop(poller: poller)
        connections = Connections(loop: loop, ringBytes: ringBytes, limits: limits)
    }

    /// Admits a connection, for which the kernel keeps `sendBufferBytes` if given.
    func admit(sendBufferBytes: Int32? = nil) throws -> (handle: Handle, peer: Peer) {
        let (ours, theirs) = try socketPair()
        if var bytes = sendBufferBytes {
            setsockopt(ours, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        return (try connections.adopt(ours), Peer(theirs))
    }

    /// Admits a connection that follows a feed.
    func admitFollower(
        of feed: FeedKey = 0, sendBufferBytes: Int32? = nil
    ) throws -> (handle: Handle, peer: Peer) {
        let (handle, peer) = try admit(sendBufferBytes: sendBufferBytes)
        output.follow(handle, feed: feed)
        return (handle, peer)
    }

    /// Admits `count` followers of a feed.
    func admitFollowers(
        _ count: Int, of feed: FeedKey = 0, sendBufferBytes: Int32? = nil
    ) throws -> [Peer] {
        try (0..<count).map { _ in
            try admitFollower(of: feed, sendBufferBytes: sendBufferBytes).peer
        }
    }

    /// What is ready, without waiting.
    func poll() throws -> [Readiness] {
        var result: [Readiness] = []
        try loop.run { ready, _ in
            result = ready
            loop.stop()
            return nil
        }
        return result
    }

    /// Reports which connections are writable, and flushes.
    func turn() throws {
        for readiness in try poll() where readiness.isWritable {
            connections.writable(readiness.handle)
        }
        connections.flush()
    }

    func read(_ handle: Handle) -> ReadOutcome {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) {
            connections.read(handle, into: $0)
        }
    }

    func append(_ line: String, feed: FeedKey = 0) {
        output.append(Array(line.utf8)[...], feed: feed)
    }

    func reply(_ handle: Handle, _ line: String) {
        output.reply(handle, Array(line.utf8))
    }

    /// Replies by turns with news, and returns the text of all of it.
    func converse(with handle: Handle, turns: Int) -> String {
        var expected = ""
        for number in 0..<turns {
            reply(handle, "ok \(number)\n")
            append("price \(number) bench\n")
            expected += "ok \(number)\nprice \(number) bench\n"
        }
        return expected
    }

    /// Turns until the peer has received everything.
    func deliver(_ handle: Handle, to peer: Peer) throws {
        repeat {
            try turn()
            peer.receive()
        } while output.pendingBytes(of: handle) > 0
    }
}

func socketPair() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
        let type = SOCK_STREAM
    #else
        let type = Int32(SOCK_STREAM.rawValue)
    #endif
    try syscall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    try makeNonBlocking(ends[0])
    try makeNonBlocking(ends[1])
    return (ends[0], ends[1])
}

func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}

/// The instant that is `nanoseconds` after the beginning of the clock.
func at(_ nanoseconds: Int64) -> Instant {
    Instant(nanoseconds: nanoseconds)
}
