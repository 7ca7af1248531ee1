import Addresses
import AuctionRules
import Saleroom
import Wire

/// The whole server apart from the kernel: what the loops read goes in, what they send comes out.
///
/// A step handles the input of all loops, lets time advance as far as all input was handled, appends
/// what happened to the log, and returns what is durable. The actor and the simulation drive it in
/// the same way. It reads no clock: the time of a step is an argument.
public struct ServerCore: ~Copyable {
    /// What an operator chooses, beside the room and the log.
    public struct Options: Sendable {
        /// The number of loops; 1 to 256.
        public var loops = 1
        /// With this many connections open, a newcomer is refused at once.
        public var crowd = Int.max
        /// With more effects than this not sent yet, no more input is handled.
        public var mostUnsent = 1 << 13
        /// The addresses whose connections begin with a header of the PROXY protocol.
        public var trustedProxies: [AddressBlock] = []

        /// Makes the options that hold where nothing else is chosen.
        public init() {}
    }

    private var room: Room
    private let commits: CommitQueue
    private let limits: StepLimits
    private var loops: LoopStates
    private var handshakes: ProxyHandshakes
    /// The input that the room has not taken yet.
    private var inputBuffer = InputBuffer()
    private var closing: Closing?
    /// Whether something is due, and other loops have to be read before.
    private var isTimeHeld = false
    /// What the next step returns, as far as it is known.
    private var outputs = StepOutputs()

    /// Makes the core of a server with an open room and its log.
    public init(_ room: consuming Room, _ commits: CommitQueue, _ options: Options) {
        self.room = room
        self.commits = commits
        limits = StepLimits(mostUnsent: options.mostUnsent)
        loops = LoopStates(count: options.loops, crowd: options.crowd)
        handshakes = ProxyHandshakes(trusting: options.trustedProxies)
    }

    // Steps

    /// Handles what the loops read, and returns what to do.
    ///
    /// `timeOfDay` is the time of `now` in milliseconds since 1970. A report whose events are not
    /// empty afterwards was not taken, because events of the loop's last one are not handled: give it
    /// again, with later events at its end.
    public mutating func step(
        _ reports: inout [LoopReport], at now: Instant, timeOfDay: Int64
    ) -> StepOutputs {
        commits.catchUp()
        if commits.failure != nil { abandon(at: now) }
        room.setTimeOfDay(timeOfDay, at: now)
        room.answerBudget = limits.answersPerStep
        inputBuffer.expire(at: now)
        let areTaken = loops.take(&reports) { inputBuffer.sent($0, number: $1) }
        handleStored(at: now)
        while !isFull, let (event, bytes) = loops.nextEvent() { handle(event, bytes, at: now) }
        loops.finishHandling()
        passTime(at: now)
        if room.isStopped { shutDown(at: now) }
        commit()
        takeDurable()
        close(at: now, timeOfDay: timeOfDay)
        outputs.sessionEvents += room.takeSessionEvents()
        outputs.limitsReached = room.takeLimitsReached()
        // A report without events counts too: it says until when its loop has read.
        let hasInput = loops.hasUnhandled || !areTaken || reports.contains(where: \.hasMore)
        outputs.canContinue = !isFull && (hasInput || inputBuffer.mayHaveReady)
        defer { outputs = StepOutputs() }
        return outputs
    }

    /// Whether so much was not sent yet that no more input is handled.
    public var isFull: Bool { limits.isFull(unsent: unsentCount) || loops.isBehind }

    private var unsentCount: Int { commits.waitingCount + room.effectCount }

    /// When the next step is due without input; nil if nothing is.
    public var deadline: Instant? {
        let stored = isFull ? nil : inputBuffer.deadline
        let timed = isTimeHeld || loops.timeStep(due: nil) == nil ? nil : due
        return Instant.earliest(Instant.earliest(stored, timed), closing?.deadline)
    }

    /// When the room or a handshake is next due.
    private var due: Instant? { Instant.earliest(room.deadline, handshakes.deadline) }

    // Input

    private mutating func handle(
        _ event: ConnectionEvents.Event, _ bytes: ArraySlice<UInt8>, at now: Instant
    ) {
        switch event {
        case .joined(let id, let address): welcome(id, from: address, at: now)
        case .refused(let reason):
            outputs.refusals.append(reason)
            outputs.hasFreedDescriptors = true
        case .received(let id, _):
            if !inputBuffer.append(bytes, of: id) { receive(bytes, from: id, at: now) }
        case .ended(let id):
            if !inputBuffer.end(id) { end(id, at: now) }
        case .lost(let id): lose(id, at: now)
        case .fallen(let id): room.resync(id, at: now)
        case .stalled(let id): room.leave(id, because: .stalled, at: now)
        case .paused, .unpaused, .finishing, .drained: break
        }
    }

    /// Lets a connection into the room, after its PROXY header if it is a proxy's.
    private mutating func welcome(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        guard closing == nil, handshakes.begin(id, from: address, at: now) else {
            return join(id, from: address, at: now)
        }
    }

    private mutating func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        outputs.sessionEvents.append(SessionEvent(.connected, of: id, from: address))
        room.join(id, from: address, at: now)
    }

    private mutating func receive(
        _ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant
    ) {
        if handshakes.contains(id) { return receiveHeader(bytes, from: id, at: now) }
        if giveToRoom(bytes, from: id, at: now) { outputs.commands.append(.silence(id)) }
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

    /// Gives the stored input to the room whose time has come, and whose connection was sent its
    /// earlier output.
    ///
    /// It takes a part of the step: the rest is for connections without stored input.
    private mutating func handleStored(at now: Instant) {
        var hasHandled = false
        while !isFull, limits.mayHandleStored(unsent: unsentCount, hasHandled: hasHandled),
            room.answerBudget > 0, let (id, input) = inputBuffer.popReady()
        {
            hasHandled = true
            guard !giveToRoom(input.bytes[...], from: id, at: now, stored: input) else { continue }
            outputs.commands.append(.unsilence(id))
            if input.hasEnded { end(id, at: now) }
        }
    }

    /// Gives bytes to the room, and stores those that it does not take until the connection's
    /// output is sent; false if it took everything and the connection need not wait.
    private mutating func giveToRoom(
        _ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant,
        stored: InputBuffer.Input? = nil
    ) -> Bool {
        let received = room.receive(bytes.span, from: id, at: now, isConfirmed: stored != nil)
        guard received.mustWait else { return false }
        let number = inputBuffer.keep(
            Array(bytes.dropFirst(received.count)), of: id, until: room.due(of: id, at: now),
            hasEnded: stored?.hasEnded ?? false)
        room.askToConfirm(id, number: number)
        return true
    }

    /// Handles the end of a connection's input; the connection stays while its last answer is
    /// incomplete.
    private mutating func end(_ id: SessionID, at now: Instant) {
        if let proxy = handshakes.remove(id) {
            // Proxies check in this way whether the server is there.
            return refuse(id, from: proxy, because: .end)
        }
        room.end(id, at: now)
        guard room.isAnswering(id) else { return }
        room.askToConfirm(id, number: inputBuffer.keep([], of: id, until: nil))
        outputs.commands.append(.silence(id))
    }

    private mutating func lose(_ id: SessionID, at now: Instant) {
        outputs.hasFreedDescriptors = true
        inputBuffer.remove(id)
        if let proxy = handshakes.remove(id) {
            outputs.sessionEvents.append(
                SessionEvent(.handshakeEnded(.reset), of: id, from: proxy))
        } else {
            room.leave(id, at: now)
        }
    }

    private mutating func refuse(
        _ id: SessionID, from proxy: PeerAddress, because reason: SessionEvent.HandshakeEnd
    ) {
        outputs.sessionEvents.append(SessionEvent(.handshakeEnded(reason), of: id, from: proxy))
        outputs.effects.append(.close(id, nil))
    }

    // Time

    /// Lets time pass in the room as far as the input of all loops was handled: a bid that reached
    /// any of them before the hammer is in time.
    private mutating func passTime(at now: Instant) {
        isTimeHeld = false
        switch loops.timeStep(due: due) {
        case nil, .notDue?: break
        case .expire(let handledUntil)?:
            let (loops, inputBuffer) = (loops, inputBuffer)
            room.expire(at: now, handledUntil: handledUntil) { id in
                !inputBuffer.holds(id) && !loops.isPaused(id)
            }
            expireHandshakes(at: handledUntil)
        case .wait(let due)?:
            isTimeHeld = true
            outputs.commands += loops.inquire(until: due)
        }
    }

    private mutating func expireHandshakes(at now: Instant) {
        while let id = handshakes.popDue(at: now) {
            if let proxy = handshakes.remove(id) { refuse(id, from: proxy, because: .late) }
        }
    }

    // Output

    private mutating func commit() {
        let effects = room.takeEffects()
        guard !effects.isEmpty else { return }
        if closing?.isAbandoned == true {
            outputs.effects += effects.compactMap(\.ifLost)
        } else {
            outputs.decided = commits.record(effects) { room.state }
        }
    }

    private mutating func takeDurable() {
        while let batch = commits.takeDurable() { outputs.durable.append(batch) }
    }

    /// Notes that a batch was published: a countdown runs from when its beginning was.
    public mutating func published(_ batch: Batch, at now: Instant) {
        if let newest = batch.newest { room.published(upTo: newest, at: now) }
    }

    // The end

    /// Ends the server in good order: refuses newcomers, sends `BYE` to everybody, makes everything
    /// durable, and sends what is left.
    public mutating func shutDown(at now: Instant) {
        guard closing == nil else { return }
        closing = Closing(at: now)
        closeHandshakes(.shutdown)
        room.shutDown(at: now)
    }

    /// Ends the server because nothing more can be made durable: a connection that waits for an
    /// answer gets an error, and every connection gets `BYE`.
    private mutating func abandon(at now: Instant) {
        takeDurable()
        outputs.effects += (commits.takeLost() + room.takeEffects()).compactMap(\.ifLost)
        guard closing?.isAbandoned != true else { return }
        closing = Closing(isAbandoned: true, at: now)
        closeHandshakes(.journal)
        room.abandon()
        outputs.effects += room.takeEffects()
    }

    private mutating func closeHandshakes(_ reason: ServerMessage.CloseReason) {
        for id in handshakes.removeAll() { outputs.effects.append(.close(id, reason)) }
    }

    private mutating func close(at now: Instant, timeOfDay: Int64) {
        guard var closing else { return }
        if commits.isIdle, closing.signOff() { commits.signOff(at: timeOfDay) }
        let mustDrain = closing.step(
            isLogIdle: commits.isIdle, isDrained: loops.isDrained,
            connectionCount: connectionCount, at: now)
        if mustDrain { outputs.commands += loops.drain() }
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
        if let command { outputs.commands.append(command) }
        return loop
    }

    /// The number of open connections.
    public var connectionCount: Int { loops.connectionCount }

    /// The number of open connections of a loop.
    public func connectionCount(of loop: Int) -> Int { loops.connectionCount(of: loop) }

    /// How the sale stands.
    public var standing: Room.Standing { room.standing }

    /// Whether every lot of the catalogue is done.
    public var isOver: Bool { room.isOver }

    /// The token that proves the auctioneer; nil if nobody can be it.
    ///
    /// Changing it revokes every auctioneer.
    public var auctioneerToken: AuctioneerToken? {
        get { room.auctioneerToken }
        set { room.auctioneerToken = newValue }
    }

    /// The number of connections with stored input.
    package var storedInputCount: Int { inputBuffer.count }
}

// What the simulation looks at.
extension ServerCore {
    /// The number of events of a loop that are not handled.
    package func unhandledCount(of loop: Int) -> Int { loops.unhandledCount(of: loop) }

    /// The loop whose events the next step handles first; the others follow in order.
    package var firstLoop: Int { loops.current }

    /// Everything that arrived on any loop until this instant is handled; nil before that is known.
    package var handledUntil: Instant? { loops.handledUntil }

    /// Whether nothing waits for the log.
    package var isIdle: Bool { commits.isIdle }

    /// Whether something is due, and other loops have to be read before.
    package var isWaitingForLoops: Bool { isTimeHeld }

    /// When the room is next due.
    package var roomDeadline: Instant? { room.deadline }

    /// The lines of the log from which the sale can continue.
    package var state: [(record: Record, number: Int?)] { room.state }

    /// When the time of stored input comes next.
    package var storedInputDeadline: Instant? { inputBuffer.deadline }

    /// The connection whose stored input a step at this instant handles first, if it is not full.
    ///
    /// The count is that of its bytes; 0 if an answer to it continues first.
    package mutating func nextReadyInput(at now: Instant) -> (id: SessionID, byteCount: Int)? {
        inputBuffer.expire(at: now)
        guard let id = inputBuffer.firstReady() else { return nil }
        return (id, room.isAnswering(id) ? 0 : inputBuffer.byteCount(of: id))
    }

    /// The number of bytes stored for a connection.
    package func storedByteCount(of id: SessionID) -> Int { inputBuffer.byteCount(of: id) }
}
