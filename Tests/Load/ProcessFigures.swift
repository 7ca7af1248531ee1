import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The resources a process has used so far; a figure the system does not report is nil.
///
/// Source: clock_getcpuclockid(3); proc(5), `/proc/PID/task/TID/status`.
public struct ProcessFigures: Equatable, Sendable {
    /// The time that all its threads were on a core, in the kernel too; exact.
    public let cpuNanoseconds: Int64?
    /// The memory it has in use, shared libraries included.
    public let residentBytes: Int?
    /// How often the threads it now has went to sleep, and were woken.
    public let wakeUps: Int?

    /// Reads the figures of a process as they are now.
    ///
    /// - Throws: `SystemError` when there is no such process.
    public init(of process: Int32) throws(SystemError) {
        #if os(Linux)
            var (clock, time) = (clockid_t(), timespec())
            let code = clock_getcpuclockid(process, &clock)
            guard code == 0 else { throw SystemError(code: code, call: "clock_getcpuclockid") }
            try syscall("clock_gettime") { clock_gettime(clock, &time) }
            cpuNanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            residentBytes = try residentMemory(of: process)
            let tasks = try namesInFolder("/proc/\(process)/task")
            wakeUps = tasks.reduce(0) { $0 + Self.wakeUps(ofThread: $1, of: process) }
        #else
            guard kill(process, 0) == 0 || errno == EPERM else {
                throw SystemError(code: errno, call: "kill")
            }
            (cpuNanoseconds, residentBytes, wakeUps) = (nil, nil, nil)
        #endif
    }

    private init(cpuNanoseconds: Int64?, residentBytes: Int?, wakeUps: Int?) {
        self.cpuNanoseconds = cpuNanoseconds
        self.residentBytes = residentBytes
        self.wakeUps = wakeUps
    }

    /// How much more each figure is than it was earlier.
    public func since(_ earlier: ProcessFigures) -> ProcessFigures {
        ProcessFigures(
            cpuNanoseconds: difference(cpuNanoseconds, earlier.cpuNanoseconds),
            residentBytes: difference(residentBytes, earlier.residentBytes),
            wakeUps: difference(wakeUps, earlier.wakeUps))
    }

    #if os(Linux)
        /// 0 for a thread that has ended meanwhile.
        private static func wakeUps(ofThread task: String, of process: Int32) -> Int {
            let path = "/proc/\(process)/task/\(task)/status"
            let status = (try? readFile(path, atMost: 8192)) ?? []
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first {
                $0.hasPrefix("voluntary_ctxt_switches:")
            }
            return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
    #endif
}

private func difference<Number: SignedInteger>(_ later: Number?, _ earlier: Number?) -> Number? {
    guard let later, let earlier else { return nil }
    return later - earlier
}
