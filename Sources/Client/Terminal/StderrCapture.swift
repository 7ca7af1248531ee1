import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Standard error redirected to a pipe while the terminal shows the alternate screen.
///
/// So the message of a crash is kept: on the alternate screen it would be lost with it. What
/// exceeds the pipe, usually 64 KiB, is dropped.
struct StderrCapture {
    private static let bufferBytes = 1024

    private let readEnd: Int32
    private let writeEnd: Int32
    private let original: Int32
    /// Allocated beforehand: a signal handler must not.
    private let buffer: UnsafeMutableRawPointer

    /// Prepares the pipe; nil if standard error is not this terminal, or no descriptor is left.
    init?(from terminal: Int32) {
        guard isStandardError(terminal) else { return nil }
        original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard original != -1 else { return nil }
        guard let ends = try? makePipe() else {
            close(original)
            return nil
        }
        (readEnd, writeEnd) = ends
        buffer = .allocate(byteCount: Self.bufferBytes, alignment: 1)
    }

    /// Redirects standard error to the pipe.
    func begin() {
        dup2(writeEnd, STDERR_FILENO)
    }

    /// Restores standard error; what was written meanwhile can then be read with `take`.
    func end() {
        dup2(original, STDERR_FILENO)
    }

    /// Reads some of what was written, valid until the next call; empty at the end.
    func take() -> UnsafeRawBufferPointer {
        let count = read(readEnd, buffer, Self.bufferBytes)
        return UnsafeRawBufferPointer(start: buffer, count: count > 0 ? count : 0)
    }

    /// Closes the pipe and frees the buffer.
    func release() {
        buffer.deallocate()
        for descriptor in [readEnd, writeEnd, original] { close(descriptor) }
    }
}

/// Whether standard error goes to this terminal.
private func isStandardError(_ terminal: Int32) -> Bool {
    // A program that was started without standard error may have opened the terminal as it.
    guard terminal != STDERR_FILENO else { return false }
    var (asked, found) = (stat(), stat())
    guard fstat(terminal, &asked) == 0, fstat(STDERR_FILENO, &found) == 0 else { return false }
    return found.st_mode & S_IFMT == S_IFCHR && found.st_rdev == asked.st_rdev
}
