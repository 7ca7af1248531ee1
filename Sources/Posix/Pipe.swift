#if os(Linux)
    import CLinux
#endif
#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The two ends of a new pipe, neither of which blocks or survives `exec`.
///
/// Both descriptors are the caller's to close.
///
/// - Throws: `SystemError` when the process or the machine has no descriptor left.
///
/// Source: pipe(2).
public func makePipe() throws(SystemError) -> (readEnd: Int32, writeEnd: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { bytes in
        #if canImport(Darwin)
            pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
        #else
            clinux_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
        #endif
    }
    guard result == 0 else { throw SystemError(code: errno, call: "pipe") }
    #if canImport(Darwin)
        do throws(SystemError) {
            try makeNonBlocking(ends.0)
            try makeNonBlocking(ends.1)
        } catch {
            close(ends.0)
            close(ends.1)
            throw error
        }
    #endif
    return ends
}

/// Makes a descriptor non-blocking, and closed by `exec`.
///
/// - Throws: `SystemError` when the descriptor is not open.
///
/// Source: fcntl(2).
public func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
    let flags = try syscall("fcntl") { fcntl(descriptor, F_GETFL) }
    try syscall("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    try syscall("fcntl") { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
}

/// A descriptor that becomes readable when any thread asks for it.
///
/// Any number of signals before a `drain` are one.
///
/// Source: eventfd(2); elsewhere a pipe.
public struct WakeSignal: ~Copyable, Sendable {
    /// The descriptor to wait on; reading it is for `drain` alone.
    public let descriptor: Int32
    private let writeEnd: Int32

    /// Creates a signal that has not been given.
    ///
    /// - Throws: `SystemError` when there is no descriptor left.
    public init() throws(SystemError) {
        #if os(Linux)
            let flags = Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)
            descriptor = try syscall("eventfd") { eventfd(0, flags) }
            writeEnd = descriptor
        #else
            (descriptor, writeEnd) = try makePipe()
        #endif
    }

    deinit {
        close(descriptor)
        if writeEnd != descriptor { close(writeEnd) }
    }

    /// Makes the descriptor readable, from any thread.
    public func give() {
        // An eventfd takes eight bytes, a pipe any number. A full one is readable already.
        var one: UInt64 = 1
        _ = uninterrupted { write(writeEnd, &one, MemoryLayout<UInt64>.size) }
    }

    /// Waits until the signal is given, for at most `milliseconds`.
    ///
    /// Source: poll(2).
    public func wait(milliseconds: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, milliseconds)
    }

    /// Makes the descriptor unreadable again, until the next signal.
    public func drain() {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
            _ = uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
        }
    }
}
