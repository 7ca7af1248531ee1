import Auction
import Basics
import Wire

/// The lobby, and the path of all input to it.
///
/// The input of a trusted proxy begins with a PROXY header. Input that the lobby does not take yet is
/// stored, and its connection is not read from meanwhile.
package struct InputHandler: ~Copyable {
    /// The lobby that takes the input.
    package internal(set) var lobby: Lobby
    /// What the driver is asked to do, since the outputs were last taken.
    var outputs = StepOutputs()
    private var handshakes: ProxyHandshakes
    /// The input that the lobby has not taken yet.
    private var buffer = InputBuffer()

    init(_ lobby: consuming Lobby, trusting proxies: [AddressBlock]) {
        self.lobby = lobby
        handshakes = ProxyHandshakes(trusting: proxies)
    }

    /// When the lobby or a handshake is next due.
    var deadline: Instant? { Instant.earliest(lobby.deadline, handshakes.deadline) }

    /// When the time of stored input comes next.
    var storedInputDeadline: Instant? { buffer.deadline }

    /// Whether some stored input may be ready.
    var mayHaveReady: Bool { buffer.mayHaveReady }

    /// The number of connections with stored input.
    package var storedInputCount: Int { buffer.count }

    /// Removes and returns what the driver is asked to do.
    mutating func takeOutputs() -> StepOutputs {
        outputs.sessionEvents += lobby.takeSessionEvents()
        outputs.limitsReached = lobby.takeLimitsReached()
        defer { outputs = StepOutputs() }
        return outputs
    }

    // Events

    /// Handles an event; `bytes` are those of a `received` event.
    mutating func handle(
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

    private mutating func receive(
        _ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant
    ) {
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

    /// Records that a connection has been sent its output up to a confirmation request.
    mutating func sent(_ id: SessionID, number: Int) {
        buffer.sent(id, number: number)
    }

    /// Records the stored input whose time has come.
    mutating func expireStored(at now: Instant) {
        buffer.expire(at: now)
    }

    /// Gives the input that has been ready for longest to the lobby; false if none is ready.
    mutating func handleNextStored(at now: Instant) -> Bool {
        guard let (id, input) = buffer.popReady() else { return false }
        if !giveToLobby(input.bytes[...], from: id, at: now, stored: input) {
            outputs.commands.append(.unsilence(id))
            if input.hasEnded { end(id, at: now) }
        }
        return true
    }

    // Time and the end

    /// Does what is due in the lobby and among the handshakes.
    ///
    /// All input that arrived until `handledUntil` is handled or stored; `isPaused` tells whether a
    /// connection is not read from.
    mutating func expire(
        at now: Instant, handledUntil: Instant, isPaused: (SessionID) -> Bool
    ) {
        let buffer = buffer
        lobby.expire(at: now, handledUntil: handledUntil) { id in
            !buffer.holds(id) && !isPaused(id)
        }
        while let id = handshakes.popDue(at: handledUntil) {
            if let proxy = handshakes.remove(id) { refuse(id, from: proxy, because: .late) }
        }
    }

    /// Closes the connections whose handshake is under way; no other one begins.
    mutating func endHandshakes(_ reason: ServerMessage.CloseReason) {
        for id in handshakes.end() { outputs.effects.append(.close(id, reason)) }
    }
}
