import AuctionRules

/// The names that are owned, and which of their owners are present.
///
/// Those who are present stand in the order of their coming, the others in the order of their going.
/// Every call costs O(log n) at most, where nothing else is said.
struct Names {
    private var claims: [Bidder: Claim] = [:]
    private var present = NumberedNames()
    private var absent = NumberedNames()
    /// The number that a name was given last, when its owner came or went.
    private var lastNumber = 0

    /// The owner of a name; nil if nobody owns it.
    subscript(bidder: Bidder) -> Claim? { claims[bidder] }

    /// How many owners are present.
    var presentCount: Int { present.count }

    /// Adds a name whose owner is present.
    mutating func add(_ bidder: Bidder, token: Token, holder: SessionID) {
        precondition(claims[bidder] == nil, "a name has one owner")
        var claim = Claim(bidder: bidder, token: token)
        claim.holder = holder
        claim.number = nextNumber()
        claims[bidder] = claim
        present.append(bidder, number: claim.number)
    }

    /// Adds a name under which a bid was accepted, and whose owner is not here.
    mutating func add(absent bidder: Bidder, token: Token) {
        precondition(claims[bidder] == nil, "a name has one owner")
        var claim = Claim(bidder: bidder, token: token)
        claim.hasBid = true
        claim.number = nextNumber()
        claims[bidder] = claim
        absent.append(bidder, number: claim.number)
    }

    /// Gives a name to another connection; one whose owner was not here comes last among those who
    /// are present.
    mutating func hand(_ bidder: Bidder, to holder: SessionID) {
        guard let index = claims.index(forKey: bidder) else { return }
        if claims.values[index].holder == nil {
            let number = nextNumber()
            absent.remove(number: claims.values[index].number)
            claims.values[index].number = number
            present.append(claims.values[index].bidder, number: number)
        }
        claims.values[index].holder = holder
    }

    /// Notes that a bid was accepted under a name.
    mutating func noteBid(by bidder: Bidder) {
        guard let index = claims.index(forKey: bidder), !claims.values[index].hasBid else { return }
        claims.values[index].hasBid = true
    }

    /// Notes that an owner has gone; a name without a bid is nobody's then.
    mutating func leave(_ bidder: Bidder) {
        guard let index = claims.index(forKey: bidder), claims.values[index].holder != nil else {
            return
        }
        present.remove(number: claims.values[index].number)
        guard claims.values[index].hasBid else {
            claims.remove(at: index)
            return
        }
        let number = nextNumber()
        claims.values[index].holder = nil
        claims.values[index].number = number
        absent.append(claims.values[index].bidder, number: number)
    }

    /// Returns who is present and came after the one with this number, at most `limit`, in the order
    /// of their coming.
    ///
    /// O(log n + limit).
    func present(after number: Int, limit: Int) -> [NumberedNames.Entry] {
        present.entries(after: number, limit: limit)
    }

    /// Calls `body` with each name: those whose owners are not here, in the order of their going, and
    /// then those present, in the order of their coming.
    func forEach(_ body: (Claim) -> Void) {
        for names in [absent, present] {
            names.forEach { bidder in
                if let claim = claims[bidder] { body(claim) }
            }
        }
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
