import Auction
import Basics
import Wire

/// The whole server apart from the kernel: what the loops read goes in, what they send comes out.
///
/// A step handles the input of all loops, lets time advance as far as all input was handled,
/// appends what happened to the journal, and returns what is durable. The actor and the simulation
/// drive it in the same way. It reads no clock: the time of a step is an argument.
///
/// The input of a trusted proxy begins with a PROXY header. Input that the lobby does not take yet
/// is stored, and its connection is not read from meanwhile.
public struct House: ~Copyable {
    /// What an operator chooses, beside the lobby and the journal.
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

    /// The connections, their names and their rooms.
    package var lobby: Lobby
    /// What is known of the loops.
    package private(set) var loops: LoopStates
    /// What waits for the journal.
    package let commits: CommitQueue
    /// With more effects than this not sent yet, no more input is handled.
    private let unsentLimit: Int
    private var handshakes: ProxyHandshakes
    /// The input that the lobby has not taken yet.
    package private(set) var buffer = InputBuffer()
    /// The outputs since the last step.
    private var outputs = StepOutputs()
    private var closing: Closing?
    /// Whether something is due, and other loops must be read first.
    package private(set) var isTimeHeld = false

    /// Makes a server of an open lobby and its journal.
    public init(_ lobby: consuming Lobby, _ commits: CommitQueue, _ options: Options) {
        (self.lobby, self.commits) = (lobby, commits)
        unsentLimit = options.unsentEffectLimit
        loops = LoopStates(count: options.loops, openLimit: options.openLimit)
        handshakes = ProxyHandshakes(trusting: options.trustedProxies)
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
        lobby.setTimeOfDay(timeOfDay, at: now)
        lobby.answerBudget = max(unsentLimit / 4, 1)
        buffer.expire(at: now)
        let areTaken = loops.take(&reports) { buffer.sent($0, number: $1) }
        handleStored(at: now)
        while !isFull, let (event, bytes) = loops.nextEvent() { handle(event, bytes, at: now) }
        for id in lobby.finishNodes(&outputs) { buffer.release(id) }
        loops.finishHandling()
        passTime(at: now)
        if lobby.isStopped { shutDown(at: now) }
        commit()
        takeDurable()
        close(at: now, timeOfDay: timeOfDay)
        // A report without events counts too: it has the instant until which its loop was read.
        let hasInput = loops.hasUnhandled || !areTaken || reports.contains(where: \.hasMore)
        outputs.canContinue = !isFull && (hasInput || buffer.mayHaveReady)
        outputs.sessionEvents += lobby.takeSessionEvents()
        outputs.limitsReached = lobby.takeLimitsReached()
        defer { outputs = StepOutputs() }
        return outputs
    }

    /// Whether so much was not sent yet that no more input is handled.
    public var isFull: Bool { unsentCount > unsentLimit || loops.hasBacklog }

    private var unsentCount: Int { commits.waitingCount + lobby.effectCount }

    /// When the next step is due without input; nil if nothing is.
    public var deadline: Instant? {
        let stored = isFull ? nil : buffer.deadline
        let timed = isTimeHeld || loops.timeStep(due: nil) == nil ? nil : timeDeadline
        return Instant.earliest(Instant.earliest(stored, timed), closing?.deadline)
    }

    // Time

    private var timeDeadline: Instant? {
        Instant.earliest(lobby.deadline, handshakes.deadline)
    }

    /// Lets time pass as far as the input of all loops was handled.
    ///
    /// So a bid that reached any loop before the hammer is in time.
    private mutating func passTime(at now: Instant) {
        isTimeHeld = false
        switch loops.timeStep(due: timeDeadline) {
        case nil, .notDue?: break
        case .expire(let handledUntil)?:
            let (buffer, loops) = (buffer, loops)
            lobby.expire(at: now, handledUntil: handledUntil) { id in
                !buffer.holds(id) && !loops.isPaused(id)
            }
            while let id = handshakes.popDue(at: handledUntil) {
                if let proxy = handshakes.remove(id) { refuse(id, from: proxy, because: .late) }
            }
        case .wait(let due)?:
            isTimeHeld = true
            outputs.commands += loops.requestReports(until: due)
        }
    }

    // Events

    /// Handles an event; `bytes` are those of a `received` event.
    private mutating func handle(
        _ event: ConnectionEvents.Event, _ bytes: ArraySlice<UInt8>, at now: Instant
    ) {
        switch event {
        case .joined(let id, let address):
            if !handshakes.begin(id, from: address, at: now) { join(id, from: address, at: now) }
        case .refused(let reason):
            outputs.refusals.append(reason)
            outputs.hasFreedDescriptors = true
        case .received(let id, _):
            if !buffer.append(bytes, of: id) { receive(bytes, from: id, at: now) }
        case .ended(let id):
            if !buffer.end(id) { end(id, at: now) }
        case .lost(let id): lose(id, at: now)
        case .fallen(let id): lobby.resync(id, at: now)
        case .stalled(let id): lobby.leave(id, because: .stalled, at: now)
        case .paused, .unpaused, .finishing, .drained: break
        }
    }

    private mutating func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        outputs.sessionEvents.append(SessionEvent(.connected, of: id, from: address))
        lobby.join(id, from: address, at: now)
    }

    private mutating func receive(_ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant) {
        if handshakes.contains(id) { return receiveHeader(bytes, from: id, at: now) }
        if giveToLobby(bytes, from: id, at: now) { outputs.commands.append(.silence(id)) }
    }

    private mutating func receiveHeader(
        _ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant
    ) {
        switch handshakes.receive(bytes, from: id) {
        case .incomplete: break
        case .complete(let address, let rest):
            join(id, from: address, at: now)
            if !rest.isEmpty { receive(rest, from: id, at: now) }
        case .invalid(let proxy): refuse(id, from: proxy, because: .invalid)
        }
    }

    /// Gives bytes to the lobby; stores those that it does not take until the output is sent.
    ///
    /// False if it took everything and the connection need not wait.
    private mutating func giveToLobby(
        _ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant,
        stored: InputBuffer.Input? = nil
    ) -> Bool {
        let received = lobby.receive(bytes.span, from: id, at: now, isConfirmed: stored != nil)
        guard received.mustWait else { return false }
        let number = buffer.keep(
            Array(bytes.dropFirst(received.count)), of: id, until: lobby.due(of: id, at: now),
            hasEnded: stored?.hasEnded ?? false)
        lobby.askToConfirm(id, number: number)
        return true
    }

    /// Handles the end of a connection's input; the connection stays while its last answer is
    /// incomplete.
    private mutating func end(_ id: SessionID, at now: Instant) {
        if let proxy = handshakes.remove(id) {
            // Proxies check in this way whether the server is there.
            return refuse(id, from: proxy, because: .end)
        }
        lobby.end(id, at: now)
        guard lobby.isAnswering(id) else { return }
        lobby.askToConfirm(id, number: buffer.keep([], of: id, until: nil))
        outputs.commands.append(.silence(id))
    }

    private mutating func lose(_ id: SessionID, at now: Instant) {
        outputs.hasFreedDescriptors = true
        buffer.remove(id)
        if let proxy = handshakes.remove(id) {
            outputs.sessionEvents.append(
                SessionEvent(.handshakeEnded(.reset), of: id, from: proxy))
        } else {
            lobby.leave(id, at: now)
        }
    }

    private mutating func refuse(
        _ id: SessionID, from proxy: PeerAddress, because reason: SessionEvent.HandshakeEnd
    ) {
        outputs.sessionEvents.append(SessionEvent(.handshakeEnded(reason), of: id, from: proxy))
        outputs.effects.append(.close(id, nil))
    }

    // Stored input

    /// Handles stored input that is ready, longest first.
    ///
    /// It takes an eighth of the step, so that the rest is for connections without stored input.
    /// The first is handled in any case, so that no connection waits for ever.
    private mutating func handleStored(at now: Instant) {
        var hasHandled = false
        while !isFull, !hasHandled || unsentCount <= unsentLimit / 8, lobby.answerBudget > 0,
            let (id, input) = buffer.popReady()
        {
            hasHandled = true
            if !giveToLobby(input.bytes[...], from: id, at: now, stored: input) {
                outputs.commands.append(.unsilence(id))
                if input.hasEnded { end(id, at: now) }
            }
        }
    }

    // The journal

    private mutating func commit() {
        let effects = lobby.takeEffects()
        guard !effects.isEmpty else { return }
        if closing?.isAbandoned == true {
            outputs.effects += effects.compactMap(\.ifLost)
        } else {
            outputs.decided = commits.record(effects) { lobby.beginSegment() }
        }
    }

    private mutating func takeDurable() {
        while let batch = commits.takeDurable() { outputs.durable.append(batch) }
    }

    /// Records that a batch was published; its countdown, if one begins in it, runs from then.
    public mutating func published(_ batch: Batch, at now: Instant) {
        batch.forEachRoom { room, newest in
            lobby.published(in: room, upTo: newest, at: now)
        }
    }

    // Other nodes

    /// Applies entries of a room that another node owns; false if they cannot be applied.
    package mutating func follow(_ followed: FollowedEntries, at now: Instant) -> Bool {
        commit()
        let isApplied = lobby.follow(followed, at: now)
        var effects = lobby.takeEffects()
        let isNews = !lobby.isCatchingUp
        // The tables of a class have what happened before, too.
        if !isNews, lobby.classPlan == nil { effects.removeAll { !$0.concernsRooms } }
        commits.follow(effects, isNews: isNews)
        lobby.leaveForOtherNodes()
        return isApplied
    }

    /// Whether nothing becomes durable for now: requests that would change a room are refused.
    package var isUnavailable: Bool {
        get { lobby.isUnavailable }
        set {
            guard newValue != isUnavailable else { return }
            // What was decided since the last step waits for the log too.
            commit()
            lobby.setUnavailable(newValue, waiting: newValue ? commits.waitingSessions : [])
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
        endHandshakes(.shutdown)
        lobby.shutDown(at: now)
    }

    /// Ends the server because nothing more can be made durable.
    ///
    /// A connection that waits for an answer gets an error, and every connection gets `BYE`.
    ///
    /// A node of several gives no answer: what it has sent to the log of all may be there.
    private mutating func abandon(at now: Instant) {
        takeDurable()
        let lost = (commits.takeLost() + lobby.takeEffects()).compactMap(\.ifLost)
        outputs.effects += lobby.isNode ? lost.filter { !$0.isReply } : lost
        guard closing?.isAbandoned != true else { return }
        closing = Closing(isAbandoned: true, at: now)
        endHandshakes(lobby.reasonOfLoss)
        lobby.abandon()
        outputs.effects += lobby.takeEffects()
    }

    private mutating func close(at now: Instant, timeOfDay: Int64) {
        guard var closing else { return }
        if commits.isIdle, !lobby.isNode, closing.endLog() { commits.endLog(at: timeOfDay) }
        let mustDrain = closing.step(
            isLogIdle: commits.isIdle || isUnavailable, isDrained: loops.isDrained,
            areAllGone: loops.connectionCount == 0 && !loops.hasUnhandled, at: now)
        if mustDrain { outputs.commands += loops.drain() }
        self.closing = closing
    }

    /// Whether the server is ending: then the listeners are closed.
    public var isClosing: Bool { closing != nil }

    /// Whether the server has ended: nothing is left to wait for.
    public var isFinished: Bool { closing?.isFinished == true }

    /// Closes the connections whose handshake is under way; no other one begins.
    private mutating func endHandshakes(_ reason: ServerMessage.CloseReason) {
        for id in handshakes.end() { outputs.effects.append(.close(id, reason)) }
    }

    // What the caller asks

    /// Chooses the loop of a newcomer, and counts it there; nil if it must be refused at once.
    public mutating func placeNewcomer(isLocal: Bool) -> Int? {
        guard let (loop, command) = loops.place(isLocal: isLocal) else { return nil }
        if let command { outputs.commands.append(command) }
        return loop
    }
}

/// What a step asks its caller to do.
///
/// The caller first publishes `durable`, batch by batch, and calls `House.published` after each;
/// then it performs `effects` and `commands`.
public struct StepOutputs {
    /// What the step decided; it is published in a later step if it is not durable yet.
    package internal(set) var decided: Batch?
    /// The batches that are durable by now, in order.
    public internal(set) var durable: [Batch] = []
    /// Effects that depend on nothing in the journal, in order.
    public internal(set) var effects: [Effect] = []
    /// What the loops do beside sending.
    public internal(set) var commands: [LoopCommand] = []
    /// The messages to other nodes, in order; one that `isDependent` waits for the journal.
    public internal(set) var messages: [(node: String, message: NodeMessage)] = []
    /// The claims to be made.
    public internal(set) var claims: [NodeClaim] = []
    /// The events of connections for the server's log.
    public internal(set) var sessionEvents: [SessionEvent] = []
    /// How often each limit refused something.
    public internal(set) var limitsReached: [LimitReached: Int] = [:]
    /// Why connections could not be taken over.
    public internal(set) var refusals: [String] = []
    /// Whether a connection is gone, so that there may be a free descriptor.
    public internal(set) var hasFreedDescriptors = false
    /// Whether the next step can handle something without waiting.
    public internal(set) var canContinue = false

    init() {}
}

/// The shutdown of a server.
///
/// First everything that waits for the journal becomes durable, and a last entry with the time
/// proves that. Then everything is sent to the connections, and the clients have a short time to
/// close their sides first.
package struct Closing {
    /// How long the connections have to read what was sent.
    private static let readingTime = Duration.seconds(1)
    /// How long they have, once all is sent, to close their sides first.
    private static let closingTime = Duration.milliseconds(200)

    /// Whether nothing more can be made durable.
    package let isAbandoned: Bool
    /// When the server ends in any case.
    package private(set) var deadline: Instant
    /// Whether the server ends now.
    package private(set) var isFinished = false
    private var isLogEnded = false
    private var isDrainAsked = false
    private var isFlushed = false

    package init(isAbandoned: Bool = false, at now: Instant) {
        self.isAbandoned = isAbandoned
        deadline = now.advanced(by: Self.readingTime)
    }

    /// Whether to append the last entry, now that nothing waits for the journal; true once.
    package mutating func endLog() -> Bool {
        guard !isLogEnded, !isAbandoned else { return false }
        isLogEnded = true
        return true
    }

    /// Advances by what has happened.
    ///
    /// Returns whether all loops must be asked for a report when everything is sent. `areAllGone`
    /// is true if no connection is open and everything from them is handled.
    package mutating func step(
        isLogIdle: Bool, isDrained: Bool, areAllGone: Bool, at now: Instant
    ) -> Bool {
        let isWaiting = !isLogIdle && !isAbandoned
        var mustDrain = false
        if isWaiting {
            deadline = now.advanced(by: Self.readingTime)
        } else if !isDrainAsked {
            (isDrainAsked, mustDrain) = (true, true)
        } else if isDrained, !isFlushed {
            isFlushed = true
            deadline = min(deadline, now.advanced(by: Self.closingTime))
        }
        isFinished = areAllGone && !isWaiting || now >= deadline
        return mustDrain
    }
}
