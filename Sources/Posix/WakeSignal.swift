#if os(Linux)
    import CLinux
#endif
#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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

    /// Waits until the signal is given, for so many milliseconds at most.
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
