import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A descriptor kept open, so that a connection can be refused when no other descriptor is free.
public final class SpareDescriptor {
    private var descriptor: Int32

    /// Opens the descriptor.
    ///
    /// - Throws: `SystemError` when no descriptor is free already.
    public init() throws(SystemError) {
        descriptor = try syscall("open") { open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }

    deinit {
        if descriptor != -1 { closeSocket(descriptor) }
    }

    /// Closes the descriptor while the body runs, which may use one and must close it.
    public func lend<Result>(_ body: () -> Result) -> Result {
        if descriptor != -1 { closeSocket(descriptor) }
        defer { descriptor = uninterrupted { open("/dev/null", O_RDONLY | O_CLOEXEC) } }
        return body()
    }
}

/// Sends a last message to a connection that is refused, and closes it, without waiting.
///
/// What the peer has sent is read first: to close a connection with unread input resets it, and the
/// peer loses the message.
///
/// Source: RFC 1122 section 4.2.2.13.
public func turnAway(_ descriptor: Int32, saying bytes: [UInt8]) {
    drain(descriptor)
    _ = bytes.withUnsafeBytes { sendAtOnce(descriptor, $0.baseAddress, $0.count) }
    _ = shutdown(descriptor, shutdownOfWriting)
    drain(descriptor)
    closeSocket(descriptor)
}

/// Reads what has arrived, at most 16 KiB.
private func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        for _ in 0..<4 {
            let count = uninterrupted {
                recv(descriptor, buffer.baseAddress, buffer.count, receiveFlags)
            }
            guard count == buffer.count else { return }
        }
    }
}
