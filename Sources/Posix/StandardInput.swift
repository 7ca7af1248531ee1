#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The stream from which a program is told what to do.
public enum StandardInput {
    /// Whether a person sits at the other end.
    ///
    /// Source: isatty(3).
    public static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Returns the descriptor, which is left as it is: others may share what it stands for.
    ///
    /// To be called before anything else is opened. Where it was closed from the start an empty
    /// input takes its place, or the next thing to be opened would.
    ///
    /// - Throws: `SystemError` when there is no null device.
    ///
    /// Source: null(4).
    public static func claim() throws(SystemError) -> Int32 {
        if fcntl(STDIN_FILENO, F_GETFD) == -1 {
            let opened = try syscall("open") { open("/dev/null", O_RDONLY) }
            precondition(opened == STDIN_FILENO, "the lowest free descriptor is taken")
        }
        return STDIN_FILENO
    }
}
