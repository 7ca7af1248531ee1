import Auction
import Basics
import Wire

/// Usage counters per network.
///
/// Each allowance limits every address and, with a larger rate, the wider networks around it.
/// Memory is bounded: a network without connections and rooms is removed when its buckets are full
/// again, after about a minute. If there are more than 16,384 such networks, the one due first is
/// removed at once, with its counters.
struct NetworkUsage {
    /// What is limited by a rate.
    enum Allowance: Int, CaseIterable {
        /// New names.
        case nameUses
        /// Openings of names that were opened shortly before.
        case openings
        /// Claims of names and rooms among several nodes.
        case claims
        /// Wrong tokens.
        case wrongTokens
        /// New connections.
        case connects
        /// Lines that are handled.
        case lines
        /// Bytes of the journal that they cause.
        case journal
    }

    /// What is counted while it lasts.
    enum Count: Int, CaseIterable {
        /// Connections; those of this machine are not counted.
        case connections
        /// Rooms that were opened and have not ended; those of the Unix socket are not counted.
        case rooms
    }

    /// The maximum number of networks that one call removes, which bounds its time.
    private static let removedAtOnce = 256
    /// The maximum number of networks whose buckets are not full.
    private static let fillingLimit = 16_384
    /// The time from a network's first use to its first check.
    private static let firstCheck = Duration.seconds(60)

    private let trusted: TrustedNetworks
    /// The limits of one address; nil where there is none.
    private let most: (connections: Int?, rooms: Int?)
    /// The rate of each allowance for one address; nil where there is no limit.
    private let rates: [TokenBucket.Rate?]
    private var uses: [Network: Use] = [:]
    /// The networks whose buckets may not be full, and when each is checked.
    private var fillings = TimerQueue<Network, Instant>()

    /// What one network has used.
    private struct Use {
        /// Its connections and rooms, where they are counted.
        var counts = [Int](repeating: 0, count: Count.allCases.count)
        var buckets = [TokenBucket](repeating: TokenBucket(), count: Allowance.allCases.count)
        /// Whether the network is in `fillings`.
        var isFilling = false

        /// Whether nothing is counted now.
        var isUnused: Bool { counts.allSatisfy { $0 == 0 } }
    }

    init(_ limits: Limits) {
        trusted = limits.trustedNetworks
        most = (limits.connectionsPerAddress, limits.roomsPerAddress)
        rates = Allowance.allCases.map { allowance in
            switch allowance {
            case .nameUses: limits.nameUses
            case .openings: limits.openings?.times(10)
            case .claims: limits.claims
            case .wrongTokens: limits.wrongTokens
            case .connects: limits.connects
            case .lines: limits.addressLines
            case .journal: limits.addressJournal
            }
        }
    }

    /// The number of networks with counters.
    var count: Int { uses.count }

    /// Whether an allowance has a limit.
    func limits(_ allowance: Allowance) -> Bool { rates[allowance.rawValue] != nil }

    // Counts

    /// Whether an address, or a network around it, has as many of these as it may.
    ///
    /// The limit is that of one address; wider networks have larger ones.
    func isFull(_ count: Count, of address: PeerAddress) -> Bool {
        guard let most = limit(count, of: address) else { return false }
        return Network.Width.allCases.contains { width in
            guard let network = trusted.network(width, around: address), let use = uses[network]
            else { return false }
            return use.counts[count.rawValue] >= most * network.factor
        }
    }

    /// Adds to what is counted, or with a negative change removes from it.
    mutating func count(_ change: Int, _ count: Count, of address: PeerAddress) {
        guard limit(count, of: address) != nil else { return }
        for width in Network.Width.allCases {
            guard let network = trusted.network(width, around: address) else { continue }
            uses[network, default: Use()].counts[count.rawValue] += change
            guard let index = uses.index(forKey: network) else { continue }
            let use = uses.values[index]
            if use.isUnused, !use.isFilling { uses.remove(at: index) }
        }
    }

    private func limit(_ count: Count, of address: PeerAddress) -> Int? {
        switch count {
        case .connections: address.isOfThisMachine ? nil : most.connections
        case .rooms: address == .local ? nil : most.rooms
        }
    }

    // Allowances

    /// What an address may use now: the least balance of its networks, negative for debts.
    func available(_ allowance: Allowance, of address: PeerAddress, at now: Instant) -> Int {
        var least = Int.max
        for width in Network.Width.allCases {
            guard let (rate, bucket) = bucket(allowance, of: address, width) else { continue }
            least = min(least, bucket.available(rate, at: now))
        }
        return least
    }

    /// When an address and all its networks have `count` available; nil if they have it now.
    func due(
        _ count: Int, _ allowance: Allowance, of address: PeerAddress, at now: Instant
    ) -> Instant? {
        var latest = now
        for width in Network.Width.allCases {
            guard let (rate, bucket) = bucket(allowance, of: address, width) else { continue }
            latest = max(latest, bucket.due(count, rate, at: now))
        }
        return latest > now ? latest : nil
    }

    /// Charges an address and its networks; a negative count is a refund.
    mutating func spend(
        _ count: Int, _ allowance: Allowance, of address: PeerAddress, at now: Instant
    ) {
        guard count != 0, limits(allowance) else { return }
        for width in Network.Width.allCases {
            guard let network = trusted.network(width, around: address) else { continue }
            spend(count, allowance, of: network, at: now)
        }
    }

    /// A charge in advance, in some of an address's networks.
    struct Turn {
        /// When what was charged last is available.
        let due: Instant
        /// The networks that are charged.
        let charged: [Network.Width]
    }

    /// Charges one to an address and its networks, except those charged before.
    ///
    /// If some of them have none left, only the one with the longest wait is charged, in advance,
    /// and a turn there is returned. So waiting in one network does not affect wider ones.
    mutating func takeTurn(
        _ allowance: Allowance, of address: PeerAddress, charged: [Network.Width], at now: Instant
    ) -> Turn? {
        let widths = Network.Width.allCases.filter { !charged.contains($0) }
        var longest = (width: Network.Width.address, due: now)
        for width in widths {
            guard let (rate, bucket) = bucket(allowance, of: address, width) else { continue }
            let due = bucket.due(1, rate, at: now)
            if due > longest.due { longest = (width, due) }
        }
        guard longest.due > now else {
            for width in widths {
                guard let network = trusted.network(width, around: address) else { continue }
                spend(1, allowance, of: network, at: now)
            }
            return nil
        }
        if let network = trusted.network(longest.width, around: address) {
            spend(1, allowance, of: network, at: now)
        }
        return Turn(due: longest.due, charged: charged + [longest.width])
    }

    /// Refunds a turn.
    mutating func giveBack(
        _ turn: Turn, _ allowance: Allowance, of address: PeerAddress, at now: Instant
    ) {
        for width in turn.charged {
            guard let network = trusted.network(width, around: address) else { continue }
            spend(-1, allowance, of: network, at: now)
        }
    }

    /// Removes networks whose counters are at rest.
    mutating func forget(at now: Instant) {
        for _ in 0..<Self.removedAtOnce {
            guard let network = fillings.popDue(at: now) else { return }
            guard let index = uses.index(forKey: network) else { continue }
            let full = full(uses.values[index], of: network, at: now)
            if full > now {
                fillings.insert(network, due: full)
            } else if uses.values[index].isUnused {
                uses.remove(at: index)
            } else {
                uses.values[index].isFilling = false
            }
        }
    }

    private mutating func spend(
        _ count: Int, _ allowance: Allowance, of network: Network, at now: Instant
    ) {
        guard let rate = rate(allowance, of: network) else { return }
        uses[network, default: Use()].buckets[allowance.rawValue].spend(count, rate, at: now)
        guard let index = uses.index(forKey: network), !uses.values[index].isFilling else { return }
        uses.values[index].isFilling = true
        fillings.insert(network, due: now.advanced(by: Self.firstCheck))
        if fillings.count > Self.fillingLimit { forgetFirst() }
    }

    /// Removes the network that is due first, although its buckets may not be full.
    private mutating func forgetFirst() {
        guard let due = fillings.deadline, let network = fillings.popDue(at: due),
            let index = uses.index(forKey: network)
        else { return }
        if uses.values[index].isUnused {
            uses.remove(at: index)
        } else {
            uses.values[index].isFilling = false
        }
    }

    private func bucket(
        _ allowance: Allowance, of address: PeerAddress, _ width: Network.Width
    ) -> (TokenBucket.Rate, TokenBucket)? {
        guard let network = trusted.network(width, around: address),
            let rate = rate(allowance, of: network), let use = uses[network]
        else { return nil }
        return (rate, use.buckets[allowance.rawValue])
    }

    private func rate(_ allowance: Allowance, of network: Network) -> TokenBucket.Rate? {
        rates[allowance.rawValue].map { $0.times(network.factor) }
    }

    /// When all buckets of a network are full.
    private func full(_ use: Use, of network: Network, at now: Instant) -> Instant {
        Allowance.allCases.reduce(now) { latest, allowance in
            guard let rate = rate(allowance, of: network) else { return latest }
            return max(latest, use.buckets[allowance.rawValue].full(rate, at: now))
        }
    }
}
