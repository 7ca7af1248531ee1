import Posix
import Simulation

/// Plays one seed and tells all of it; returns whether every promise was kept.
func tell(seed: UInt64) -> Bool {
    noteForLastWords(seed: seed)
    let report = Plan(seed: seed).play(keepsTrace: true)
    for line in report.trace { print(line) }
    guard let violation = report.violation else {
        print("seed \(seed): every promise is kept")
        return true
    }
    print("seed \(seed): \(violation)")
    return false
}

/// Plays seeds up to the first that fails, of which it tells the shortest trace it finds.
func play(seeds: Range<UInt64>) -> Bool {
    let start = monotonicNanoseconds()
    var (simulated, events, heard) = (Duration.zero, 0, 0)
    for seed in seeds {
        noteForLastWords(seed: seed)
        let plan = Plan(seed: seed)
        let report = plan.play()
        guard report.violation == nil else {
            tellShortest(plan)
            return false
        }
        simulated += report.duration
        events += report.events
        heard += report.heard
    }
    let milliseconds = max((monotonicNanoseconds() - start) / 1_000_000, 1)
    let rate = Int64(seeds.count) * 1000 / milliseconds
    let hours = simulated.components.seconds * 10 / 3600
    let times = simulated.components.seconds * 1000 / milliseconds
    print(
        "\(seeds.count) seeds, \(rate) a second; \(hours / 10).\(hours % 10) hours, \(times) times",
        "faster than the clock; \(events) events, heard in \(heard) lines; every promise is kept")
    return true
}

private func tellShortest(_ plan: Plan) {
    let shortest = plan.shrunk()
    let report = shortest.play(keepsTrace: true)
    for line in report.trace { print(line) }
    if let violation = report.violation { print("seed \(plan.seed): \(violation)") }
    print(
        "The shortest trace found, \(shortest.actions.count) of \(plan.actions.count) actions.",
        "The whole one: scripts/simulate \(plan.seed)")
}
