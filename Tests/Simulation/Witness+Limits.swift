import Addresses
import AuctionRules
import Lobby
import Wire

// What limits grant, and whom they stop.
extension Witness {
    // Connections

    func seat(_ connection: Connection) {
        granted.seated.append(connection)
    }

    /// Takes the places of those who have gone, which leaves no more than may be there.
    func unseat(_ lost: Set<SessionID>) {
        granted.seated.removeAll { lost.contains($0.id) }
        let networks = granted.seated.map(\.visitor.address.network)
        let fullest = Set(networks).map { network in networks.count { $0 == network } }.max() ?? 0
        if networks.count > terms.limits.connections ?? .max {
            report(.limited, "\(networks.count) are connected")
        }
        if fullest > terms.limits.connectionsPerAddress ?? .max {
            report(.limited, "\(fullest) are connected from one address")
        }
    }

    /// Holds that as many others as may be there are, or came before one from the same address.
    ///
    /// A silent connection makes room for a newcomer, so for all addresses the order does not count.
    private func turnAway(_ connection: Connection, _ fault: ErrorReply) {
        guard let place = granted.seated.firstIndex(where: { $0 === connection }) else { return }
        granted.seated.remove(at: place)
        connection.isTurnedAway = true
        let before = granted.seated[..<place]
        let network = connection.visitor.address.network
        let isReached =
            fault == .full
            ? granted.seated.count >= terms.limits.connections ?? .max
            : before.count { $0.visitor.address.network == network }
                >= terms.limits.connectionsPerAddress ?? .max
        if !isReached { report(.spared, "\(connection.visitor.name) is turned away: \(fault)") }
    }

    // What is counted

    func checkLimits(_ effect: Effect, at now: Duration, of connection: Connection?) {
        if case .note(.nameTaken(let bidder, _)) = effect { granted.founded = bidder }
        guard let connection else { return }
        let address = connection.visitor.address.network
        switch effect {
        case .reply(.ok(.name(let bidder, _), _), _, let id):
            if let end = granted.kicked[bidder], now < end {
                report(.limited, "\(bidder) is back before \(end.stopwatch)")
            }
            if bidder == granted.founded {
                granted.founded = nil
                // A name that was free begins anew.
                granted.openings[bidder] = nil
                // Who has waited may take it some seconds late.
                grant(
                    \.names[address], terms.limits.claims, at: now, slack: 1,
                    "a name of \(bidder)")
                granted.askedNames[address, default: Tally()].add(at: now)
            } else if granted.holders[bidder] != id {
                open(bidder, address, at: now)
            }
            granted.holders[bidder] = id
        case .reply(.error(let fault, _), _, _): check(fault, of: connection, at: now)
        case .close(let id, let farewell):
            if farewell == .idle { checkIdle(connection, at: now) }
            granted.seated.removeAll { $0.id == id }
        case .news, .note, .admit, .reply, .restate, .send, .use, .skip, .holdNews, .releaseNews,
            .confirm:
            break
        }
    }

    private func check(_ fault: ErrorReply, of connection: Connection, at now: Duration) {
        let (address, limits) = (connection.visitor.address.network, terms.limits)
        switch fault.code {
        case .full: turnAway(connection, fault)
        case .wrongToken:
            grant(\.wrongTokens[address], limits.wrongTokens, at: now, "a wrong token")
        case .slowDown where fault.advice == ErrorReply.tooManyNames(seconds: 0).advice:
            refuse(\.askedNames[address], limits.claims, at: now, fault)
            granted.askedNames[address, default: Tally()].add(at: now)
        case .slowDown where fault.advice == ErrorReply.openedTooOften(seconds: 0).advice:
            let rate = limits.openings
            let isSpent = granted.openings.values.contains { tally in
                rate.map { tally.isSpent($0, at: now) } ?? false
            }
            let isAddressSpent = rate.map { rate in
                granted.openingsOfAddress[address]?.isSpent(rate.times(10), at: now) ?? false
            }
            if !isSpent, isAddressSpent != true { report(.spared, "\(fault)") }
        case .slowDown: refuse(\.wrongTokens[address], limits.wrongTokens, at: now, fault)
        default: break
        }
    }

    /// Counts a line that was answered.
    ///
    /// The last one may be one too many: it has no end but that of its connection. Of an address
    /// there may be more, by what was set aside for each connection while it waited.
    func hearLine(of connection: Connection, at now: Duration) {
        let (id, address) = (connection.id, connection.visitor.address.network)
        grant(\.lines[id], terms.limits.lines, at: now, slack: 1, "a line of \(id)")
        grant(
            \.linesOfAddress[address], terms.limits.addressLines, at: now,
            slack: 9 * Int64(terms.visitors), "a line from \(address)")
    }

    private func open(_ bidder: Bidder, _ address: PeerAddress, at now: Duration) {
        grant(\.openings[bidder], terms.limits.openings, at: now, "an opening of \(bidder)")
        granted.openingsOfAddress[address, default: Tally()].add(at: now)
    }

    private func grant(
        _ tally: WritableKeyPath<Granted, Tally?>, _ rate: TokenBucket.Rate?, at now: Duration,
        slack: Int64 = 0, _ what: @autoclosure () -> String
    ) {
        guard let rate else { return }
        var counted = granted[keyPath: tally] ?? Tally()
        if counted.isSpent(rate, at: now, slack: slack) { report(.limited, what()) }
        counted.add(at: now)
        granted[keyPath: tally] = counted
    }

    private func refuse(
        _ tally: KeyPath<Granted, Tally?>, _ rate: TokenBucket.Rate?, at now: Duration,
        _ fault: ErrorReply
    ) {
        guard let rate, granted[keyPath: tally]?.isSpent(rate, at: now) == true else {
            return report(.spared, "\(fault)")
        }
    }

    /// Holds that a line is there which has been under way for too long.
    private func checkIdle(_ connection: Connection, at now: Duration) {
        guard let most = terms.limits.lineTime,
            let since = connection.lineSince(handledUntil: handledUntil), now - since >= most
        else { return report(.spared, "\(connection.visitor.name) has said its lines") }
    }
}
