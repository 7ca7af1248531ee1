/// The names that are owned, and which of their owners are present.
///
/// Present owners are ordered by their arrival, the others by their departure. An absent name has
/// bid, or waits for the end of a lot, because a name without a bid becomes free when its owner
/// leaves any other lot. Calls are O(log n) unless stated otherwise.
package struct Names: Sendable {
    private var accounts: [Bidder: Account] = [:]
    /// The display names of the names that have one.
    ///
    /// Not in the accounts, which each bid copies.
    private var displays: [Bidder: String] = [:]
    /// The names by their display names in lower case.
    private var displayed: [String: [Bidder]] = [:]
    private var present = NumberedNames()
    private var absent = NumberedNames()
    /// The newest departures, at most twice `mostDepartures`: each name with its former number, and
    /// the number of the departure.
    private var departures: [(entry: NumberedNames.Entry, number: Int)] = []
    /// The number of the newest departure that is not kept.
    private var lastForgotten = 0
    /// The absent names without a bid, which are kept until the lot has ended.
    package private(set) var waiting = NumberedNames()
    /// The highest number given to a name so far.
    package private(set) var lastNumber = 0

    /// How many of the newest departures are kept, for a list that is sent in parts.
    package static let mostDepartures = 500

    /// The owner of a name; nil if nobody owns it.
    package subscript(bidder: Bidder) -> Account? { accounts[bidder] }

    /// How many names are owned.
    package var count: Int { accounts.count }

    /// How many owners are present.
    package var presentCount: Int { present.count }

    /// Adds a name, whose owner is not present yet.
    mutating func add(_ bidder: Bidder, tokenHash: TokenHash) {
        precondition(accounts[bidder]?.isPresent != true, "a name has one owner")
        free(bidder)
        accounts[bidder] = Account(bidder: bidder, tokenHash: tokenHash)
    }

    /// Records since when the owner of a name just added is absent, and whether the name has bid.
    mutating func restoreAbsent(_ bidder: Bidder, used: Int64, hasBid: Bool) {
        guard let index = accounts.index(forKey: bidder) else { return }
        accounts.values[index].hasBid = hasBid
        accounts.values[index].used = used
        depart(index)
    }

    /// Adds a name at the end of the absent ones, or of those that wait.
    private mutating func depart(_ index: Dictionary<Bidder, Account>.Index) {
        let number = nextNumber()
        accounts.values[index].isAbsent = true
        accounts.values[index].number = number
        let account = accounts.values[index]
        if account.hasBid {
            absent.append(account.bidder, number: number)
        } else {
            waiting.append(account.bidder, number: number)
        }
    }

    /// Removes an absent name from its order.
    private mutating func removeAbsent(_ account: Account) {
        guard account.isAbsent else { return }
        if account.hasBid {
            absent.remove(number: account.number)
        } else {
            waiting.remove(number: account.number)
        }
    }

    /// Records that the owner of a name is present, as the newest arrival.
    mutating func join(_ bidder: Bidder) {
        guard let index = accounts.index(forKey: bidder), !accounts.values[index].isPresent else {
            return
        }
        removeAbsent(accounts.values[index])
        let number = nextNumber()
        accounts.values[index].number = number
        accounts.values[index].isPresent = true
        accounts.values[index].isAbsent = false
        present.append(accounts.values[index].bidder, number: number)
    }

    /// Records that everybody knows of a bid under a name in the lot with this number.
    ///
    /// Returns whether it is the first in the lot.
    @discardableResult
    mutating func noteBid(by bidder: Bidder, in lot: Int) -> Bool {
        guard let index = accounts.index(forKey: bidder), accounts.values[index].lot != lot else {
            return false
        }
        accounts.values[index].lot = lot
        keep(at: index)
        return true
    }

    /// Records that a bidder takes part in a round, after which the name is owned as after a bid.
    mutating func noteDraw(of bidder: Bidder) {
        if let index = accounts.index(forKey: bidder) { keep(at: index) }
    }

    private mutating func keep(at index: Dictionary<Bidder, Account>.Index) {
        let account = accounts.values[index]
        guard !account.hasBid else { return }
        removeAbsent(account)
        accounts.values[index].hasBid = true
        if account.isAbsent { depart(index) }
    }

    /// Records that an owner has left, at a time in milliseconds since 1970.
    ///
    /// A name without a bid becomes free, unless it is kept until the lot has ended.
    mutating func leave(_ bidder: Bidder, at timeOfDay: Int64, isKept: Bool) {
        guard let index = accounts.index(forKey: bidder), accounts.values[index].isPresent else {
            return
        }
        present.remove(number: accounts.values[index].number)
        let number = nextNumber()
        noteDeparture(
            NumberedNames.Entry(
                number: accounts.values[index].number, bidder: accounts.values[index].bidder),
            number: number)
        guard accounts.values[index].hasBid || isKept else {
            forgetDisplay(of: accounts.values[index].bidder)
            accounts.remove(at: index)
            return
        }
        accounts.values[index].used = timeOfDay
        accounts.values[index].isPresent = false
        depart(index)
    }

    /// The names whose owners never arrived, in alphabetical order; O(n).
    package var pending: [Bidder] {
        accounts.values.filter { $0.isFree }.map(\.bidder).sorted {
            $0.description < $1.description
        }
    }

    /// The absent names that have not bid, in the order of their departure; O(n).
    package var allWaiting: [Bidder] {
        waiting.entries(after: 0, limit: .max).map(\.bidder)
    }

    /// The name with a bid whose owner has been absent for longest.
    package var longestAbsent: Account? { absent.first.flatMap { accounts[$0.bidder] } }

    /// Moves an absent name to the end of the order, as if its owner left at this time.
    mutating func postpone(_ bidder: Bidder, at timeOfDay: Int64) {
        guard let index = accounts.index(forKey: bidder), accounts.values[index].isAbsent else {
            return
        }
        removeAbsent(accounts.values[index])
        accounts.values[index].used = timeOfDay
        depart(index)
    }

    /// Frees a name whose owner is not present.
    mutating func free(_ bidder: Bidder) {
        guard let account = accounts[bidder], !account.isPresent else { return }
        removeAbsent(account)
        forgetDisplay(of: account.bidder)
        accounts[bidder] = nil
    }

    /// Sets the display name of a name; an empty one removes it.
    mutating func show(_ display: String, for bidder: Bidder) {
        guard let index = accounts.index(forKey: bidder) else { return }
        let owner = accounts.values[index].bidder
        forgetDisplay(of: owner)
        guard !display.isEmpty else { return }
        displays[owner] = display
        displayed[display.lowercased(), default: []].append(owner)
    }

    /// The display name of a name; nil if it has none.
    package func display(of bidder: Bidder) -> String? {
        displays.isEmpty ? nil : displays[bidder]
    }

    private mutating func forgetDisplay(of bidder: Bidder) {
        guard !displays.isEmpty, let display = displays.removeValue(forKey: bidder)?.lowercased()
        else { return }
        displayed[display]?.removeAll { $0 == bidder }
        if displayed[display]?.isEmpty == true { displayed[display] = nil }
    }

    /// Whether a text is the name or the display name of somebody else.
    ///
    /// Case does not count.
    package func isOfAnother(_ display: String, than bidder: Bidder) -> Bool {
        let others = [Bidder(display)].compactMap { $0 } + (displayed[display.lowercased()] ?? [])
        return others.contains { $0 != bidder && accounts[$0] != nil }
    }

    /// The other bidders whose display name is this name; case does not count.
    package func showing(_ bidder: Bidder) -> [Bidder] {
        guard !displayed.isEmpty else { return [] }
        return (displayed[bidder.description.lowercased()] ?? []).filter { $0 != bidder }
    }

    /// Returns at most `limit` present names with greater numbers than this one, in order.
    ///
    /// O(log n + limit).
    package func present(after number: Int, limit: Int) -> [NumberedNames.Entry] {
        present.entries(after: number, limit: limit)
    }

    /// The bidders who are present, in the order of their arrival; O(n).
    package var presentBidders: [Bidder] { present(after: 0, limit: .max).map(\.bidder) }

    /// Returns those who were present when `lastNumber` was `last`, also if they have left since.
    ///
    /// At most `limit` with greater numbers than `number`, in order; nil if too many have left.
    package func present(
        after number: Int, asOf last: Int, limit: Int
    ) -> [NumberedNames.Entry]? {
        guard lastForgotten <= last else { return nil }
        let gone = departures.reversed().prefix { $0.number > last }.map(\.entry)
        let stayed = present.entries(after: number, limit: limit)
        let all = (gone + stayed).filter { number < $0.number && $0.number <= last }
        return Array(all.sorted { $0.number < $1.number }.prefix(limit))
    }

    private mutating func noteDeparture(_ entry: NumberedNames.Entry, number: Int) {
        if departures.count >= 2 * Self.mostDepartures {
            lastForgotten = departures[Self.mostDepartures - 1].number
            departures.removeFirst(Self.mostDepartures)
        }
        departures.append((entry, number))
    }

    /// Calls `body` with each name, in order: the absent, the waiting and the present ones.
    package func forEach(_ body: (Account) -> Void) {
        for names in [absent, waiting, present] {
            names.forEach { bidder in
                if let account = accounts[bidder] { body(account) }
            }
        }
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// A name that somebody owns.
package struct Account: Sendable {
    /// The name as it was first written.
    package let bidder: Bidder
    /// The hash of the token that proves it.
    package let tokenHash: TokenHash
    /// Whether `JOINED` was sent for the owner, and `LEFT` not yet.
    package fileprivate(set) var isPresent = false
    /// Whether it left, and has bid or waits for the end of a lot.
    package fileprivate(set) var isAbsent = false
    /// Whether everybody knows of a bid under the name, which keeps it owned while it is absent.
    package fileprivate(set) var hasBid = false
    /// The number of the last lot with a bid under this name; 0 if unknown.
    package fileprivate(set) var lot = 0
    /// When its owner last left, in milliseconds since 1970.
    package fileprivate(set) var used: Int64 = 0
    /// Its number in the order of present names, or of absent ones.
    fileprivate var number = 0

    fileprivate init(bidder: Bidder, tokenHash: TokenHash) {
        (self.bidder, self.tokenHash) = (bidder, tokenHash)
    }

    /// Whether its owner never arrived.
    package var isFree: Bool { !isPresent && !isAbsent }
}
