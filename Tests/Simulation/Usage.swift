import Addresses
import AuctionRules
import Lobby
import Sale
import ServerCore
import Web
import Wire

/// The connections of one run of a server, and what it has granted of what its limits count.
struct Usage {
    /// The connections with a place, in the order in which they joined.
    var places: [Connection] = []
    /// The number of sockets that the server was given and has not lost.
    var openCount = 0
    /// By loop, the connections that are finishing, and how many of them are about to be closed.
    var finishing: [Set<SessionID>]
    var closingCounts: [Int]

    var names: [PeerAddress: Tally] = [:]
    /// Those, and the claims that were refused and have a turn later.
    var askedNames: [PeerAddress: Tally] = [:]
    var openings: [Bidder: Tally] = [:]
    var openingsOfAddress: [PeerAddress: Tally] = [:]
    /// The connection that took each name last.
    var holders: [Bidder: SessionID] = [:]
    /// The room of each connection that was greeted, its bidder, and what it may order.
    var rooms: [SessionID: RoomReferee] = [:]
    var bidders: [SessionID: Bidder] = [:]
    var rights: [SessionID: Right] = [:]
    /// The connection that entered another room last.
    var moved: SessionID?
    /// The network from which each room was opened, by the words of its opening.
    var openers: [String: PeerAddress] = [:]
    var wrongTokens: [PeerAddress: Tally] = [:]
    var lines: [SessionID: Tally] = [:]
    var linesOfAddress: [PeerAddress: Tally] = [:]
    /// The name that was created last, until its owner is answered.
    var created: Bidder?

    init(loops: Int) {
        finishing = Array(repeating: [], count: loops)
        closingCounts = Array(repeating: 0, count: loops)
    }
}

/// When something was granted.
///
/// A rate means that in no span of time more is granted than the burst and what that span adds;
/// each span is looked at, because a bucket here could be wrong too.
package struct Tally {
    private var times: [Int64] = []

    package init() {}

    package mutating func add(at now: Duration) {
        times.append(now.nanoseconds)
    }

    /// Whether one more would be too much, by more than the slack.
    package func isSpent(_ rate: TokenBucket.Rate, at now: Duration, slack: Int64 = 0) -> Bool {
        let most = rate.burst + slack
        return times.reversed().enumerated().contains { older, time in
            Int64(older + 2) * rate.period
                > most * rate.period + rate.count * (now.nanoseconds - time)
        }
    }
}

// Connections.
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

    /// Counts the connections that closed or began to finish, which the core knows with the report.
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
                connection.unhandled.remove(count)
                connection.handledCount += count
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
            handledUntil - since >= ProxyHandshakes.patience
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
    /// A silent connection makes room for a newcomer, so for all addresses the order does not count.
    private func turnAway(_ connection: Connection, _ fault: ErrorReply) {
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
        let count = handledCount - (header?.bytes.count ?? 0)
        let isUndecided = client.writesCapitals && count < HTTPOpening.mostBytes
        return count > 0 && (client.isVisitor || isUndecided)
    }

    /// When the server must do something about it without input: refuse an incomplete header, or
    /// greet it; nil if it need not.
    func due(_ limits: Limits) -> Duration? {
        switch stage {
        case .handshake(_, let since): since + ProxyHandshakes.patience
        case .joined(let time):
            isGreeted || isFinishing || maySpeakHTTP ? nil : time + limits.greetingDelay
        case .none: nil
        }
    }
}

// What limits grant, and what they stop.
extension Oracle {
    func checkLimits(
        _ effect: Effect, at now: Duration, of connection: Connection?, in room: RoomReferee?
    ) {
        guard let connection else { return }
        switch effect {
        case .follow(let id, _): usage.bidders[id].map { checkKicked($0, in: room, at: now) }
        case .reply(.ok(.name(let bidder, _), _), let id):
            checkKicked(bidder, in: room, at: now)
            noteName(bidder, id, connection.network, at: now)
        case .reply(.ok(.opened, _), _): usage.moved = nil
        case .reply(.ok(.joined, _), let id):
            guard usage.moved == id else { return count(.joinedOwnRoom) }
            usage.moved = nil
            usage.bidders[id].map { noteOpening(of: $0, from: connection.network, at: now) }
        case .reply(.error(let fault, _), _): check(fault, of: connection, at: now)
        case .close(let id, let reason):
            if reason == .idle { checkIdle(connection, at: now) }
            usage.places.removeAll { $0.id == id }
        default: break
        }
    }

    private func checkKicked(_ bidder: Bidder, in room: RoomReferee?, at now: Duration) {
        guard let end = room?.kicked[bidder], now < end else { return }
        report(.limited, "\(bidder) is back before \(end.stopwatch)")
    }

    private func noteName(
        _ bidder: Bidder, _ id: SessionID, _ address: PeerAddress, at now: Duration
    ) {
        if bidder == usage.created {
            usage.created = nil
            // A name that was free begins anew.
            usage.openings[bidder] = nil
            // A claim that has waited may take its token some seconds late.
            grant(
                \.names[address], terms.limits.claims, at: now, slack: 1, "a name of \(bidder)")
            usage.askedNames[address, default: Tally()].add(at: now)
        } else if usage.holders[bidder] != id {
            noteOpening(of: bidder, from: address, at: now)
        }
        usage.holders[bidder] = id
    }

    /// Counts that a name was opened by its token, or that it has entered another room.
    private func noteOpening(of bidder: Bidder, from address: PeerAddress, at now: Duration) {
        grant(\.openings[bidder], terms.limits.openings, at: now, "an opening of \(bidder)")
        usage.openingsOfAddress[address, default: Tally()].add(at: now)
    }

    private func check(_ fault: ErrorReply, of connection: Connection, at now: Duration) {
        let (address, limits) = (connection.network, terms.limits)
        switch fault.code {
        // Too many rooms turn nobody away.
        case .full where fault == .roomsFull || fault == .addressRoomsFull: break
        case .full: turnAway(connection, fault)
        case .wrongToken:
            grant(\.wrongTokens[address], limits.wrongTokens, at: now, "a wrong token")
        case .slowDown where fault.isSlowDown(ErrorReply.tooManyNames):
            refuse(\.askedNames[address], limits.claims, at: now, fault)
            usage.askedNames[address, default: Tally()].add(at: now)
        case .slowDown where fault.isSlowDown(ErrorReply.openedTooOften):
            let rate = limits.openings
            let isSpent = usage.openings.values.contains { tally in
                rate.map { tally.isSpent($0, at: now) } ?? false
            }
            let isAddressSpent = rate.map { rate in
                usage.openingsOfAddress[address]?.isSpent(rate.times(10), at: now) ?? false
            }
            if !isSpent, isAddressSpent != true { report(.spared, "\(fault)") }
        case .slowDown: refuse(\.wrongTokens[address], limits.wrongTokens, at: now, fault)
        default: break
        }
    }

    /// Counts a line that was answered.
    ///
    /// The last one may be one too many, because only its connection ends it. Of an address there
    /// may be more, by what was set aside for each connection while it waited.
    func checkLines(of connection: Connection, at now: Duration) {
        let (id, address) = (connection.id, connection.network)
        grant(\.lines[id], terms.limits.lines, at: now, slack: 1, "a line of \(id)")
        grant(
            \.linesOfAddress[address], terms.limits.addressLines, at: now,
            slack: 9 * Int64(terms.clients), "a line from \(address)")
    }

    private func grant(
        _ tally: WritableKeyPath<Usage, Tally?>, _ rate: TokenBucket.Rate?, at now: Duration,
        slack: Int64 = 0, _ what: @autoclosure () -> String
    ) {
        guard let rate else { return }
        var counted = usage[keyPath: tally] ?? Tally()
        if counted.isSpent(rate, at: now, slack: slack) { report(.limited, what()) }
        counted.add(at: now)
        usage[keyPath: tally] = counted
    }

    private func refuse(
        _ tally: KeyPath<Usage, Tally?>, _ rate: TokenBucket.Rate?, at now: Duration,
        _ fault: ErrorReply
    ) {
        guard let rate, usage[keyPath: tally]?.isSpent(rate, at: now) == true else {
            return report(.spared, "\(fault)")
        }
    }

    /// Requires that a line has been incomplete for too long.
    private func checkIdle(_ connection: Connection, at now: Duration) {
        guard let most = terms.limits.lineTime,
            let since = connection.lineSince(handledUntil: handledUntil), now - since >= most
        else { return report(.spared, "\(connection.client.name) has ended its lines") }
    }
}

extension ErrorReply {
    /// Whether this is the error that `make` returns for some number of seconds.
    func isSlowDown(_ make: (Int) -> ErrorReply) -> Bool {
        facts.first.map { self == make(Int($0.value)) } ?? false
    }
}
