#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads the bytes of memory that a process has in use, shared libraries included.
///
/// Nil where the system does not report it.
///
/// - Throws: `SystemError` when there is no such process.
///
/// Source: proc(5), `/proc/PID/statm`.
public func residentMemory(of process: Int32) throws(SystemError) -> Int? {
    #if os(Linux)
        let text = try readFile("/proc/\(process)/statm", atMost: 8192)
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
        return nil
    #endif
}

/// Reads the CPU time of all threads of this process, in nanoseconds.
///
/// Source: clock_gettime(2), `CLOCK_PROCESS_CPUTIME_ID`.
public func processorNanoseconds() -> Int64 {
    nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
}

/// Raises the number of files this process may open to its hard limit.
///
/// Returns the limit now in force.
///
/// - Throws: `SystemError` when the limit cannot be read or set.
///
/// Source: getrlimit(2), `RLIMIT_NOFILE`.
@discardableResult
public func raiseOpenFileLimit() throws(SystemError) -> Int {
    var limit = try openFileLimits()
    #if canImport(Darwin)
        // Darwin shows an unlimited hard limit and then refuses anything above OPEN_MAX.
        let highest = min(limit.rlim_max, rlim_t(OPEN_MAX))
    #else
        let highest = limit.rlim_max
    #endif
    if limit.rlim_cur < highest {
        limit.rlim_cur = highest
        try syscall("setrlimit") { setrlimit(openFiles, &limit) }
    }
    return Int(clamping: limit.rlim_cur)
}

/// The number of files this process may open.
///
/// - Throws: `SystemError` when the limit cannot be read.
///
/// Source: getrlimit(2), `RLIMIT_NOFILE`.
public func openFileLimit() throws(SystemError) -> Int {
    Int(clamping: try openFileLimits().rlim_cur)
}

private func openFileLimits() throws(SystemError) -> rlimit {
    var limit = rlimit()
    try syscall("getrlimit") { getrlimit(openFiles, &limit) }
    return limit
}

#if canImport(Darwin)
    private let openFiles = RLIMIT_NOFILE
#else
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif
