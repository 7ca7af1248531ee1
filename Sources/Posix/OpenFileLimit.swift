#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Raises the number of files this process may open as far as it may do so itself.
///
/// Returns the limit now in force.
///
/// - Throws: `SystemError` when the limit cannot be read or set.
///
/// Source: getrlimit(2), `RLIMIT_NOFILE`.
@discardableResult
public func raiseOpenFileLimit() throws(SystemError) -> Int {
    var limit = rlimit()
    try syscall("getrlimit") { getrlimit(openFiles, &limit) }
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

/// How many files this process may open.
///
/// - Throws: `SystemError` when the limit cannot be read.
///
/// Source: getrlimit(2), `RLIMIT_NOFILE`.
public func openFileLimit() throws(SystemError) -> Int {
    var limit = rlimit()
    try syscall("getrlimit") { getrlimit(openFiles, &limit) }
    return Int(clamping: limit.rlim_cur)
}

#if canImport(Darwin)
    private let openFiles = RLIMIT_NOFILE
#else
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif
