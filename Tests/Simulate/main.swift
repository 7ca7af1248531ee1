import Posix
import Simulation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// Plays seeds of the simulation: simulate [--cluster] [SEED] [COUNT], or simulate --planted.

/// Prints the trace of one seed, and returns whether every promise was kept.
func trace(seed: UInt64) -> Bool {
    TrapMessage.note(seed: seed)
    return show(Plan(seed: seed), "seed \(seed)")
}

/// With this many seeds, every kind of action and occurrence must be seen.
let seedsOfAllKinds = 500

/// Plays seeds up to the first that fails, of which it prints the shortest trace it finds.
func play(seeds: Range<UInt64>) -> Bool {
    let start = monotonicNanoseconds()
    var (simulated, events, lines) = (Duration.zero, 0, 0)
    var counts: [String: Int] = [:]
    for seed in seeds {
        TrapMessage.note(seed: seed)
        let plan = Plan(seed: seed)
        let report = plan.play()
        guard report.violation == nil else {
            let shortest = plan.shrunk()
            _ = show(shortest, "seed \(seed)")
            print(
                "The shortest trace found, \(shortest.actions.count) of \(plan.actions.count)",
                "actions. The whole one: scripts/simulate \(seed)")
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
    let kinds = Action.names + Occurrence.allCases.map(\.rawValue)
    for kind in kinds {
        let count = String(counts[kind] ?? 0)
        print(String(repeating: " ", count: max(9 - count.utf8.count, 0)) + count, kind)
    }
    let unseen = kinds.filter { counts[$0] == nil }
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

private func show(_ plan: Plan, _ name: String) -> Bool {
    let report = plan.play(keepsTrace: true)
    for line in report.trace { print(line) }
    print("\(name): \(report.violation?.description ?? "every promise is kept")")
    return report.violation == nil
}

/// Prints the trace of one seed of several nodes, and returns whether every promise was kept.
func traceCluster(seed: UInt64) -> Bool {
    TrapMessage.note(seed: seed)
    return show(ClusterPlan(seed: seed), "seed \(seed)")
}

/// Plays seeds of several nodes up to the first that fails, of which it prints the shortest trace.
func playCluster(seeds: Range<UInt64>) -> Bool {
    let start = monotonicNanoseconds()
    var (simulated, news, bids) = (Duration.zero, 0, 0)
    var counts: [String: Int] = [:]
    for seed in seeds {
        TrapMessage.note(seed: seed)
        let plan = ClusterPlan(seed: seed)
        let report = plan.play()
        guard report.violation == nil else {
            let shortest = plan.shrunk()
            _ = show(shortest, "seed \(seed)")
            print(
                "The shortest trace found, \(shortest.actions.count) of \(plan.actions.count)",
                "actions. The whole one: scripts/simulate --cluster \(seed)")
            return false
        }
        simulated += report.duration
        (news, bids) = (news + report.news, bids + report.bids)
        counts.merge(report.counts) { $0 + $1 }
    }
    let milliseconds = max((monotonicNanoseconds() - start) / 1_000_000, 1)
    let rate = Int64(seeds.count) * 1000 / milliseconds
    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
        print(String(repeating: " ", count: max(9 - "\(count)".utf8.count, 0)) + "\(count)", kind)
    }
    print(
        "\(seeds.count) seeds, \(rate) a second; \(simulated.components.seconds / 60) minutes;",
        "\(bids) bids, \(news) news; every promise is kept")
    return true
}

/// Prints which promises a planted fault breaks in the first seeds.
func findPlanted(_ fault: ClusterPlan.Planted) {
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
    if broken.isEmpty { print("\(fault.rawValue): not found") }
}

private func show(_ plan: ClusterPlan, _ name: String) -> Bool {
    let report = plan.play(keepsTrace: true)
    for line in report.trace { print(line) }
    print("\(name): \(report.violation?.description ?? "every promise is kept")")
    return report.violation == nil
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
if words.first == "--planted" {
    for fault in ClusterPlan.Planted.allCases { findPlanted(fault) }
    exit(0)
}
let arguments = words.dropFirst(isCluster ? 1 : 0).map { UInt64($0) }
guard arguments.count <= 2, !arguments.contains(nil) else {
    print("usage: simulate [--cluster] [SEED] [COUNT], or simulate --planted")
    exit(2)
}
TrapMessage.note(seed: 0)
TrapMessage.prepare()
let numbers = arguments.compactMap { $0 }
let first = numbers.first ?? 1
let seeds = first..<first + (numbers.count == 2 ? numbers[1] : 1000)
if isCluster {
    exit((numbers.count == 1 ? traceCluster(seed: first) : playCluster(seeds: seeds)) ? 0 : 1)
}
if numbers.count == 1 { exit(trace(seed: first) ? 0 : 1) }
exit(play(seeds: seeds) ? 0 : 1)
