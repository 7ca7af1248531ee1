import Auction

/// The owners of the names that take part in other rooms than `main`.
struct RoomOwners {
    private var owners: [Bidder: Owner] = [:]

    /// The owner of a name.
    private struct Owner {
        let bidder: Bidder
        let token: Token
        /// The number of the rooms.
        var rooms: Int
    }

    /// The owner of a name, as the name was first written, and the token; nil if there is none.
    func owner(of bidder: Bidder) -> (bidder: Bidder, token: Token)? {
        owners.isEmpty ? nil : owners[bidder].map { ($0.bidder, $0.token) }
    }

    /// The number of these rooms in which a name takes part.
    func roomCount(of bidder: Bidder) -> Int {
        owners.isEmpty ? 0 : owners[bidder]?.rooms ?? 0
    }

    /// Notes that a name takes part in one more room.
    mutating func add(_ account: Account) {
        let new = Owner(bidder: account.bidder, token: account.token, rooms: 0)
        owners[account.bidder, default: new].rooms += 1
    }

    /// Notes that a name takes part in one room less.
    mutating func remove(_ bidder: Bidder) {
        guard let index = owners.index(forKey: bidder) else { return }
        owners.values[index].rooms -= 1
        if owners.values[index].rooms == 0 { owners.remove(at: index) }
    }
}
