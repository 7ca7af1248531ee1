import Basics
import House
import Web
import Wire

// How connections begin, and their places.
extension Oracle {
    /// Requires that a newcomer is refused at once exactly if there is a crowd, and no finishing
    /// connection can be closed for it.
    func checkPlacing(isRefused: Bool) {
        let isCrowd = usage.openCount >= terms.openLimit
        let loop = usage.finishing.indices.first {
            usage.closingCounts[$0] < usage.finishing[$0].count
        }
        if isRefused != (isCrowd && loop == nil) {
            let facts = "\(usage.openCount) of \(terms.openLimit) are open"
            report(
                isRefused ? .spared : .limited, "\(facts), and a newcomer is refused: \(isRefused)")
        }
        guard !isRefused else { return count(.refusedInCrowd) }
        usage.openCount += 1
        if isCrowd, let loop {
            usage.closingCounts[loop] += 1
            count(.madeRoom)
        }
    }

    /// Counts the connections that closed or began to finish, as the report tells the house.
    func countClosings(in events: ArraySlice<ConnectionEvents.Event>) {
        for event in events {
            switch event {
            case .lost(let id):
                usage.openCount -= 1
                if usage.finishing[id.loop].remove(id) != nil {
                    usage.closingCounts[id.loop] = max(usage.closingCounts[id.loop] - 1, 0)
                }
            case .refused: usage.openCount -= 1
            case .finishing(let id): usage.finishing[id.loop].insert(id)
            default: break
            }
        }
    }

    /// Takes the events that a step handled: each connection joins once, at its client's address,
    /// when its PROXY header is complete, or is refused for the right reason.
    func check(
        _ events: [ConnectionEvents.Event], _ outputs: StepOutputs, isClosing: Bool,
        at now: Duration, connection: (SessionID) -> Connection?
    ) {
        var expected: [SessionEvent] = []
        var failures = 0
        for event in events {
            switch event {
            case .joined(let id, _):
                connection(id).map { expected += join($0, isClosing: isClosing, at: now) }
            case .received(let id, let count):
                guard let connection = connection(id) else { break }
                connection.input.noteHandled(count)
                expected += receiveHeader(count, of: connection, at: now)
            case .ended(let id):
                connection(id).map { expected += endHandshake(of: $0, because: .end) }
            case .lost(let id):
                connection(id).map { expected += endHandshake(of: $0, because: .reset) }
            case .refused:
                failures += 1
                count(.failedSocket)
            case .fallen, .paused, .unpaused, .finishing, .stalled, .drained: break
            }
        }
        if outputs.refusals.count != failures { report(.handshakes, "\(outputs.refusals)") }
        guard !isClosing else { return }
        for event in outputs.sessionEvents where event.kind == .handshakeEnded(.late) {
            connection(event.id).map { checkLate($0) }
        }
        let seen = outputs.sessionEvents.filter { $0.isBeginning }
        if seen != expected { report(.handshakes, "\(seen) instead of \(expected)") }
    }

    private func join(
        _ connection: Connection, isClosing: Bool, at now: Duration
    ) -> [SessionEvent] {
        // A server that ends expects no header, and gives nobody a place.
        if isClosing {
            connection.stage = .joined(now)
            return []
        }
        guard let header = connection.header else { return admit(connection, at: now) }
        connection.stage = .handshake(left: header.decisiveCount, since: now)
        count(.header)
        return []
    }

    private func admit(_ connection: Connection, at now: Duration) -> [SessionEvent] {
        connection.stage = .joined(now)
        usage.places.append(connection)
        let address = connection.header?.source ?? connection.client.address
        return [SessionEvent(.connected, of: connection.id, from: address)]
    }

    private func receiveHeader(
        _ count: Int, of connection: Connection, at now: Duration
    ) -> [SessionEvent] {
        guard case .handshake(let left, let since) = connection.stage else { return [] }
        if left > count {
            self.count(.splitHeader)
            connection.stage = .handshake(left: left - count, since: since)
            return []
        }
        guard connection.header?.source != nil else {
            return endHandshake(of: connection, because: .invalid)
        }
        if connection.header?.source == Header.proxy { self.count(.unknownHeader) }
        return admit(connection, at: now)
    }

    private func endHandshake(
        of connection: Connection, because reason: SessionEvent.HandshakeEnd
    ) -> [SessionEvent] {
        guard case .handshake = connection.stage else { return [] }
        connection.stage = .none
        switch reason {
        case .invalid: count(.invalidHeader)
        case .late: count(.lateHeader)
        case .end: count(.closedInHeader)
        case .reset: count(.brokenInHeader)
        }
        return [SessionEvent(.handshakeEnded(reason), of: connection.id, from: Header.proxy)]
    }

    private func checkLate(_ connection: Connection) {
        guard case .handshake(_, let since) = connection.stage,
            handledUntil - since >= ProxyHandshakes.headerTime
        else { return report(.spared, "\(connection.client.name) had time for its header") }
        _ = endHandshake(of: connection, because: .late)
    }

    /// Requires that nothing is sent to a connection before it has joined.
    func checkJoined(_ effect: Effect, _ connection: Connection?) {
        guard let connection else { return }
        switch effect {
        case .reply, .restate, .follow, .send:
            connection.isGreeted = true
            if case .joined = connection.stage { break }
            report(.handshakes, "\(connection.client.name) receives \(effect) before it joined")
        default: break
        }
    }

    /// Frees the places of lost connections, which leaves no more than there may be.
    func freePlaces(of lost: Set<SessionID>) {
        usage.places.removeAll { lost.contains($0.id) }
        let networks = usage.places.map(\.network)
        let fullest = Set(networks).map { network in networks.count { $0 == network } }.max() ?? 0
        if networks.count > terms.limits.connections ?? .max {
            report(.limited, "\(networks.count) are connected")
        }
        if fullest > terms.limits.connectionsPerAddress ?? .max {
            report(.limited, "\(fullest) are connected from one address")
        }
    }

    /// Requires that there are as many others as may be, or came before one from the same address.
    ///
    /// A silent connection makes room for a newcomer, so the order matters only for one address.
    func turnAway(_ connection: Connection, _ fault: ErrorReply) {
        connection.isTurnedAway = true
        // Without a place it joined in the step in which the server ended.
        guard let index = usage.places.firstIndex(where: { $0 === connection }) else { return }
        usage.places.remove(at: index)
        let before = usage.places[..<index]
        let isReached =
            fault == .full
            ? usage.places.count >= terms.limits.connections ?? .max
            : before.count { $0.network == connection.network }
                >= terms.limits.connectionsPerAddress ?? .max
        if !isReached { report(.spared, "\(connection.client.name) is turned away: \(fault)") }
    }
}

extension SessionEvent {
    /// Whether a connection joins by it, or is refused before, in time.
    fileprivate var isBeginning: Bool {
        switch kind {
        case .connected, .handshakeEnded(.invalid), .handshakeEnded(.end), .handshakeEnded(.reset):
            true
        default: false
        }
    }
}

extension Connection {
    /// The network whose limits it counts against.
    var network: PeerAddress { (header?.source ?? client.address).network }

    /// Whether the server has seen what may begin an HTTP request, and does not greet: `OP` is the
    /// beginning of `OPEN` and of `OPTIONS`.
    private var maySpeakHTTP: Bool {
        let count = input.handledCount - (header?.bytes.count ?? 0)
        let isUndecided = client.writesCapitals && count < HTTPOpening.mostBytes
        return count > 0 && (client.isVisitor || isUndecided)
    }

    /// When the server must do something about it without input: refuse an incomplete header, or
    /// greet it; nil if it need not.
    func due(_ limits: Limits) -> Duration? {
        switch stage {
        case .handshake(_, let since): since + ProxyHandshakes.headerTime
        case .joined(let time):
            isGreeted || output.isFinishing || maySpeakHTTP ? nil : time + limits.greetingDelay
        case .none: nil
        }
    }
}
