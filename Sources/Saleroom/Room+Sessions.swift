import Addresses
import AuctionRules
import Queues
import Wire

extension Room {
    /// Lets a connection in, if there is room; it is greeted when it has said a line, or a moment
    /// later.
    public mutating func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        guard !hasShutDown else { return perform(.close(id, .shutdown)) }
        let now = advance(to: now)
        networks.forget(at: now)
        if let (fault, limit) = refusal(from: address, at: now) {
            return turnAway(id, fault, limit)
        }
        guard let place = findPlace(for: address, at: now) else {
            return turnAway(id, .full, .full)
        }
        countConnection(from: address, at: now)
        var session = Session(
            address: address, joined: now, codec: LineCodec(limit: limits.lineBytes))
        session.place = place
        session.isOnTrial = place == .reserved && address != .local
        places.take(place)
        sessions[id] = session
        // A silent connection in a local place makes no room, because a stranger may not have it.
        if place != .local { noteSilent(id) }
        waiting.insert(id, due: now.advanced(by: Self.greetingPatience))
    }

    /// Hears bytes from a connection; bytes of one that has left are dropped.
    ///
    /// Give the bytes that are not taken again after the pending output was sent, as requested by
    /// `confirm`, and not before `due`. If the connection must wait and all bytes were taken, call
    /// it without bytes in the same way. So at most `limits.answerLines` replies wait for a
    /// connection. `isConfirmed` says that everything was sent.
    public mutating func receive(
        _ bytes: Span<UInt8>, from id: SessionID, at now: Instant, isConfirmed: Bool = false
    ) -> Received {
        let now = advance(to: now)
        let all = Received(count: bytes.count, mustWait: false)
        guard var index = sessions.index(forKey: id) else { return all }
        let bytesBefore = replyBytes
        replyLimit = replyBytes + limits.answerBytes
        replyLimit -= withSession(at: index) { session in
            if isConfirmed { session.unconfirmed = 0 }
            return Int(session.unconfirmed)
        }
        if isAnswering(id) {
            guard continueAnswer(to: id, at: now) else {
                return Received(count: 0, mustWait: true)
            }
            guard let moved = sessions.index(forKey: id) else { return all }
            index = moved
        }
        let allowance = allowance(of: index, at: now)
        var codec = takeCodec(at: index)
        let (lineCount, wasUnfinished) = (codec.lineCount, codec.isUnfinished)
        var heard = Heard()
        let taken = codec.receive(
            bytes,
            while: { heard.count < allowance && replyBytes < replyLimit && !isAnswering(id) }
        ) { input in
            heard.count += 1
            handle(input, from: id, at: now)
        }
        heard.isLineNew = !wasUnfinished || codec.lineCount != lineCount
        heard.replyBytes = replyBytes - bytesBefore
        guard put(codec, backTo: id) else { return all }
        note(heard, of: id, at: now)
        if taken < bytes.count { reserveLines(of: id, at: now) }
        let isFull = replyBytes >= replyLimit
        return Received(count: taken, mustWait: taken < bytes.count || isFull || isAnswering(id))
    }

    /// The result of giving bytes to a connection.
    public struct Received: Equatable, Sendable {
        /// How many of the bytes were taken.
        public let count: Int
        /// Whether the connection's output must be sent before more is read from it.
        ///
        /// True if not all bytes were taken, an answer is incomplete, or too many replies wait.
        public let mustWait: Bool
    }

    /// Asks for a report with this number when the connection's pending output has been sent.
    public mutating func askToConfirm(_ id: SessionID, number: Int) {
        perform(.confirm(id, number: number))
    }

    /// Hears that a connection will say no more: its last line counts, and it hears all its
    /// answers.
    ///
    /// It has left, unless `isAnswering` is true: then it leaves when `receive` completes the
    /// answer.
    public mutating func end(_ id: SessionID, at now: Instant) {
        guard let index = sessions.index(forKey: id) else { return }
        let now = advance(to: now)
        replyLimit = replyBytes + limits.answerBytes
        var codec = takeCodec(at: index)
        codec.finish { input in handle(input, from: id, at: now) }
        guard sessions[id] != nil else { return }
        admit(id, at: now)
        if !isLeavingWithAnswer(id) { dismiss(id, .end, at: now) }
    }

    /// Hears that a connection is gone, and can be told nothing.
    public mutating func leave(
        _ id: SessionID, because reason: SessionEvent.Reason = .reset, at now: Instant
    ) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        answers[id] = nil
        uncount(session)
        sessionEvents.append(SessionEvent(.left(reason), of: id, session))
        let now = advance(to: now)
        giveBackName(of: session, at: now)
        release(session.bidder, by: id, at: now)
    }

    /// Sends a snapshot to a connection that fell behind the news, after its current answer.
    public mutating func resync(_ id: SessionID, at now: Instant) {
        guard sessions[id] != nil else { return }
        guard !snapshotAfterAnswer(to: id) else { return }
        perform(.skip(id))
        replySnapshot(to: id, at: advance(to: now))
    }

    /// Says goodbye to everybody, as the server ends; no time passes in the room after that.
    public mutating func shutDown(at now: Instant) {
        let now = advance(to: now)
        for id in sessions.keys { admit(id, at: now) }
        dismissEverybody(.shutdown)
    }

    /// Says goodbye to everybody, as what has happened cannot be kept: nothing of it is told, a
    /// snapshot of it neither.
    public mutating func abandon() {
        dismissEverybody(.journal)
    }

    /// Greets a newcomer with the snapshot, once.
    mutating func admit(_ id: SessionID, at now: Instant) {
        guard sessions[id]?.isAdmitted == false else { return }
        sessions[id]?.isAdmitted = true
        perform(.admit(id))
        reply(.hello(seconds: rules.seconds, step: rules.step, game: game), to: id)
        replySnapshot(to: id, at: now)
    }

    /// Ends a connection with a word.
    mutating func dismiss(_ id: SessionID, _ farewell: ServerMessage.CloseReason, at now: Instant) {
        breakOffAnswer(to: id)
        leave(id, because: .closed(farewell), at: now)
        perform(.close(id, farewell))
    }

    /// Ends a connection whose name has gone on to another.
    mutating func replace(_ id: SessionID) {
        breakOffAnswer(to: id)
        guard let session = sessions.removeValue(forKey: id) else { return }
        uncount(session)
        sessionEvents.append(SessionEvent(.left(.closed(.replaced)), of: id, session))
        perform(.close(id, .replaced))
    }

    private mutating func dismissEverybody(_ farewell: ServerMessage.CloseReason) {
        for (id, session) in sessions {
            breakOffAnswer(to: id)
            sessionEvents.append(SessionEvent(.left(.closed(farewell)), of: id, session))
            perform(.close(id, farewell))
        }
        (sessions, answers) = ([:], [:])
        hasShutDown = true
    }

    /// Handles what a client sent; input after the end of its session is dropped.
    private mutating func handle(_ input: LineCodec.Input, from id: SessionID, at now: Instant) {
        guard let index = sessions.index(forKey: id) else { return }
        switch input {
        case .request(let request):
            let (isAdmitted, isOnTrial) = noteLine(at: index)
            guard !isOnTrial || isAllowed(request, of: id, at: now) else { return }
            if !isAdmitted { admit(id, at: now) }
            if let request { obey(request, of: id, at: now) }
            if isOnTrial { decideTrial(of: id, after: request, at: now) }
        case .invalid(let error):
            _ = noteLine(at: index)
            refuseLine(ErrorReply(error.reason), tag: error.tag, from: id, at: now)
        case .tooLong:
            sessions.values[index].isSilent = false
            refuseLine(.lineTooLong(limit: limits.lineBytes), tag: nil, from: id, at: now)
        case .negotiation(let answer): perform(.send(answer, to: id))
        case .filler: break
        case .foreign(let other): refuse(other, id, at: now)
        }
    }

    /// Notes that a session sent a line; returns whether it was admitted, and whether it is on trial.
    private mutating func noteLine(
        at index: Dictionary<SessionID, Session>.Index
    ) -> (isAdmitted: Bool, isOnTrial: Bool) {
        withSession(at: index) { session in
            if !session.isOnTrial { session.isSilent = false }
            return (session.isAdmitted, session.isOnTrial)
        }
    }

    /// Answers a line that is no request.
    private mutating func refuseLine(
        _ error: ErrorReply, tag: String?, from id: SessionID, at now: Instant
    ) {
        guard !endTrial(of: id, tag: tag, at: now) else { return }
        admit(id, at: now)
        reply(.error(error, tag: tag), to: id)
    }

    /// Closes the connection of a client that speaks another protocol, with a response in that one.
    private mutating func refuse(
        _ other: LineCodec.ForeignProtocol, _ id: SessionID, at now: Instant
    ) {
        switch other {
        case .http: leave(id, because: .browser, at: now)
        case .tls:
            note(.tls)
            leave(id, because: .tls, at: now)
        }
        perform(.send(other.response, to: id))
        perform(.close(id, nil))
    }

    /// Reads or changes a session in its place: a copy of it costs as much as to hear a short line.
    mutating func withSession<Value>(
        at index: Dictionary<SessionID, Session>.Index, _ body: (inout Session) -> Value
    ) -> Value {
        body(&sessions.values[index])
    }

    /// Takes the codec out of its session while it is at work, so that it is changed in place.
    private mutating func takeCodec(at index: Dictionary<SessionID, Session>.Index) -> LineCodec {
        var codec = LineCodec(limit: limits.lineBytes)
        swap(&codec, &sessions.values[index].codec)
        return codec
    }

    /// Puts the codec back; false if its session has ended meanwhile.
    private mutating func put(_ codec: consuming LineCodec, backTo id: SessionID) -> Bool {
        guard let index = sessions.index(forKey: id) else { return false }
        swap(&codec, &sessions.values[index].codec)
        return true
    }
}
