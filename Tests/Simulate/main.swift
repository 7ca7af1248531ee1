import Posix
import Simulation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// Plays seeds of the simulation: simulate [--cluster] [SEED] [COUNT], or simulate --planted.

/// With this many seeds, every kind of action and occurrence must be seen.
let seedsOfAllKinds = 500

/// Prints the trace of one seed, and returns whether every promise was kept.
func trace(_ plan: some SimulationPlan, _ seed: UInt64) -> Bool {
    let report = plan.play(keepsTrace: true)
    for line in report.trace { print(line) }
    print("seed \(seed): \(report.violation?.description ?? "every promise is kept")")
    return report.violation == nil
}

/// Plays seeds up to the first that fails, of which it prints the shortest trace it finds; of a
/// single seed it prints the whole trace.
func play<Plan: SimulationPlan>(_ kind: Plan.Type, _ seeds: Range<UInt64>) -> Bool {
    let start = monotonicNanoseconds()
    var (simulated, events, lines) = (Duration.zero, 0, 0)
    var counts: [String: Int] = [:]
    for seed in seeds {
        TrapMessage.note(seed: seed)
        let plan = Plan(seed: seed)
        guard seeds.count > 1 else { return trace(plan, seed) }
        let report = plan.play()
        guard report.violation == nil else {
            let shortest = plan.shrunk()
            _ = trace(shortest, seed)
            print(
                "The shortest trace found, \(shortest.actionCount) of \(plan.actionCount)",
                "actions. Play this seed alone to see the whole trace.")
            return false
        }
        simulated += report.duration
        (events, lines) = (events + report.events, lines + report.received)
        counts.merge(report.counts) { $0 + $1 }
    }
    let milliseconds = max((monotonicNanoseconds() - start) / 1_000_000, 1)
    let rate = Int64(seeds.count) * 1000 / milliseconds
    let hours = simulated.components.seconds * 10 / 3600
    let times = simulated.components.seconds * 1000 / milliseconds
    for kind in Plan.kinds {
        let count = String(counts[kind] ?? 0)
        print(String(repeating: " ", count: max(9 - count.utf8.count, 0)) + count, kind)
    }
    let unseen = Plan.kinds.filter { counts[$0] == nil }
    guard unseen.isEmpty || seeds.count < seedsOfAllKinds else {
        print("never seen in \(seeds.count) seeds: \(unseen.joined(separator: ", "))")
        return false
    }
    print(
        "\(seeds.count) seeds, \(rate) a second; \(hours / 10).\(hours % 10) hours, \(times) times",
        "faster than the clock; \(events) events, received in \(lines) lines; every promise is kept"
    )
    return true
}

/// Prints which promises a planted fault breaks in the first seeds, and returns whether its own is
/// among them.
func findPlanted(_ fault: ClusterPlan.Planted) -> Bool {
    var broken: [String: [UInt64]] = [:]
    for seed in 1...40 as ClosedRange<UInt64> {
        TrapMessage.note(seed: seed)
        var plan = ClusterPlan(seed: seed)
        plan.planted = fault
        if let violation = plan.play().violation {
            broken[violation.promise.rawValue, default: []].append(seed)
        }
    }
    for (promise, seeds) in broken.sorted(by: { $0.key < $1.key }) {
        print("\(fault.rawValue): \(promise): \(seeds.map(String.init).joined(separator: " "))")
    }
    let isFound = broken[fault.promise.rawValue] != nil
    if !isFound { print("\(fault.rawValue): does not break: \(fault.promise.rawValue)") }
    return isFound
}

/// What the process prints when a precondition of the server ends it: the seed that was played.
///
/// Unsafe, because a signal handler may use nothing that is locked or allocated; the one thread
/// changes it between two seeds.
private enum TrapMessage {
    private nonisolated(unsafe) static let words = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 64, alignment: 1)
    private nonisolated(unsafe) static var length = 0
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<sigaction>.allocate(
        capacity: 2)

    /// Prints the seed on standard error if the process traps from now on, and then lets it end.
    static func prepare() {
        for (index, trap) in [SIGILL, SIGTRAP].enumerated() {
            sigaction(trap, nil, before + index)
            signal(trap) { number in
                write(STDERR_FILENO, TrapMessage.words.baseAddress, TrapMessage.length)
                sigaction(number, TrapMessage.before + (number == SIGILL ? 0 : 1), nil)
            }
        }
    }

    /// Notes the seed that is played now.
    static func note(seed: UInt64) {
        let text = "\nseed \(seed) ends the process\n"
        words.copyBytes(from: text.utf8)
        length = text.utf8.count
    }
}

let words = CommandLine.arguments.dropFirst()
let isCluster = words.first == "--cluster"
TrapMessage.note(seed: 0)
TrapMessage.prepare()
if words.first == "--planted" {
    let areFound = ClusterPlan.Planted.allCases.map { findPlanted($0) }
    exit(areFound.contains(false) ? 1 : 0)
}
let numbers = words.dropFirst(isCluster ? 1 : 0).map { UInt64($0) }
guard numbers.count <= 2, !numbers.contains(nil) else {
    print("usage: simulate [--cluster] [SEED] [COUNT], or simulate --planted")
    exit(2)
}
let first = numbers.first.flatMap { $0 } ?? 1
let count = numbers.count == 2 ? numbers[1] ?? 1 : numbers.isEmpty ? 1000 : 1
let seeds = first..<first + count
exit((isCluster ? play(ClusterPlan.self, seeds) : play(Plan.self, seeds)) ? 0 : 1)
