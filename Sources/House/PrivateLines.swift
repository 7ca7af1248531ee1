import Auction
import Wire

/// The lines that only one bidder receives: their connections, and the state that each was sent.
///
/// In text there is a line for each fact, except those that the answer to a command tells; in JSON
/// there are the members of `OwnState` that differ. Changes are computed only in a sale with
/// purses, or while a connection in JSON follows the sale.
struct PrivateLines {
    /// The connections that hold a name.
    private var connections: [Bidder: SessionID] = [:]
    /// What is known to the bidders with a connection; empty if nothing is computed.
    private var known: [Bidder: OwnState] = [:]
    /// The bidders whose state any bid may change.
    private var atStake: Set<Bidder> = []
    /// The ranks at the end of the newest lot.
    private var ranks: [Bidder: Int] = [:]

    /// Whether the lines may change with an event.
    var areKnown: Bool { !known.isEmpty }

    /// Notes which connection holds a name; the caller sends it the state.
    ///
    /// With `isFollowed` somebody in JSON follows the sale.
    mutating func connect(
        _ bidder: Bidder, to id: SessionID, from sale: borrowing Sale, isFollowed: Bool
    ) {
        connections[bidder] = id
        if isFollowed || sale.options?.purse != nil { note(state(of: bidder, from: sale)) }
    }

    /// Notes that no connection holds a name.
    mutating func disconnect(_ bidder: Bidder) {
        connections[bidder] = nil
        known[bidder] = nil
        atStake.remove(bidder)
    }

    /// Begins to compute what changes, as the first connection in JSON follows the sale.
    mutating func beginFollowing(_ sale: borrowing Sale) {
        ranks = sale.ranks
        for bidder in connections.keys { note(state(of: bidder, from: sale)) }
    }

    /// Stops that, as none follows it any more, unless the sale has purses.
    mutating func endFollowing(_ sale: borrowing Sale) {
        guard sale.options?.purse == nil else { return }
        known = [:]
        atStake = []
    }

    /// Sends a bidder what was drawn for them alone, if there is a connection.
    func send(_ worth: Worth, _ turn: inout Turn) {
        send(.worth(worth.amount, isEstimate: worth.isEstimate), to: worth.bidder, &turn)
    }

    private func send(_ message: ServerMessage, to bidder: Bidder, _ turn: inout Turn) {
        if let id = connections[bidder] { turn.replyPrivately(message, to: id) }
    }

    /// Sends a connection all that its bidder alone may know.
    func sendState(
        of bidder: Bidder, from sale: borrowing Sale, to id: SessionID, _ turn: inout Turn
    ) {
        let state = state(of: bidder, from: sale)
        if let left = state.left { turn.tell(.purse(left: left), to: id) }
        if let worth = state.worth, !sale.auction.isClosed {
            turn.tell(.worth(worth, isEstimate: state.isEstimate), to: id)
        }
        if let maximum = state.maximum { turn.tell(.maximum(maximum), to: id) }
        if let price = state.sealed { turn.tell(.ownBid(price), to: id) }
        if areKnown { turn.tell(.you(state.json(after: nil)), to: id) }
    }

    /// Sends the bidders for whom an event changes something what it changes.
    ///
    /// For a bid O(1), with purses O(n) in the bidders who lead, or have a maximum or a sealed bid on
    /// the open lot; at the beginning and the end of a lot, in all.
    mutating func sendChanges(
        after event: SaleEvent, from sale: borrowing Sale, _ turn: inout Turn
    ) {
        switch event {
        case .worthDrawn(let worth): sendChange(of: worth.bidder, from: sale, &turn)
        case .bidSealed(let bid): sendChange(of: bid.bidder, from: sale, &turn)
        case .maximumSet(let bidder, _): sendChange(of: bidder, from: sale, &turn)
        case .bidPlaced(let bid):
            sendChanges(of: atStake.union([bid.bidder]), from: sale, &turn)
        case .lotOpened, .lotSold, .lotPassed, .bidVoided, .gameSet, .ended:
            ranks = sale.ranks
            sendChanges(of: Set(known.keys), from: sale, &turn)
        default: break
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
        guard let former = known[bidder] else { return }
        let state = state(of: bidder, from: sale)
        guard state != former else { return }
        note(state)
        if let left = state.left, left != former.left {
            send(.purse(left: left), to: bidder, &turn)
        }
        send(.you(state.json(after: former)), to: bidder, &turn)
    }

    private func state(of bidder: Bidder, from sale: borrowing Sale) -> OwnState {
        var state = sale.ownState(of: bidder)
        state.rank = ranks[bidder]
        return state
    }

    private mutating func note(_ state: OwnState) {
        known[state.name] = state
        if state.isAtStake { atStake.insert(state.name) } else { atStake.remove(state.name) }
    }
}
