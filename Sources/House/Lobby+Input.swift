import Auction
import Basics
import Wire

// Input: the bytes of a connection, and what its codec makes of them.
extension Lobby {
    /// Handles bytes from a connection; bytes of one that has ended are dropped.
    ///
    /// If bytes were not taken, pass them again after the pending output was sent, as requested by
    /// `confirm`, and not before `due`. If the connection must wait and all bytes were taken, call
    /// it without bytes in the same way. So at most `Limits.answerLines` replies wait for a
    /// connection. `isConfirmed` is true if everything was sent.
    public mutating func receive(
        _ bytes: Span<UInt8>, from id: SessionID, at now: Instant, isConfirmed: Bool = false
    ) -> Received {
        let now = advance(to: now)
        let all = Received(count: bytes.count, mustWait: false)
        guard let slot = sessions.slot(of: id) else { return all }
        let bytesBefore = outputs.replyBytes
        if isConfirmed { sessions[slot].unconfirmed = 0 }
        outputs.replyLimit =
            bytesBefore + limits.answerBytes - Int(sessions[slot].unconfirmed)
        guard continueAnswer(to: id, at: now) else { return Received(count: 0, mustWait: true) }
        guard sessions.contains(id, in: slot) else { return all }
        let (address, firstEffect) = (sessions[slot].address, outputs.effectCount)
        let allowance = rates.allowance(of: id, sessions[slot], at: now)
        var (lineCount, isUpgraded) = (0, false)
        var codec = takeCodec(at: slot)
        let (endedBefore, wasUnfinished) = (codec.lineCount, codec.isUnfinished)
        let taken = codec.receive(
            bytes, codecOptions, from: sessions[slot].address,
            hasRoom: { commands.room(named: $0) != nil },
            while: {
                lineCount < allowance && outputs.replyBytes < outputs.replyLimit
                    && !commands.isAnswering(id) && !hasLeftSecretRoom(id, at: slot)
            }
        ) { input in
            lineCount += 1
            if case .upgrade = input { isUpgraded = true }
            handle(input, from: id, at: slot, now)
        }
        let hasEnded =
            codec.isHTTP ? lineCount > 0 : isUpgraded || codec.lineCount != endedBefore
        chargeJournal(to: address, since: firstEffect, at: now)
        let isLineNew = !wasUnfinished || hasEnded
        // The session may have ended while its input was handled.
        let isUnfinished = !codec.isHTTP && codec.isUnfinished && sessions.contains(id, in: slot)
        outputs.countReceived(
            bytes: taken, of: id, isUnfinished: isUnfinished, secretIn: takeSecretRoom())
        guard sessions.contains(id, in: slot) else { return all }
        swap(&codec, &sessions[slot].codec)
        rates.spendLines(lineCount, of: id, &sessions[slot], at: now)
        sessions[slot].unconfirmed += Int32(clamping: outputs.replyBytes - bytesBefore)
        lineChecks.schedule(id, at: slot, in: &sessions, isNew: isLineNew, now: now)
        if taken < bytes.count {
            if rates.hasSpentJournal(address, at: now) { outputs.note(.journal) }
            rates.reserveLines(of: id, sessions[slot], at: now)
        }
        let isFull = outputs.replyBytes >= outputs.replyLimit
        return Received(
            count: taken, mustWait: taken < bytes.count || isFull || commands.isAnswering(id))
    }

    /// The result of giving bytes to a connection.
    public struct Received: Equatable, Sendable {
        /// The number of bytes that were taken.
        public let count: Int
        /// Whether the connection's output must be sent before more is read from it.
        ///
        /// True if not all bytes were taken, an answer is incomplete, or too many replies wait.
        public let mustWait: Bool
    }

    /// When the rest of a connection's input may be given again; nil for at once.
    ///
    /// To be asked if `receive` has not taken all bytes.
    public func due(of id: SessionID, at now: Instant) -> Instant? {
        sessions.slot(of: id)
            .flatMap { rates.due(of: id, sessions[$0], at: max(latest, now)) }
    }

    /// Handles the end of a connection's input: an incomplete last line counts as a line.
    ///
    /// The connection ends, unless `isAnswering` is true: then it ends when `receive` completes the
    /// answer.
    public mutating func end(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id) else { return }
        let now = advance(to: now)
        outputs.replyLimit = outputs.replyBytes + limits.answerBytes
        var codec = takeCodec(at: slot)
        let (address, firstEffect) = (sessions[slot].address, outputs.effectCount)
        codec.finish(codecOptions) { input in handle(input, from: id, at: slot, now) }
        chargeJournal(to: address, since: firstEffect, at: now)
        outputs.countReceived(
            bytes: 0, of: id, isUnfinished: false, secretIn: takeSecretRoom())
        guard sessions.contains(id, in: slot) else { return }
        swap(&codec, &sessions[slot].codec)
        greetUnlessHTTP(id, at: now)
        if !commands.endAfterAnswer(to: id) { close(id, .end, at: now) }
    }

    /// Charges an address for the bytes that the effects from an index on add to the journal.
    ///
    /// Also if the connection has ended: many short connections must not evade the limit.
    private mutating func chargeJournal(
        to address: PeerAddress, since firstEffect: Int, at now: Instant
    ) {
        guard rates.countsJournal(of: address) else { return }
        rates.spendJournal(outputs.journalBytes(since: firstEffect), of: address, at: now)
    }

    /// Whether a connection has left the room of the secret commands of this read.
    ///
    /// The lines after that wait for the next read, because all bytes of a read count in one room.
    private func hasLeftSecretRoom(_ id: SessionID, at slot: SessionTable.Slot) -> Bool {
        guard let secretRoom, sessions.contains(id, in: slot) else { return false }
        return sessions[slot].room != secretRoom
    }

    /// Takes the room of the secret commands of a read, unless it has ended meanwhile.
    private mutating func takeSecretRoom() -> RoomID? {
        secretRoom.take().flatMap { commands.rooms.contains($0) ? $0 : nil }
    }

    /// Takes the codec out of its session, so that it is changed in place while input is handled.
    private mutating func takeCodec(at slot: SessionTable.Slot) -> ClientCodec {
        var codec = ClientCodec()
        swap(&codec, &sessions[slot].codec)
        return codec
    }

    /// Handles what a client sent; input after the end of its session is dropped.
    private mutating func handle(
        _ input: ClientCodec.Input, from id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        guard sessions.contains(id, in: slot) else { return }
        switch input {
        case .line(let input): handle(input, from: id, at: slot, now)
        case .upgrade(let response, let room):
            outputs.send(response, to: id)
            sessions[slot].room = commands.room(named: room) ?? .main
            sessions[slot].encoding = .webSocket
            outputs.perform(.use(.webSocket, for: id))
            greet(id, at: now)
        case .http(let response, let opensPage, let isLast):
            if opensPage { greetings.notePage(openedFrom: sessions[slot].address, at: now) }
            // A reserved place is for one response: its next connection may prove a token.
            let isLast = isLast || sessions[slot].isOnTrial
            respond(response, isLast: isLast, to: id, at: now)
        case .metrics(let request):
            let isLast = !request.keepsAlive || sessions[slot].isOnTrial
            sendMetrics(request, isLast: isLast, to: id, at: now)
        case .webSocketEnd(let closing):
            commands.breakOffAnswer(to: id, &outputs)
            close(id, because: .closed(.end), with: closing, at: now)
        }
    }

    /// Sends the response to an HTTP request, which is charged as a long answer.
    private mutating func respond(
        _ response: [UInt8], isLast: Bool, to id: SessionID, at now: Instant
    ) {
        chargeAnswer(response.count / Limits.answerLineBytes, to: id, at: now)
        guard isLast else { return outputs.send(response, to: id) }
        close(id, because: .http, with: response, at: now)
    }

    private mutating func sendMetrics(
        _ request: MetricsRequest, isLast: Bool, to id: SessionID, at now: Instant
    ) {
        chargeAnswer(Limits.metricsBytes / Limits.answerLineBytes, to: id, at: now)
        outputs.sendMetrics(request, to: id)
        if isLast { close(id, because: .http, with: [], at: now) }
    }
}
