/// The owned names of all rooms: each has one token everywhere, and each token one name.
struct NameOwners {
    private var owned: [Bidder: (token: Token, rooms: Int)] = [:]
    private var tokens: Set<String> = []

    /// Adds the name of a room; false if it has another token elsewhere, or another name has its.
    mutating func add(_ account: Account) -> Bool {
        guard let owner = owned[account.bidder] else {
            owned[account.bidder] = (account.token, 1)
            return tokens.insert(account.token.description).inserted
        }
        owned[account.bidder]?.rooms += 1
        return owner.token == account.token
    }

    /// Removes the name of a room, which was added.
    mutating func remove(_ account: Account) {
        guard let owner = owned[account.bidder] else { return }
        guard owner.rooms == 1 else {
            owned[account.bidder]?.rooms -= 1
            return
        }
        owned[account.bidder] = nil
        tokens.remove(owner.token.description)
    }
}
