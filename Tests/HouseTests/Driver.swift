import Auction
import Basics
import House
import Wire

/// A journal in memory, whose disk may hang or fail.
final class TestLog: EventLog {
    /// Whether nothing more becomes durable; everything does when it is set to false.
    var isHanging = false { didSet { if !isHanging { durable = count } } }
    var failure: LogFailure?
    /// Whether the first segment is full.
    var isSegmentFull = false
    /// The number of batches.
    private(set) var count = 0
    /// What makes the states of the segments that were begun.
    private(set) var states: [@Sendable () -> LogBatch] = []
    private var durable = 0

    func append(_ batch: LogBatch) -> Int {
        count += 1
        if !isHanging { durable = count }
        return count
    }

    func beginSegment(state: @escaping @Sendable () -> LogBatch) -> Int {
        states.append(state)
        isSegmentFull = false
        return append(LogBatch())
    }

    var progress: LogProgress {
        var progress = LogProgress(durable: durable, isSegmentFull: isSegmentFull)
        progress.failure = failure
        return progress
    }

    func close() {}
}

/// A house, what its loops report, and what it has sent.
///
/// Each confirmation that the house asks for is in the next report of the first loop.
final class Driver {
    var house: House
    let log = TestLog()
    var reports: [LoopReport]
    /// Until when each loop has read, in milliseconds; nil for the time of the step.
    var readUntil: [Int64?]
    /// The replies and news, as lines of text.
    private(set) var lines: [String] = []
    private(set) var closed: [SessionID] = []
    /// The connections that were skipped forward to a snapshot.
    private(set) var skipped: [SessionID] = []
    private(set) var refusals: [String] = []
    private(set) var limitsReached: [LimitReached: Int] = [:]
    private(set) var events: [SessionEvent] = []
    private(set) var commands: [LoopCommand] = []
    private(set) var hasFreedDescriptors = false
    /// The messages to other nodes, each with its node, and the claims.
    private(set) var (messages, claims) = ([(node: String, message: NodeMessage)](), [NodeClaim]())
    /// Whether the last step can continue without waiting.
    private(set) var canContinue = false

    init(
        seconds: Int = 7, loops: Int = 1, unsentEffects: Int = 1 << 13, openLimit: Int = .max,
        linesPerSecond: Int? = nil, lineTime: Duration? = nil, proxies: [AddressBlock] = [],
        node: String? = nil, names: Int? = nil, classPlan: ClassPlan? = nil
    ) {
        var options = House.Options()
        options.loops = loops
        options.openLimit = openLimit
        options.unsentEffectLimit = unsentEffects
        options.trustedProxies = proxies
        var limits = Limits.none
        limits.lineTime = lineTime
        if let names { limits.setNames(perMinute: names) }
        limits.lines = linesPerSecond.map { TokenBucket.Rate($0, per: .seconds(1), burst: 1) }
        reports = Array(repeating: LoopReport(), count: loops)
        readUntil = Array(repeating: nil, count: loops)
        var rules = Lobby.Options(rules: Rules(seconds: seconds), limits: limits)
        (rules.node, rules.classPlan) = (node, classPlan)
        let lobby = Lobby(rules, at: Instant(nanoseconds: 0))
        house = House(lobby, CommitQueue(log), options)
    }

    /// When the next step is due, in milliseconds.
    var deadline: Int64? { house.deadline.map { $0.nanoseconds / 1_000_000 } }

    /// Whether the server is ending, and whether it has ended.
    var end: [Bool] { [house.isClosing, house.isFinished] }

    /// Whether the house handles no more input.
    var isFull: Bool { house.isFull }

    /// The number of connections with stored input.
    var storedCount: Int { house.buffer.count }

    func place(isLocal: Bool = false) -> Int? { house.placeNewcomer(isLocal: isLocal) }

    func join(_ id: SessionID, from address: PeerAddress = .loopback) {
        reports[id.loop].events.append(.joined(id, address))
    }

    func receive(_ text: String, from id: SessionID) {
        reports[id.loop].events.append(Array(text.utf8)[...], from: id)
    }

    /// Forgets what was sent and commanded.
    func clear() {
        (lines, commands) = ([], [])
    }

    /// Runs steps as a loop does, until one can do nothing more without input.
    func run(at milliseconds: Int64) {
        repeat { step(at: milliseconds) } while canContinue || isConfirmed
    }

    private var isConfirmed: Bool { !house.isFull && !reports[0].events.isEmpty }

    func step(at milliseconds: Int64) {
        let now = Instant(nanoseconds: milliseconds * 1_000_000)
        for loop in reports.indices {
            let until = readUntil[loop].map { Instant(nanoseconds: $0 * 1_000_000) }
            reports[loop].readUntil = until ?? now
        }
        let outputs = house.step(&reports, at: now, timeOfDay: milliseconds)
        var effects = outputs.durable.flatMap(\.effects)
        for batch in outputs.durable { house.published(batch, at: now) }
        effects += outputs.effects
        for effect in effects {
            switch effect {
            case .news(let event, _, _, _): lines.append(ServerMessage.event(event).text)
            case .reply(let message, _): lines.append(message.text)
            case .close(let id, _): closed.append(id)
            case .skip(let id): skipped.append(id)
            case .confirm(let id, let number): reports[0].events.confirm(id, number: number)
            default: break
            }
        }
        events += outputs.sessionEvents
        refusals += outputs.refusals
        limitsReached.merge(outputs.limitsReached, uniquingKeysWith: +)
        commands += outputs.commands
        messages += outputs.messages
        claims += outputs.claims
        hasFreedDescriptors = hasFreedDescriptors || outputs.hasFreedDescriptors
        canContinue = outputs.canContinue
    }
}
