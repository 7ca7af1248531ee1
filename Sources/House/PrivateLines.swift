import Auction
import Wire

/// The lines that only one bidder receives: their connections, and the state that each was sent.
///
/// In text there is a line for each fact, except those that the answer to a command tells; in JSON
/// there are the members of `OwnState` that differ. Changes are computed for a connection in JSON,
/// and in a sale with purses for all.
struct PrivateLines {
    /// A connection that holds a name.
    private struct Connection {
        let id: SessionID
        let usesJSON: Bool
    }

    private var connections: [Bidder: Connection] = [:]
    /// What is known to the bidders for whom changes are computed.
    private var known: [Bidder: OwnState] = [:]
    /// The bidders whose state any bid may change.
    private var atStake: Set<Bidder> = []
    /// The ranks when the newest lot opened, or since it has ended, or the sale, at that end.
    ///
    /// Nil after a restart of the server until they are asked for.
    private var ranks: [Bidder: Int]?

    /// Notes which connection holds a name, and how it receives messages.
    ///
    /// The caller sends it the state.
    mutating func connect(
        _ bidder: Bidder, to id: SessionID, in encoding: Encoding, from sale: borrowing Sale
    ) {
        let connection = Connection(id: id, usesJSON: encoding != .text)
        connections[bidder] = connection
        guard connection.usesJSON || sale.options?.purse != nil else { return forget(bidder) }
        if ranks == nil { ranks = recoveredRanks(of: sale) }
        note(state(of: bidder, from: sale))
    }

    /// Notes that no connection holds a name.
    mutating func disconnect(_ bidder: Bidder) {
        connections[bidder] = nil
        forget(bidder)
    }

    /// Sends a bidder the value that was drawn for the bidder alone, if the connection is in text.
    func send(_ worth: Worth, _ turn: inout Turn) {
        guard let connection = connections[worth.bidder], !connection.usesJSON else { return }
        let message = ServerMessage.worth(worth.amount, isEstimate: worth.isEstimate)
        turn.replyPrivately(message, to: connection.id)
    }

    /// Sends the connection of a bidder all that the bidder alone may know.
    func sendState(of bidder: Bidder, from sale: borrowing Sale, _ turn: inout Turn) {
        guard let connection = connections[bidder] else { return }
        let (state, id) = (state(of: bidder, from: sale), connection.id)
        guard !connection.usesJSON else { return turn.tell(.you(state.json(after: nil)), to: id) }
        if let left = state.left { turn.tell(.purse(left: left), to: id) }
        if let worth = state.worth, !sale.auction.isClosed {
            turn.tell(.worth(worth, isEstimate: state.isEstimate), to: id)
        }
        if let maximum = state.maximum { turn.tell(.maximum(maximum), to: id) }
        if let price = state.sealed { turn.tell(.ownBid(price), to: id) }
    }

    /// Sends the bidders for whom an event changes something what it changes.
    ///
    /// It must follow each event, because the ranks are those of an earlier one.
    ///
    /// O(1) for a bid; with purses O(n) in the bidders who lead, or have a maximum or a sealed bid
    /// on the open lot. At the beginning and the end of a lot O(n) in all bidders.
    mutating func sendChanges(
        after event: SaleEvent, from sale: borrowing Sale, _ turn: inout Turn
    ) {
        switch event {
        case .worthDrawn(let worth): sendChange(of: worth.bidder, from: sale, &turn)
        case .bidSealed(let bid): sendChange(of: bid.bidder, from: sale, &turn)
        case .maximumSet(let bidder, _): sendChange(of: bidder, from: sale, &turn)
        case .bidPlaced(let bid):
            guard !known.isEmpty else { return }
            sendChanges(of: atStake.union([bid.bidder]), from: sale, &turn)
        case .lotOpened, .lotSold, .lotPassed, .ended:
            ranks = sale.ranks
            sendChanges(of: Set(known.keys), from: sale, &turn)
        case .gameSet:
            if sale.options?.purse != nil { knowAll() }
            sendChanges(of: Set(known.keys), from: sale, &turn)
        case .bidVoided, .rematchBegan:
            sendChanges(of: Set(known.keys), from: sale, &turn)
        case .lastReset, .secondsLeft, .warned, .nextAnnounced, .paused, .resumed, .hammered,
            .bidderKicked, .stopped, .bidderJoined, .bidderLeft, .termsAnnounced, .askFell,
            .bidsSealed, .bidRevealed, .reserveMet, .valueRevealed, .championNamed, .awardGiven,
            .messageSaid,
            .reacted, .waiting, .displayNameSet,
            .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded, .timeNoted,
            .lotPlanned, .lotAdded, .lotRenamed, .optionsSet, .roundBegan, .memberDrawn,
            .memberEarned, .valueDrawn, .bidderMuted,
            .bidderUnmuted:
            break
        }
    }

    private mutating func sendChanges(
        of bidders: Set<Bidder>, from sale: borrowing Sale, _ turn: inout Turn
    ) {
        for bidder in bidders.sorted(by: { $0.precedes($1) }) {
            sendChange(of: bidder, from: sale, &turn)
        }
    }

    private mutating func sendChange(
        of bidder: Bidder, from sale: borrowing Sale, _ turn: inout Turn
    ) {
        guard let former = known[bidder], let connection = connections[bidder] else { return }
        let state = state(of: bidder, from: sale)
        guard state != former else { return }
        note(state)
        if connection.usesJSON {
            turn.replyPrivately(.you(state.json(after: former)), to: connection.id)
        } else if let left = state.left, left != former.left {
            turn.replyPrivately(.purse(left: left), to: connection.id)
        }
    }

    private func state(of bidder: Bidder, from sale: borrowing Sale) -> OwnState {
        var state = sale.ownState(of: bidder)
        state.rank = ranks?[bidder]
        return state
    }

    /// Notes the bidders for whom no changes were computed yet; a sale with purses needs it.
    private mutating func knowAll() {
        for bidder in connections.keys where known[bidder] == nil { note(OwnState(bidder)) }
    }

    private mutating func note(_ state: OwnState) {
        known[state.name] = state
        if state.dependsOnBids { atStake.insert(state.name) } else { atStake.remove(state.name) }
    }

    /// The ranks in a sale of which no event was followed yet.
    ///
    /// A recovered sale does not tell who has bid before the lot that has not ended, but who has paid.
    private func recoveredRanks(of sale: borrowing Sale) -> [Bidder: Int] {
        guard sale.result == nil else { return sale.ranks }
        return sale.ranks.filter { sale.ledger[$0.key]?.spent ?? 0 > 0 }
    }

    private mutating func forget(_ bidder: Bidder) {
        known[bidder] = nil
        atStake.remove(bidder)
    }
}
