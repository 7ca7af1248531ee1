#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a process, this one or another, has cost so far; what the system does not tell is nil.
///
/// Source: clock_getcpuclockid(3); proc(5), `/proc/PID/statm` and `/proc/PID/task/TID/status`.
public struct ProcessFigures: Equatable, Sendable {
    /// The time that all its threads were on a core, in the kernel too; exact.
    public let cpuNanoseconds: Int64?
    /// The memory it has in use, shared libraries included.
    public let residentBytes: Int?
    /// How often the threads it now has went to sleep, and were woken.
    public let wakeUps: Int?
    /// How many files and sockets it has open; nil if it is somebody else's process.
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
            residentBytes = try Self.residentBytes(of: process)
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
        private static func residentBytes(of process: Int32) throws(SystemError) -> Int? {
            let words = try text("/proc/\(process)/statm").split(separator: " ")
            guard words.count > 1, let pages = Int(words[1]) else { return nil }
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }

        /// 0 for a thread that has ended meanwhile.
        private static func wakeUps(ofThread task: String, of process: Int32) -> Int {
            let status = (try? text("/proc/\(process)/task/\(task)/status")) ?? ""
            let line = status.split(separator: "\n").first {
                $0.hasPrefix("voluntary_ctxt_switches:")
            }
            return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }

        private static func text(_ path: String) throws(SystemError) -> String {
            String(decoding: try readFile(path, atMost: 8192), as: UTF8.self)
        }
    #endif
}

private func difference<Number: SignedInteger>(_ later: Number?, _ earlier: Number?) -> Number? {
    guard let later, let earlier else { return nil }
    return later - earlier
}
