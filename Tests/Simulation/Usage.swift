import Auction
import Basics
import House
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

    var names: [PeerAddress: Grants] = [:]
    /// Those, and the claims that were refused and have a turn later.
    var askedNames: [PeerAddress: Grants] = [:]
    var openings: [Bidder: Grants] = [:]
    var openingsOfAddress: [PeerAddress: Grants] = [:]
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
    var wrongTokens: [PeerAddress: Grants] = [:]
    var lines: [SessionID: Grants] = [:]
    var linesOfAddress: [PeerAddress: Grants] = [:]
    var journalOfAddress: [PeerAddress: Grants] = [:]
    /// The network whose accepted command is recorded next; nil if that is not known.
    var recording: PeerAddress?
    /// The name that was created last, until its owner is answered.
    var created: Bidder?

    init(loops: Int) {
        finishing = Array(repeating: [], count: loops)
        closingCounts = Array(repeating: 0, count: loops)
    }
}

/// When something was granted, and how much.
///
/// A rate means that in no span of time more is granted than the burst and what that span adds;
/// each span is looked at, because a bucket here could be wrong too.
package struct Grants {
    private var grants: [(time: Int64, count: Int64)] = []

    package init() {}

    package mutating func add(_ count: Int64 = 1, at now: Duration) {
        grants.append((now.nanoseconds, count))
    }

    /// Whether `count` more would be too much, by more than the slack.
    package func isSpent(
        _ rate: TokenBucket.Rate, by count: Int64 = 1, at now: Duration, slack: Int64 = 0
    ) -> Bool {
        let most = rate.burst + slack
        var sum = count
        return grants.reversed().contains { time, count in
            sum += count
            return sum * rate.period > most * rate.period + rate.count * (now.nanoseconds - time)
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
        case .reply(.ok(.opened(let name, let key), _), _):
            usage.moved = nil
            live[name]?.key = key
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
                \.names[address], terms.limits.nameUses, at: now, slack: 1, "a name of \(bidder)")
            usage.askedNames[address, default: Grants()].add(at: now)
        } else if usage.holders[bidder] != id {
            noteOpening(of: bidder, from: address, at: now)
        }
        usage.holders[bidder] = id
    }

    /// Counts that a name was opened by its token, or that it has entered another room.
    private func noteOpening(of bidder: Bidder, from address: PeerAddress, at now: Duration) {
        grant(\.openings[bidder], terms.limits.openings, at: now, "an opening of \(bidder)")
        usage.openingsOfAddress[address, default: Grants()].add(at: now)
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
            refuse(\.askedNames[address], limits.nameUses, at: now, fault)
            usage.askedNames[address, default: Grants()].add(at: now)
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

    /// Counts what an accepted command adds to the journal directly after its answer.
    ///
    /// A read is of eight lines at most, of which the first may use up what is left; so do the last
    /// lines of connections that end.
    func checkJournal(_ effect: Effect, of connection: Connection?, at now: Duration) {
        let recording = usage.recording
        usage.recording = nil
        switch effect {
        case .reply(.ok(.bid, _), _), .reply(.ok(.said, _), _), .reply(.ok(.reacted, _), _),
            .reply(.ok(.displayed, _), _),
            .reply(.ok(.name, _), _):
            usage.recording = connection?.network
        case .news(let event, _, _, _):
            let words = ServerMessage.event(event).words
            guard let network = recording, let rate = terms.limits.addressJournal else { return }
            let bytes = Int64(words.utf8.count)
            var tally = usage.journalOfAddress[network] ?? Grants()
            let slack = Int64(8 + terms.clients) * 100
            if tally.isSpent(rate, by: bytes, at: now, slack: slack) {
                report(.limited, "\(words) of \(network)")
            }
            tally.add(bytes, at: now)
            usage.journalOfAddress[network] = tally
        default: break
        }
    }

    private func grant(
        _ tally: WritableKeyPath<Usage, Grants?>, _ rate: TokenBucket.Rate?, at now: Duration,
        slack: Int64 = 0, _ what: @autoclosure () -> String
    ) {
        guard let rate else { return }
        var counted = usage[keyPath: tally] ?? Grants()
        if counted.isSpent(rate, at: now, slack: slack) { report(.limited, what()) }
        counted.add(at: now)
        usage[keyPath: tally] = counted
    }

    private func refuse(
        _ tally: KeyPath<Usage, Grants?>, _ rate: TokenBucket.Rate?, at now: Duration,
        _ fault: ErrorReply
    ) {
        guard let rate, usage[keyPath: tally]?.isSpent(rate, at: now) == true else {
            return report(.spared, "\(fault)")
        }
    }

    /// Requires that a line has been incomplete for too long.
    private func checkIdle(_ connection: Connection, at now: Duration) {
        guard let most = terms.limits.lineTime,
            let since = connection.input.lineSince(handledUntil: handledUntil), now - since >= most
        else { return report(.spared, "\(connection.client.name) has ended its lines") }
    }
}

extension ErrorReply {
    /// Whether this is the error that `make` returns for some number of seconds.
    func isSlowDown(_ make: (Int) -> ErrorReply) -> Bool {
        facts.first.map { self == make(Int($0.value)) } ?? false
    }
}
