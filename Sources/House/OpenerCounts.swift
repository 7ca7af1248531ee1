import Basics

/// The number of rooms opened from each address, and from the networks around it, and not ended.
struct OpenerCounts {
    private let trusted: TrustedNetworks
    private var counts: [Network: Int] = [:]

    init(trusting trusted: TrustedNetworks) {
        self.trusted = trusted
    }

    /// Whether an address, or a network around it, has opened as many rooms as it may.
    ///
    /// `most` is the limit of one address; wider networks have larger ones.
    func isFull(_ origin: PeerAddress, most: Int) -> Bool {
        networks(of: origin).contains { counts[$0] ?? 0 >= most * $0.factor }
    }

    /// Counts a room that is opened; nil for an address that is not known.
    mutating func add(_ origin: PeerAddress?) {
        for network in networks(of: origin) { counts[network, default: 0] += 1 }
    }

    /// Stops counting a room that has ended.
    mutating func remove(_ origin: PeerAddress?) {
        for network in networks(of: origin) {
            guard let count = counts[network] else { continue }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }

    /// The address and the networks around it.
    ///
    /// None for peers of the Unix socket, who are the operator's.
    private func networks(of origin: PeerAddress?) -> [Network] {
        guard let origin, origin != .local else { return [] }
        return Network.Width.allCases.compactMap { trusted.network($0, around: origin) }
    }
}
