import DiskSupport
import Saleroom
import Server
import Storage
import TestSupport
import Transport
import Wire

/// One run of the server's process, from its start to its end or crash.
///
/// The shell around the room is that of `AuctionServer`: hear everybody, let time pass, record, and
/// speak what is durable.
final class House {
    let world: World
    let disk: MemoryDisk
    let journal: Journal
    let commits: CommitQueue
    var room: Room
    var dice: SplitMix64
    var connections: [Connection] = []
    var newcomers: [Connection] = []
    /// Whose connections broke in this turn.
    var lost: Set<SessionID> = []
    /// The loops beside the actor's, and those as the actor sees them.
    var loops: [Loop] = []
    var remotes: [RemoteShard] = []
    /// The connections of the other loops that the room knows.
    var guests: [SessionID: Connection] = [:]
    var descriptors: Int32 = 0
    var rounds = ReadingRounds()
    var areOthersUnheard = false
    /// Whether anything was heard in this turn.
    var hasWorked = false
    /// Whether something is due that other loops have to be heard before.
    var isTimeHeld = false
    var inputBuffer = InputBuffer()
    /// Of whom is to be noted when they have been sent what they asked for.
    var askedWhenSent: [(id: SessionID, number: Int)] = []

    /// When those of whom something is kept are due, where there is a time.
    var dues: [SessionID: Duration] = [:]

    var nextTurn: Duration?
    /// When the poll ended whose turn has not begun; nil while the poll waits.
    private var polledAt: Duration?
    /// When the last turn ended and the poll began.
    var lastTurn = Duration.zero
    /// Whether there was no room to hear more at the end of that turn.
    var wasFull = false
    var standsStillUntil = Duration.zero
    var batch: Journal.Group?
    var isTaking = false
    var isClosing = false
    var isSignedOff = false
    var isLeaving = false
    var hasFailed = false
    var isGone = false

    /// Starts with what the disk holds.
    ///
    /// - Throws: `JournalError` when that is damaged.
    init(_ world: World, _ disk: MemoryDisk, seed: UInt64) throws(JournalError) {
        (self.world, self.disk) = (world, disk)
        dice = SplitMix64(seed: seed)
        var tokens = SplitMix64(seed: dice.next())
        let terms = world.plan.terms
        var replay = SaleReplay()
        (journal, _) = try Journal.open(disk, segmentLimit: terms.segmentBytes) {
            replay.replay($0, $1, $2)
        }
        commits = CommitQueue(journal)
        room = Room(
            rules: terms.rules, catalogue: terms.catalogue, limits: terms.limits,
            resuming: replay.sale, at: world.instant, timeOfDay: world.timeOfDay,
            game: GameID(using: &tokens)
        ) { Token(using: &tokens) }
        room.auctioneerToken = AuctioneerToken(Visitor.auctioneerToken)
        startLoops(seed: seed)
    }

    // What comes from outside.

    func accept(_ connection: Connection) {
        newcomers.append(connection)
        wake()
    }

    /// Has a turn soon.
    func wake() {
        wake(at: world.now + .random(in: 1000...200_000, using: &dice))
    }

    func standStill(for duration: Duration) {
        standsStillUntil = max(standsStillUntil, world.now + duration)
    }

    func shutDown() {
        guard !hasFailed, !isClosing else { return }
        isClosing = true
        room.shutDown(at: world.instant)
        wake()
    }

    /// Ends without a word; nothing that was scheduled happens any more.
    func crash() {
        isGone = true
        for connection in everybody { connection.cut() }
    }

    /// Ends with everything said.
    func leave() {
        isGone = true
    }

    /// Whose lines are cut by a crash, or told that the server ended.
    var everybody: [Connection] { connections + newcomers + loops.flatMap(\.everybody) }

    func wake(at time: Duration) {
        let time = max(time, standsStillUntil)
        if let nextTurn, nextTurn <= time { return }
        nextTurn = time
        world.at(time) { [self] in
            guard !isGone, nextTurn == time else { return }
            nextTurn = nil
            if world.now < standsStillUntil { return wake(at: standsStillUntil) }
            if polledAt == nil {
                polledAt = world.now
                if let preemption = world.preemption(due: room.deadline, &dice) {
                    standStill(for: preemption)
                    return wake(at: standsStillUntil)
                }
            }
            turn(polledAt: polledAt.take() ?? world.now)
        }
    }
}
