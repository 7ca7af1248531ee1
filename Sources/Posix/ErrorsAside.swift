#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Standard error moved to a pipe, while the screen that it would write on is another's.
///
/// The last words of a program that crashes go there: on the screen they would be lost with it.
/// What the pipe does not hold, 64 KiB as a rule, is left out.
struct ErrorsAside {
    private static let bufferBytes = 1024

    private let readEnd: Int32
    private let writeEnd: Int32
    private let original: Int32
    /// Allocated beforehand: a signal handler must not.
    private let buffer: UnsafeMutableRawPointer

    /// Prepares to move standard error; nil unless it is this terminal, or without descriptors.
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

    /// Moves standard error aside.
    func begin() {
        dup2(writeEnd, STDERR_FILENO)
    }

    /// Puts standard error back; what it was told meanwhile is there to be read.
    func end() {
        dup2(original, STDERR_FILENO)
    }

    /// Reads of what was told, until the next call; nothing when that was all.
    func take() -> UnsafeRawBufferPointer {
        let count = read(readEnd, buffer, Self.bufferBytes)
        return UnsafeRawBufferPointer(start: buffer, count: count > 0 ? count : 0)
    }

    /// Closes what this has opened.
    func release() {
        buffer.deallocate()
        for descriptor in [readEnd, writeEnd, original] { close(descriptor) }
    }
}

/// Whether what is told on standard error is shown by this terminal.
private func isStandardError(_ terminal: Int32) -> Bool {
    // A program that was started without standard error may have opened the terminal as it.
    guard terminal != STDERR_FILENO else { return false }
    var (asked, found) = (stat(), stat())
    guard fstat(terminal, &asked) == 0, fstat(STDERR_FILENO, &found) == 0 else { return false }
    return found.st_mode & S_IFMT == S_IFCHR && found.st_rdev == asked.st_rdev
}
