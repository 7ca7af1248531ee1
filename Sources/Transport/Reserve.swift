import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A descriptor that is kept for the moment in which there is no other.
public final class Reserve {
    private var descriptor: Int32

    /// - Throws: `SystemError` when there is no descriptor left already.
    public init() throws(SystemError) {
        descriptor = try syscall("open") { open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }

    deinit {
        if descriptor != -1 { closeSocket(descriptor) }
    }

    /// Gives the descriptor up while the body runs, which must not keep it.
    public func lend<Result>(_ body: () -> Result) -> Result {
        if descriptor != -1 { closeSocket(descriptor) }
        defer { descriptor = uninterrupted { open("/dev/null", O_RDONLY | O_CLOEXEC) } }
        return body()
    }
}

/// Says a last word to a connection that is not let in, and closes it, without waiting.
///
/// What it has sent by then is read first: closed over unread bytes, a connection takes back what it
/// was told last.
///
/// Source: RFC 1122 section 4.2.2.13.
public func turnAway(_ descriptor: Int32, saying bytes: [UInt8]) {
    drain(descriptor)
    _ = bytes.withUnsafeBytes { sendBytes(descriptor, $0.baseAddress, $0.count, sendFlags) }
    _ = shutdown(descriptor, shutdownOfWriting)
    drain(descriptor)
    closeSocket(descriptor)
}

/// Reads what has arrived, up to as much as a hasty peer says first.
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
