import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A socket with the bytes that the kernel has not taken, and those that are no whole message yet.
final class Connection {
    /// The room that a read needs in a buffer, besides the bytes kept from the read before.
    static let readBytes = 128 * 1024

    let socket: Int32
    private var outbox: [UInt8] = []
    private var rest: [UInt8] = []

    /// Owns a socket that does not block.
    init(_ socket: Int32) {
        self.socket = socket
    }

    deinit {
        close(socket)
    }

    /// Whether some bytes wait until the socket is writable.
    var isBlocked: Bool { !outbox.isEmpty }

    /// Appends bytes to the next `flush`.
    func queue(_ append: (inout [UInt8]) -> Void) {
        append(&outbox)
    }

    /// Sends as much as the kernel takes now.
    func flush() throws(Failure) {
        guard !outbox.isEmpty else { return }
        let sent = uninterrupted {
            outbox.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
        }
        guard sent != -1 || errno == EAGAIN else { throw .lost }
        if sent == outbox.count {
            outbox.removeAll(keepingCapacity: true)
        } else if sent > 0 {
            outbox.removeFirst(sent)
        }
    }

    /// Sends bytes after those that wait.
    func send(_ bytes: [UInt8]) throws(Failure) {
        outbox += bytes
        try flush()
    }

    /// Reads once, and calls `body` with the bytes, unless nothing has arrived.
    ///
    /// `body` returns how many it has used; the rest comes again, before what arrives next.
    func receive(through buffer: inout [UInt8], _ body: (Span<UInt8>) throws -> Int) throws {
        let kept = rest.count
        if buffer.count < kept + Self.readBytes {
            buffer += [UInt8](repeating: 0, count: kept + Self.readBytes - buffer.count)
        }
        if kept > 0 { buffer.replaceSubrange(..<kept, with: rest) }
        let count = uninterrupted {
            buffer.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress.map { $0 + kept }, $0.count - kept, 0)
            }
        }
        if count == -1 && errno == EAGAIN { return }
        guard count > 0 else { throw Failure.lost }
        let used = try body(buffer.span.extracting(first: kept + count))
        rest.removeAll(keepingCapacity: true)
        if used < kept + count { rest += buffer[used..<kept + count] }
    }

    /// Waits until something has arrived.
    func waitUntilReadable(by deadline: Int64) throws {
        let left = deadline - monotonicNanoseconds()
        guard left > 0 else { throw Failure.silent }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        try syscall("poll") { poll(&entry, 1, Int32(left / 1_000_000 + 1)) }
    }
}
