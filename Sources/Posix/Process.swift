#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The resources a process has used so far; a figure the system does not report is nil.
///
/// Source: clock_getcpuclockid(3); proc(5), `/proc/PID/statm` and `/proc/PID/task/TID/status`.
public struct ProcessFigures: Equatable, Sendable {
    /// The time that all its threads were on a core, in the kernel too; exact.
    public let cpuNanoseconds: Int64?
    /// The memory it has in use, shared libraries included.
    public let residentBytes: Int?
    /// How often the threads it now has went to sleep, and were woken.
    public let wakeUps: Int?
    /// How many files and sockets it has open; nil if it is another user's process.
    public let descriptors: Int?

    /// Reads the figures of a process as they are now.
    ///
    /// - Throws: `SystemError` when there is no such process.
    public init(of process: Int32) throws(SystemError) {
        #if os(Linux)
            var clock = clockid_t()
            let code = clock_getcpuclockid(process, &clock)
            guard code == 0 else { throw SystemError(code: code, call: "clock_getcpuclockid") }
            cpuNanoseconds = nanoseconds(of: clock)
            residentBytes = try residentMemory(of: process)
            let tasks = try namesInFolder("/proc/\(process)/task")
            descriptors = (try? namesInFolder("/proc/\(process)/fd"))?.count
            wakeUps = tasks.reduce(0) { $0 + Self.wakeUps(ofThread: $1, of: process) }
        #else
            guard kill(process, 0) == 0 || errno == EPERM else {
                throw SystemError(code: errno, call: "kill")
            }
            (cpuNanoseconds, residentBytes, wakeUps, descriptors) = (nil, nil, nil, nil)
        #endif
    }

    private init(
        cpuNanoseconds: Int64?, residentBytes: Int?, wakeUps: Int?, descriptors: Int?
    ) {
        self.cpuNanoseconds = cpuNanoseconds
        self.residentBytes = residentBytes
        self.wakeUps = wakeUps
        self.descriptors = descriptors
    }

    /// How much more each figure is than it was earlier.
    public func since(_ earlier: ProcessFigures) -> ProcessFigures {
        ProcessFigures(
            cpuNanoseconds: difference(cpuNanoseconds, earlier.cpuNanoseconds),
            residentBytes: difference(residentBytes, earlier.residentBytes),
            wakeUps: difference(wakeUps, earlier.wakeUps),
            descriptors: difference(descriptors, earlier.descriptors))
    }

    #if os(Linux)
        /// 0 for a thread that has ended meanwhile.
        private static func wakeUps(ofThread task: String, of process: Int32) -> Int {
            let status = (try? readText("/proc/\(process)/task/\(task)/status")) ?? ""
            let line = status.split(separator: "\n").first {
                $0.hasPrefix("voluntary_ctxt_switches:")
            }
            return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
    #endif
}

/// Reads the bytes of memory that a process has in use, shared libraries included.
///
/// Nil where the system does not report it.
///
/// - Throws: `SystemError` when there is no such process.
public func residentMemory(of process: Int32) throws(SystemError) -> Int? {
    #if os(Linux)
        let words = try readText("/proc/\(process)/statm").split(separator: " ")
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

private func readText(_ path: String) throws(SystemError) -> String {
    String(decoding: try readFile(path, atMost: 8192), as: UTF8.self)
}

private func difference<Number: SignedInteger>(_ later: Number?, _ earlier: Number?) -> Number? {
    guard let later, let earlier else { return nil }
    return later - earlier
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

/// The number of files this process may open.
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
