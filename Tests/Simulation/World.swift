import AuctionRules
import DiskSupport
import Reactive
import TestSupport

/// A saleroom, its visitors and their machine, on one timeline.
final class World {
    /// How long everybody behaves at the end, beyond what a lot takes.
    private static let calm = Duration.seconds(60)
    /// With more turns in a row that do nothing, loops keep each other awake.
    private static let mostIdleTurns = 100

    let plan: Plan
    let witness: Witness
    private let timeline = Timeline()
    private var subscriptions: [Subscription] = []
    private let keepsTrace: Bool
    private(set) var lines: [String] = []

    /// The server that runs; nil while none does.
    var house: House?
    var disk = MemoryDisk()
    var starts: UInt64 = 0
    private(set) var visitors: [Visitor] = []
    /// The newest news that was told, which is where whoever is admitted begins.
    var newestTold = 0

    var slowness: (each: Duration, until: Duration) = (.zero, .zero)
    var doom: (crash: Crash, snapshot: DiskSnapshot)?
    var clockOffset = Duration.zero
    /// How many turns in a row did nothing, on whatever loop.
    private var idleTurns = 0
    /// Whether nothing goes wrong any more.
    private var isQuiet = false

    /// The disk as it was in the middle of a call.
    final class DiskSnapshot: @unchecked Sendable {
        var disk: MemoryDisk?
    }

    init(_ plan: Plan, keepsTrace: Bool) {
        (self.plan, self.keepsTrace) = (plan, keepsTrace)
        witness = Witness(plan.terms)
    }

    var now: Duration { timeline.now }
    var instant: Instant { Instant(nanoseconds: now.nanoseconds) }
    /// Milliseconds since 1970, as the wall clock shows them.
    var timeOfDay: Int64 { 1_790_000_000_000 + (now + clockOffset).nanoseconds / 1_000_000 }

    func at(_ time: Duration, _ action: @escaping () -> Void) {
        subscriptions.append(timeline.schedule(at: time, action))
    }

    func trace(_ text: @autoclosure () -> String) {
        guard keepsTrace else { return }
        lines.append("\(now.stopwatch)  \(text())")
    }

    /// Lets everything happen, up to the first promise that is not kept.
    func run() {
        visitors = (0..<plan.terms.visitors).map { Visitor($0, self) }
        start(MemoryDisk(), again: nil)
        for action in plan.actions { at(action.at) { [self] in perform(action.deed) } }
        let end = plan.actions.last?.at ?? .zero
        at(end + .seconds(30)) { [self] in calmDown() }
        advance(to: end + Self.calm + .seconds(30))
        if witness.violation == nil { witness.checkEnd(visitors) }
    }

    func advance(to end: Duration) {
        while witness.violation == nil, let next = timeline.nextDeadline, next <= end {
            timeline.advance(to: next)
        }
    }

    func calmDown() {
        slowness = (.zero, .zero)
        isQuiet = true
        for visitor in visitors { visitor.behave() }
    }

    /// Takes note that a loop has a reason for a turn.
    func noteEvent() {
        idleTurns = 0
    }

    /// Takes note of a turn, and whether anything came of it.
    func noteTurn(isIdle: Bool) {
        idleTurns = isIdle ? idleTurns + 1 : 0
        if idleTurns > Self.mostIdleTurns {
            witness.report(.restful, "\(idleTurns) turns in a row did nothing")
        }
    }

    /// How long a thread does not run between its poll and its turn; nil for not at all.
    ///
    /// The poll has not found what arrives meanwhile. Often something becomes due in that time.
    func preemption(due: Instant?, _ dice: inout SplitMix64) -> Duration? {
        let short = Duration.random(in: 1000...1_000_000, using: &dice)
        if let left = due.map({ instant.duration(to: $0) }), left > .zero,
            left < .milliseconds(100), dice.chance(in: 4)
        {
            return left + short
        }
        return dice.chance(in: 16) ? short * 100 : nil
    }

    /// How long it takes until another loop has its next turn.
    func loopDelay(_ dice: inout SplitMix64) -> Duration {
        let isLate = !isQuiet && !plan.terms.isCalm && dice.chance(in: 8)
        return .random(in: 1000...(isLate ? plan.terms.loopLag.nanoseconds : 200_000), using: &dice)
    }

    func perform(_ deed: Deed) {
        switch deed {
        case .visitor(let index, let move): visitors[index].make(move)
        case .mishap(let mishap): suffer(mishap)
        }
    }
}
