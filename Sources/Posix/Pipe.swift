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
