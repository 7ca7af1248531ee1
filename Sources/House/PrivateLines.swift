import Auction
import Wire

/// The lines that one bidder alone receives: on which connection, and what is left of their purse.
struct PrivateLines {
    /// The connections that hold a name.
    private var connections: [Bidder: SessionID] = [:]
    /// What was last sent to each about the purse; empty in a sale without purses.
    private var purses: [Bidder: Int64] = [:]
    /// The bidders of whose purses the open lot may take a part.
    private var committed: Set<Bidder> = []

    /// Whether bidders must be told of their purses.
    var tellsPurses: Bool { !purses.isEmpty }

    /// Notes which connection holds a name; the caller sends it the purse.
    mutating func connect(_ bidder: Bidder, to id: SessionID, from sale: borrowing Sale) {
        connections[bidder] = id
        if let left = sale.left(of: bidder) { note(left, of: bidder, from: sale) }
    }

    /// Notes that no connection holds a name.
    mutating func disconnect(_ bidder: Bidder) {
        connections[bidder] = nil
        guard tellsPurses else { return }
        purses[bidder] = nil
        committed.remove(bidder)
    }

    /// Sends a bidder what was drawn for them alone, if there is a connection.
    func send(_ worth: Worth, _ outputs: inout Outputs) {
        send(.worth(worth.amount, isEstimate: worth.isEstimate), to: worth.bidder, &outputs)
    }

    private func send(_ message: ServerMessage, to bidder: Bidder, _ outputs: inout Outputs) {
        if let id = connections[bidder] { outputs.replyPrivately(message, to: id) }
    }

    /// Sends a connection the private lines of its bidder.
    ///
    /// These are the purse, the value of the lot for the bidder, the maximum and the sealed bid.
    static func sendState(
        of bidder: Bidder, from sale: borrowing Sale, to id: SessionID, _ outputs: inout Outputs
    ) {
        if let left = sale.left(of: bidder) { outputs.tell(.purse(left: left), to: id) }
        guard !sale.auction.isClosed else { return }
        if let worth = sale.worth(of: bidder) {
            outputs.tell(.worth(worth.amount, isEstimate: worth.isEstimate), to: id)
        }
        if let maximum = sale.auction.maximum(of: bidder) {
            outputs.tell(.maximum(maximum), to: id)
        }
        if let bid = sale.auction.sealedBid(of: bidder) {
            outputs.tell(.ownBid(bid.price), to: id)
        }
    }

    // Purses

    /// Sends the bidders whose purses an event has changed what is left of them.
    ///
    /// O(n) in the bidders for whom the open lot may cost something; after a void, in all.
    mutating func sendPurses(
        after event: SaleEvent, from sale: borrowing Sale, _ outputs: inout Outputs
    ) {
        switch event {
        case .bidSealed(let bid): sendPurse(of: bid.bidder, from: sale, &outputs)
        case .maximumSet(let bidder, _): sendPurse(of: bidder, from: sale, &outputs)
        case .bidPlaced(let bid):
            sendPurses(of: committed.union([bid.bidder]), from: sale, &outputs)
        case .lotSold, .lotPassed: sendPurses(of: committed, from: sale, &outputs)
        case .bidVoided, .gameSet: sendPurses(of: Set(purses.keys), from: sale, &outputs)
        default: break
        }
    }

    private mutating func sendPurses(
        of bidders: Set<Bidder>, from sale: borrowing Sale, _ outputs: inout Outputs
    ) {
        for bidder in bidders.sorted(by: { $0.precedes($1) }) {
            sendPurse(of: bidder, from: sale, &outputs)
        }
    }

    private mutating func sendPurse(
        of bidder: Bidder, from sale: borrowing Sale, _ outputs: inout Outputs
    ) {
        guard let told = purses[bidder], let left = sale.left(of: bidder) else { return }
        note(left, of: bidder, from: sale)
        if left != told { send(.purse(left: left), to: bidder, &outputs) }
    }

    private mutating func note(_ left: Int64, of bidder: Bidder, from sale: borrowing Sale) {
        purses[bidder] = left
        if left == sale.limit(of: bidder) {
            committed.remove(bidder)
        } else {
            committed.insert(bidder)
        }
    }
}
