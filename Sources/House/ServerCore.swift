import Auction
import Basics
import Wire

/// The whole server apart from the kernel: what the loops read goes in, what they send comes out.
///
/// A step handles the input of all loops, lets time advance as far as all input was handled, appends
/// what happened to the log, and returns what is durable. The actor and the simulation drive it in
/// the same way. It reads no clock: the time of a step is an argument.
public struct ServerCore: ~Copyable {
    /// What an operator chooses, beside the lobby and the log.
    public struct Options: Sendable {
        /// The number of loops; 1 to 256.
        public var loops = 1
        /// With this many connections open, a newcomer is refused at once.
        public var openLimit = Int.max
        /// With more effects than this not sent yet, no more input is handled; positive.
        public var unsentEffectLimit = 1 << 13
        /// The addresses whose connections begin with a header of the PROXY protocol.
        public var trustedProxies: [AddressBlock] = []

        /// Makes the options that hold where nothing else is chosen.
        public init() {}
    }

    /// The lobby, and the way of input to it.
    package private(set) var input: InputHandler
    /// What is known of the loops.
    package private(set) var loops: LoopStates
    private let commits: CommitQueue
    private let limits: StepLimits
    private var closing: Closing?
    /// Whether something is due, and other loops must be read first.
    package private(set) var isTimeHeld = false

    /// Makes the core of a server with an open lobby and its log.
    public init(_ lobby: consuming Lobby, _ commits: CommitQueue, _ options: Options) {
        self.commits = commits
        input = InputHandler(lobby, trusting: options.trustedProxies)
        limits = StepLimits(unsentEffects: options.unsentEffectLimit)
        loops = LoopStates(count: options.loops, openLimit: options.openLimit)
    }

    // Steps

    /// Handles what the loops read, and returns what to do.
    ///
    /// `timeOfDay` is the time of `now` in milliseconds since 1970. A report that still has events
    /// afterwards was not taken, because the loop's last report is not handled completely: pass it
    /// again, with later events at its end.
    public mutating func step(
        _ reports: inout [LoopReport], at now: Instant, timeOfDay: Int64
    ) -> StepOutputs {
        commits.catchUp()
        if commits.failure != nil { abandon(at: now) }
        input.lobby.setTimeOfDay(timeOfDay, at: now)
        input.lobby.answerBudget = limits.answerLines
        input.expireStored(at: now)
        let areTaken = loops.take(&reports) { input.sent($0, number: $1) }
        handleStored(at: now)
        while !isFull, let (event, bytes) = loops.nextEvent() {
            input.handle(event, bytes, at: now)
        }
        loops.finishHandling()
        passTime(at: now)
        if input.lobby.isStopped { shutDown(at: now) }
        commit()
        takeDurable()
        close(at: now, timeOfDay: timeOfDay)
        // A report without events counts too: it has the instant until which its loop was read.
        let hasInput = loops.hasUnhandled || !areTaken || reports.contains(where: \.hasMore)
        input.outputs.canContinue = !isFull && (hasInput || input.mayHaveReady)
        return input.takeOutputs()
    }

    /// Whether so much was not sent yet that no more input is handled.
    public var isFull: Bool { limits.isFull(unsent: unsentCount) || loops.hasBacklog }

    private var unsentCount: Int { commits.waitingCount + input.lobby.effectCount }

    /// When the next step is due without input; nil if nothing is.
    public var deadline: Instant? {
        let stored = isFull ? nil : input.storedInputDeadline
        let timed = isTimeHeld || loops.timeStep(due: nil) == nil ? nil : input.deadline
        return Instant.earliest(Instant.earliest(stored, timed), closing?.deadline)
    }

    /// Handles stored input that is ready.
    ///
    /// It takes a part of the step: the rest is for connections without stored input.
    private mutating func handleStored(at now: Instant) {
        var hasHandled = false
        while input.mayHaveReady, !isFull,
            limits.mayHandleStored(unsent: unsentCount, hasHandled: hasHandled),
            input.lobby.answerBudget > 0, input.handleNextStored(at: now)
        {
            hasHandled = true
        }
    }

    /// Lets time pass in the lobby as far as the input of all loops was handled.
    ///
    /// So a bid that reached any loop before the hammer is in time.
    private mutating func passTime(at now: Instant) {
        isTimeHeld = false
        switch loops.timeStep(due: input.deadline) {
        case nil, .notDue?: break
        case .expire(let handledUntil)?:
            input.expire(at: now, handledUntil: handledUntil, isPaused: loops.isPaused)
        case .wait(let due)?:
            isTimeHeld = true
            input.outputs.commands += loops.requestReports(until: due)
        }
    }

    // The log

    private mutating func commit() {
        let effects = input.lobby.takeEffects()
        guard !effects.isEmpty else { return }
        if closing?.isAbandoned == true {
            input.outputs.effects += effects.compactMap(\.ifLost)
        } else {
            input.outputs.decided = commits.record(effects) { input.lobby.beginSegment() }
        }
    }

    private mutating func takeDurable() {
        while let batch = commits.takeDurable() { input.outputs.durable.append(batch) }
    }

    /// Records that a batch was published; its countdown, if one begins in it, runs from then.
    public mutating func published(_ batch: Batch, at now: Instant) {
        batch.forEachRoom { room, newest in
            input.lobby.published(in: room, upTo: newest, at: now)
        }
    }

    // The end

    /// Shuts the server down cleanly.
    ///
    /// It refuses new connections, sends `BYE` to everybody, makes everything durable, and sends
    /// what is left.
    public mutating func shutDown(at now: Instant) {
        guard closing == nil else { return }
        closing = Closing(at: now)
        input.endHandshakes(.shutdown)
        input.lobby.shutDown(at: now)
    }

    /// Ends the server because nothing more can be made durable.
    ///
    /// A connection that waits for an answer gets an error, and every connection gets `BYE`.
    private mutating func abandon(at now: Instant) {
        takeDurable()
        input.outputs.effects +=
            (commits.takeLost() + input.lobby.takeEffects()).compactMap(\.ifLost)
        guard closing?.isAbandoned != true else { return }
        closing = Closing(isAbandoned: true, at: now)
        input.endHandshakes(.journal)
        input.lobby.abandon()
        input.outputs.effects += input.lobby.takeEffects()
    }

    private mutating func close(at now: Instant, timeOfDay: Int64) {
        guard var closing else { return }
        if commits.isIdle, closing.signOff() { commits.signOff(at: timeOfDay) }
        let mustDrain = closing.step(
            isLogIdle: commits.isIdle, isDrained: loops.isDrained,
            areAllGone: connectionCount == 0 && !loops.hasUnhandled, at: now)
        if mustDrain { input.outputs.commands += loops.drain() }
        self.closing = closing
    }

    /// Whether the server is ending: then the listeners are closed.
    public var isClosing: Bool { closing != nil }

    /// Whether the server has ended: nothing is left to wait for.
    public var isFinished: Bool { closing?.isFinished == true }

    // What the driver asks

    /// Chooses the loop of a newcomer, and counts it there; nil if it must be refused at once.
    public mutating func placeNewcomer(isLocal: Bool) -> Int? {
        guard let (loop, command) = loops.place(isLocal: isLocal) else { return nil }
        if let command { input.outputs.commands.append(command) }
        return loop
    }

    /// The number of open connections.
    public var connectionCount: Int { loops.connectionCount }

    /// The number of open connections of a loop.
    public func connectionCount(of loop: Int) -> Int { loops.connectionCount(of: loop) }

    /// The current state of the sale in `main`, in brief.
    public var status: SaleStatus { input.lobby.status }

    /// What is on in each room, `main` first.
    public var rooms: [RoomStatus] { input.lobby.rooms }

    /// What the lobby has counted.
    public var figures: LobbyFigures { input.lobby.figures }

    /// Whether every lot of the catalogue of `main` is done.
    public var isOver: Bool { input.lobby.isOver }

    /// The token that makes a client the auctioneer; nil if nobody can be the auctioneer.
    ///
    /// Changing it revokes every auctioneer but those of single rooms.
    public var auctioneerToken: AuctioneerToken? {
        get { input.lobby.auctioneerToken }
        set { input.lobby.auctioneerToken = newValue }
    }

    /// Whether nothing waits for the log.
    package var isLogIdle: Bool { commits.isIdle }
}

/// How much input one step handles, by the number of effects that were not sent yet.
package struct StepLimits: Equatable {
    /// With more effects than this unsent, no more input is handled.
    private let unsentEffects: Int

    /// Sets the limit of unsent effects, which is positive.
    package init(unsentEffects: Int) {
        self.unsentEffects = unsentEffects
    }

    /// The number of lines of long answers after which no answer continues in one step.
    package var answerLines: Int { max(unsentEffects / 4, 1) }

    /// Whether no more input may be handled.
    package func isFull(unsent: Int) -> Bool { unsent > unsentEffects }

    /// Whether stored input of another connection may be handled in this step.
    ///
    /// Stored input takes an eighth of the step: the rest is for connections of which nothing is
    /// stored. `hasHandled` says that some was handled in this step; the first is handled unless the
    /// step is full, so that no connection waits for ever.
    package func mayHandleStored(unsent: Int, hasHandled: Bool) -> Bool {
        !isFull(unsent: unsent) && !(hasHandled && unsent > unsentEffects / 8)
    }
}
