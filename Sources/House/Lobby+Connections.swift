import Auction
import Basics
import Wire

// Connections: how they begin, are greeted, fall behind and end.
extension Lobby {
    /// Adds a new connection, or refuses it; it is greeted after its first line, or a moment later.
    public mutating func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        guard !hasShutDown else { return outputs.perform(.close(id, .shutdown)) }
        let now = advance(to: now)
        rates.forget(at: now)
        if let (error, limit) = rates.refusal(from: address, at: now) {
            return refuse(id, error, limit)
        }
        let place: Session.Place
        switch admission.decide(address, among: sessions, at: now) {
        case .admit(let free): place = free
        case .replace(let silent):
            guard let session = sessions[silent] else { return }
            place = session.place
            outputs.note(.silent)
            if !session.isAdmitted, session.codec.allowsGreeting {
                outputs.refuse(.full, tag: nil, to: silent)
            }
            close(silent, .full, at: now)
        case .refuse: return refuse(id, .full, .full)
        }
        rates.add(address, at: now)
        sessions.insert(Session(from: address, in: place, at: now), for: id)
        admission.add(id, place, among: sessions, at: now)
        greetings.schedule(id, at: now)
    }

    /// Refuses a new connection.
    private mutating func refuse(_ id: SessionID, _ error: ErrorReply, _ limit: LimitReached) {
        outputs.note(limit)
        outputs.refuse(error, tag: nil, to: id)
        outputs.perform(.close(id, .full))
    }

    /// Requests a report with this number when the connection's pending output has been sent.
    public mutating func askToConfirm(_ id: SessionID, number: Int) {
        outputs.perform(.confirm(id, number: number))
    }

    /// Removes a connection that is gone and can be sent nothing.
    public mutating func leave(
        _ id: SessionID, because reason: SessionEvent.Reason = .reset, at now: Instant
    ) {
        let now = advance(to: now)
        guard let session = remove(id, because: reason, at: now), let bidder = session.bidder
        else { return }
        commands.release(bidder, by: id, &rates, at: now, &outputs)
    }

    /// Sends a snapshot to a connection that fell behind the news, after its current answer.
    public mutating func resync(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id) else { return }
        let (bidder, room) = (sessions[slot].bidder, sessions[slot].room)
        commands.resync(id, of: bidder, in: room, at: advance(to: now), &outputs)
    }

    /// Closes all connections because the server ends; no time passes in the lobby after that.
    public mutating func shutDown(at now: Instant) {
        let now = advance(to: now)
        for id in sessions.ids.sorted(by: { $0.rawValue < $1.rawValue }) {
            greetUnlessHTTP(id, at: now)
        }
        closeAll(.shutdown, at: now)
    }

    /// Closes all connections because the log failed.
    ///
    /// Nothing that happened is sent any more, and no snapshot of it.
    public mutating func abandon() {
        closeAll(.journal, at: latest)
    }

    // Greeting

    /// Greets a connection unless its client speaks HTTP, or may be about to.
    mutating func greetUnlessHTTP(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id), sessions[slot].codec.allowsGreeting else { return }
        sessions[slot].codec.expectLines(codecOptions)
        greet(id, at: now)
    }

    /// Greets a new connection with the snapshot, once.
    mutating func greet(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id), !sessions[slot].isAdmitted else { return }
        sessions[slot].isAdmitted = true
        commands.enter(
            sessions[slot].room, on: id, as: sessions[slot].encoding, at: now, &outputs)
    }

    // Closing

    /// Closes a connection, after sending its pending output and the reason.
    mutating func close(
        _ id: SessionID, _ reason: ServerMessage.CloseReason, at now: Instant
    ) {
        commands.breakOffAnswer(to: id, &outputs)
        if let response = sessions[id]?.codec.lastResponse(reason) {
            return close(id, because: .closed(reason), with: response, at: now)
        }
        leave(id, because: .closed(reason), at: now)
        outputs.perform(.close(id, reason))
    }

    /// Closes a connection after its pending output and these bytes, without `BYE`.
    mutating func close(
        _ id: SessionID, because reason: SessionEvent.Reason, with bytes: [UInt8], at now: Instant
    ) {
        leave(id, because: reason, at: now)
        if !bytes.isEmpty { outputs.send(bytes, to: id) }
        outputs.perform(.close(id, nil))
    }

    /// Closes a connection whose name another one has taken over.
    mutating func replace(_ id: SessionID, at now: Instant) {
        commands.breakOffAnswer(to: id, &outputs)
        _ = remove(id, because: .closed(.replaced), at: now)
        outputs.perform(.close(id, .replaced))
    }

    /// Ends a room by order of the auctioneer, and closes the connections in it.
    mutating func end(_ room: RoomID, at now: Instant) {
        for id in sessions.ids.sorted(by: { $0.rawValue < $1.rawValue })
        where sessions[id]?.room == room {
            close(id, .roomEnded, at: now)
        }
        commands.end(room, &rates, at: now, &outputs)
    }

    private mutating func closeAll(_ reason: ServerMessage.CloseReason, at now: Instant) {
        for id in sessions.ids.sorted(by: { $0.rawValue < $1.rawValue }) {
            commands.breakOffAnswer(to: id, &outputs)
            guard let session = sessions[id] else { continue }
            note(.left(.closed(reason)), of: id, session)
            let response = session.codec.lastResponse(reason)
            if let response, !response.isEmpty { outputs.send(response, to: id) }
            outputs.perform(.close(id, response == nil ? reason : nil))
        }
        sessions.removeAll()
        hasShutDown = true
    }

    private mutating func remove(
        _ id: SessionID, because reason: SessionEvent.Reason, at now: Instant
    ) -> Session? {
        guard let session = sessions.remove(id) else { return nil }
        commands.removeAnswer(to: id)
        outputs.remove(id)
        admission.remove(id, session)
        note(.left(reason), of: id, session)
        rates.remove(id, session, at: now)
        if session.isAdmitted {
            commands.leave(session.room, as: session.encoding, at: now)
        }
        return session
    }

    private mutating func note(_ kind: SessionEvent.Kind, of id: SessionID, _ session: Session) {
        outputs.note(kind, of: id, session, in: commands.name(of: session.room))
    }
}
