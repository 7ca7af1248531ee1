import Auction

/// The names that take part in a room, computed by the simulator itself from its events.
struct NameBook {
    private struct Owner {
        let tokenHash: TokenHash
        /// Whether everybody knows of a bid or a draw under the name, so that it stays owned.
        var hasBid = false
        /// Whether the owner has joined.
        var hasArrived = false
    }

    private var owners: [Bidder: Owner] = [:]
    /// The names of which the room was told that they joined, and not that they left.
    private(set) var present: Set<Bidder> = []
    /// The names that have left, the newest last: a list that was begun before still has them.
    private(set) var departed: [Bidder] = []
    /// Whether the lots have values, which belong to their bidders until they have ended.
    private var hasValues: Bool
    private var isOpen = false
    private var isPlanSealed = false
    private var isSealed = false

    init(hasValues: Bool) {
        self.hasValues = hasValues
    }

    /// Continues with a sale that a server has recovered.
    init(_ sale: Sale) {
        hasValues = sale.options?.values != nil
        (isOpen, isSealed) = (!sale.auction.isClosed, sale.auction.rules.format.isSealed)
        sale.names.forEach { account in
            owners[account.bidder] = Owner(
                tokenHash: account.tokenHash, hasBid: account.hasBid, hasArrived: true)
            if account.isPresent { present.insert(account.bidder) }
        }
        for bidder in sale.names.pending {
            guard let account = sale.names[bidder] else { continue }
            owners[bidder] = Owner(tokenHash: account.tokenHash)
        }
    }

    /// Whether a name has bid.
    var hasBidders: Bool { owners.values.contains { $0.hasBid } }

    /// The hash of the token that opens a name; nil if the name does not take part.
    func tokenHash(of bidder: Bidder) -> TokenHash? { owners[bidder]?.tokenHash }

    /// Whether a name stays owned when its owner has left.
    private func keeps(_ bidder: Bidder) -> Bool {
        isOpen && (isSealed || hasValues) || owners[bidder]?.hasBid == true
    }

    /// Takes an event; false if a name is given to another, or joins or leaves twice.
    mutating func take(_ event: SaleEvent) -> Bool {
        switch event {
        case .nameTaken(let bidder, let hash):
            let former = owners[bidder]
            owners[bidder] = Owner(tokenHash: hash)
            return former?.hasArrived != true
        case .bidderJoined(let bidder, _):
            owners[bidder]?.hasArrived = true
            return owners[bidder] != nil && present.insert(bidder).inserted
        case .bidderLeft(let bidder):
            if !keeps(bidder) { owners[bidder] = nil }
            departed.append(bidder)
            return present.remove(bidder) != nil
        case .nameFreed(let bidder):
            owners[bidder] = nil
            return !present.contains(bidder)
        case .bidPlaced(let bid): owners[bid.bidder]?.hasBid = true
        case .maximumSet(let bidder, .some): owners[bidder]?.hasBid = true
        case .bidRevealed(let bid): owners[bid.bidder]?.hasBid = true
        // A student who was drawn stays the owner as after a bid.
        case .memberDrawn(let bidder, _): owners[bidder]?.hasBid = true
        case .gameSet(let options): hasValues = options.values != nil
        case .lotPlanned(let terms, _): isPlanSealed = terms.format.isSealed
        case .lotOpened: (isOpen, isSealed, isPlanSealed) = (true, isPlanSealed, false)
        case .lotSold, .lotPassed: isOpen = false
        default: break
        }
        return true
    }
}

/// The owners of names on the whole server, by their tokens.
struct NameOwners {
    /// The hashes of the tokens of all names so far.
    private var drawn: Set<String> = []
    /// The tokens of the names that have bid, and the rooms in which they have.
    private var owned: [Bidder: (token: String, rooms: Set<String>)] = [:]

    /// Notes the hash of the token of a name; false if it was noted before.
    mutating func note(_ hash: TokenHash) -> Bool { drawn.insert(hash.description).inserted }

    /// Notes that a bid under a name was confirmed in a room.
    mutating func noteBid(by bidder: Bidder, _ token: String, in room: String) {
        let rooms = owned[bidder].flatMap { $0.token == token ? $0.rooms : nil } ?? []
        owned[bidder] = (token, rooms.union([room]))
    }

    /// Whether a token is that of a name under which a bid was confirmed.
    func isOwner(_ bidder: Bidder, _ token: String?) -> Bool {
        token.map { owned[bidder]?.token == $0 } ?? false
    }

    /// Forgets the bids in a room that has ended.
    mutating func forget(_ room: String) {
        for (bidder, owner) in owned where owner.rooms.contains(room) {
            let rooms = owner.rooms.subtracting([room])
            owned[bidder] = rooms.isEmpty ? nil : (owner.token, rooms)
        }
    }
}
