import Auction
import Basics
import Wire

// Requests: what the lines of clients ask for, and the answers.
extension Lobby {
    /// The number of lines of an answer that are charged as one line of the client.
    private static let linesPerCharge = 10

    mutating func handle(
        _ input: LineCodec.Input, from id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        switch input {
        case .request(let request): handle(request, from: id, at: slot, now)
        case .invalid(let error):
            if !sessions[slot].isOnTrial { sessions[slot].isSilent = false }
            refuseLine(ErrorReply(error.reason), tag: error.tag, from: id, at: slot, now)
        case .tooLong:
            sessions[slot].isSilent = false
            refuseLine(.lineTooLong(limit: limits.lineBytes), tag: nil, from: id, at: slot, now)
        case .negotiation(let answer): outputs.send(answer, to: id)
        case .filler: break
        case .foreign(let other): refuse(other, id, at: now)
        }
    }

    private mutating func handle(
        _ request: Request?, from id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        let isOnTrial = sessions[slot].isOnTrial
        if isOnTrial {
            let isProof = commands.proves(request, sessions[slot])
            guard admission.allows(request, isProof: isProof, of: id, &sessions[slot]) else {
                return endTrial(of: id, tag: request?.tag, at: now)
            }
        } else {
            sessions[slot].isSilent = false
        }
        if !sessions[slot].isAdmitted { greet(id, at: now) }
        execute(request, of: id, at: slot, now)
        guard isOnTrial, let slot = sessions.slot(of: id), sessions[slot].isOnTrial,
            !admission.keeps(id, &sessions[slot], after: request)
        else { return }
        outputs.note(.full)
        close(id, .full, at: now)
    }

    /// Closes a connection in a reserved place that sent anything but a token.
    private mutating func endTrial(of id: SessionID, tag: String?, at now: Instant) {
        outputs.note(.full)
        outputs.refuse(.full, tag: tag, to: id)
        close(id, .full, at: now)
    }

    /// Answers a line that is no request.
    private mutating func refuseLine(
        _ error: ErrorReply, tag: String?, from id: SessionID, at slot: SessionTable.Slot,
        _ now: Instant
    ) {
        guard !sessions[slot].isOnTrial else { return endTrial(of: id, tag: tag, at: now) }
        greet(id, at: now)
        outputs.refuse(error, tag: tag, to: id)
    }

    /// Closes the connection of a client of another protocol, with a response in that protocol.
    private mutating func refuse(
        _ other: LineCodec.ForeignProtocol, _ id: SessionID, at now: Instant
    ) {
        switch other {
        case .http: close(id, because: .http, with: other.response, at: now)
        case .tls:
            outputs.note(.tls)
            close(id, because: .tls, with: other.response, at: now)
        }
    }

    // Commands

    /// Executes a request, if there is one, and answers it with exactly one `OK` or `ERROR`.
    private mutating func execute(
        _ request: Request?, of id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        if case .offer(let offer, let lot)? = request?.command {
            // Before all others, because reading these in place makes an offer cheaper.
            let (bidder, room, encoding) = sessions.bidderRoomAndEncoding(in: slot)
            beginOffer(offer, in: room)
            outputs.figures.commands += 1
            commands.offer(
                offer, onLot: lot, tag: request?.tag, by: bidder, on: id, in: room, as: encoding,
                at: now, &outputs)
            outputs.endSecret()
            return commands.freeWaiting(of: room, &rates, at: now, &outputs)
        }
        guard let request else { return }
        let room = sessions[slot].room
        outputs.figures.commands += 1
        let outcome = commands.execute(
            request, of: id, &sessions[slot], &rates, at: now, &outputs)
        commands.freeWaiting(of: room, &rates, at: now, &outputs)
        switch outcome {
        case .answered: break
        case .answering: continueAnswer(to: id, at: now)
        case .changeEncoding(let encoding):
            commands.changeEncoding(
                from: sessions[slot].encoding, to: encoding, in: room, at: now)
            sessions[slot].encoding = encoding
            outputs.perform(.use(encoding, for: id))
        case .close(let id, let reason): close(id, reason, at: now)
        case .replace(let former): replace(former, at: now)
        case .end(let room): end(room, at: now)
        case .stop:
            isStopped = true
            shutDown(at: now)
        }
    }

    /// Counts an offer apart if it is secret; `Outputs.endSecret` follows.
    private mutating func beginOffer(_ offer: Request.Offer, in room: RoomID) {
        guard commands.rooms[room].isSecret(offer) else { return }
        secretRoom = room
        outputs.beginSecret(in: room)
    }

    // Long answers

    /// The number of lines of long answers that may still be sent in this step.
    ///
    /// The owner sets it at the beginning of each step.
    public var answerBudget: Int {
        get { commands.answerBudget }
        set { commands.answerBudget = newValue }
    }

    /// Whether an answer to a connection is incomplete; until it is complete, nothing is read.
    public func isAnswering(_ id: SessionID) -> Bool { commands.isAnswering(id) }

    /// Sends the next part of the answer to a connection; false if it is still incomplete.
    @discardableResult
    mutating func continueAnswer(to id: SessionID, at now: Instant) -> Bool {
        guard commands.isAnswering(id), let slot = sessions.slot(of: id) else { return true }
        let (bidder, room, _) = sessions.bidderRoomAndEncoding(in: slot)
        switch commands.continueAnswer(to: id, of: bidder, in: room, at: now, &outputs) {
        case .none: return true
        case .incomplete(let lines):
            chargeAnswer(lines, to: id, at: now)
            return false
        case .complete(let answer, let lines):
            chargeAnswer(lines, to: id, at: now)
            if answer.needsSnapshot { resync(id, at: now) }
            if answer.isLast { close(id, .end, at: now) }
            return true
        }
    }

    mutating func chargeAnswer(_ lines: Int, to id: SessionID, at now: Instant) {
        let charge = lines / Self.linesPerCharge
        guard charge > 0, let slot = sessions.slot(of: id) else { return }
        rates.spendLines(charge, of: id, &sessions[slot], at: now)
    }
}
