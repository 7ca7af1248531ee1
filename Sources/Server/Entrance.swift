import Addresses
import AuctionRules
import Queues
import Saleroom
import Wire

/// Where connections wait whose proxy has yet to say whom it passes on.
///
/// A proxy that is trusted says that first, in one header; from anybody else such a header is not
/// believed, and nothing is waited for.
package struct Entrance {
    /// How long a proxy has for its header.
    package static let patience = Duration.seconds(5)

    /// What became of bytes from a connection.
    package enum Outcome: Equatable {
        /// They are part of a header.
        case waits
        /// The header is whole: from this address, the bytes behind it are the first to be heard.
        case admits(PeerAddress, first: ArraySlice<UInt8>)
        /// They are no header.
        case refuses(PeerAddress)
    }

    private struct Newcomer {
        let address: PeerAddress
        var heard: [UInt8] = []
    }

    private let trusted: [AddressBlock]
    private var newcomers: [SessionID: Newcomer] = [:]
    /// The connections by when their header is due; those that have left are skipped.
    private var timers = TimerQueue<SessionID, Instant>()

    package init(trusting trusted: [AddressBlock]) {
        self.trusted = trusted
    }

    /// Whether a connection has to say a header first: then it waits here.
    package mutating func detains(_ id: SessionID, from address: PeerAddress, at now: Instant)
        -> Bool
    {
        guard trusted.contains(where: { $0.contains(address) }) else { return false }
        newcomers[id] = Newcomer(address: address)
        timers.insert(id, due: now.advanced(by: Self.patience))
        return true
    }

    /// Whether a connection waits here.
    package func contains(_ id: SessionID) -> Bool {
        !newcomers.isEmpty && newcomers[id] != nil
    }

    /// Hears bytes from a connection that waits here.
    package mutating func hear(_ bytes: ArraySlice<UInt8>, from id: SessionID) -> Outcome {
        guard var newcomer = newcomers[id] else { return .waits }
        let before = newcomer.heard.count
        newcomer.heard += bytes.prefix(ProxyHeader.longest - before)
        switch ProxyHeader.read(newcomer.heard) {
        case .needsMore:
            newcomers[id] = newcomer
            return .waits
        case .header(let header):
            newcomers[id] = nil
            return .admits(
                header.source ?? newcomer.address,
                first: bytes.dropFirst(header.length - before))
        case .invalid:
            newcomers[id] = nil
            return .refuses(newcomer.address)
        }
    }

    /// Lets a connection go that waits here, and tells where it came from.
    package mutating func dismiss(_ id: SessionID) -> PeerAddress? {
        newcomers.removeValue(forKey: id)?.address
    }

    /// When the first of them has waited long enough.
    package var deadline: Instant? { newcomers.isEmpty ? nil : timers.deadline }

    /// Takes out one who has waited long enough.
    package mutating func takeDue(at now: Instant) -> SessionID? {
        while let id = timers.popDue(at: now) {
            if newcomers[id] != nil { return id }
        }
        return nil
    }

    /// Takes out everybody.
    package mutating func takeAll() -> [SessionID] {
        defer { newcomers = [:] }
        return Array(newcomers.keys)
    }
}
