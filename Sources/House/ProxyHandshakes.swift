import Auction
import Basics
import Wire

/// The connections of trusted proxies that have not sent their PROXY header yet.
///
/// A trusted proxy sends one header first, which names the peer that it forwards. From other
/// addresses no header is expected or believed.
package struct ProxyHandshakes {
    /// How long a proxy may take to send its header.
    package static let headerTime = Duration.seconds(5)

    /// The outcome of bytes that a proxy sent.
    package enum Outcome: Equatable {
        /// The header is not complete yet.
        case incomplete
        /// The header is complete: the peer that it names, and the bytes after it.
        case complete(PeerAddress, rest: ArraySlice<UInt8>)
        /// The bytes are no header; the address is the proxy's.
        case invalid(PeerAddress)
    }

    private struct Handshake {
        let proxy: PeerAddress
        var received: [UInt8] = []
    }

    /// The addresses of the proxies; empty after the end.
    private var trusted: [AddressBlock]
    private var handshakes: [SessionID: Handshake] = [:]
    /// The connections by when their header is due; those whose handshake has ended are skipped.
    private var timers = TimerQueue<SessionID, Instant>()

    /// Creates an empty set; `trusted` are the addresses of proxies.
    package init(trusting trusted: [AddressBlock]) {
        self.trusted = trusted
    }

    /// Begins a handshake if the address is a trusted proxy's; false if it is not.
    package mutating func begin(_ id: SessionID, from address: PeerAddress, at now: Instant)
        -> Bool
    {
        guard trusted.contains(where: { $0.contains(address) }) else { return false }
        handshakes[id] = Handshake(proxy: address)
        timers.insert(id, due: now.advanced(by: Self.headerTime))
        return true
    }

    /// Whether the handshake of a connection is under way.
    package func contains(_ id: SessionID) -> Bool {
        !handshakes.isEmpty && handshakes[id] != nil
    }

    /// Takes bytes of a connection whose handshake is under way; ends it unless more are needed.
    package mutating func receive(_ bytes: ArraySlice<UInt8>, from id: SessionID) -> Outcome {
        guard var handshake = handshakes[id] else { return .incomplete }
        let before = handshake.received.count
        handshake.received += bytes.prefix(ProxyHeader.longest - before)
        switch ProxyHeader.read(handshake.received) {
        case .needsMore:
            handshakes[id] = handshake
            return .incomplete
        case .header(let header):
            handshakes[id] = nil
            return .complete(
                header.source ?? handshake.proxy, rest: bytes.dropFirst(header.length - before))
        case .invalid:
            handshakes[id] = nil
            return .invalid(handshake.proxy)
        }
    }

    /// Removes a handshake, and returns the address of its proxy; nil if there is none.
    package mutating func remove(_ id: SessionID) -> PeerAddress? {
        handshakes.removeValue(forKey: id)?.proxy
    }

    /// When the first header is due; nil if no handshake is under way.
    package var deadline: Instant? { handshakes.isEmpty ? nil : timers.deadline }

    /// Returns the next connection whose header is overdue; its handshake stays until `remove`.
    package mutating func popDue(at now: Instant) -> SessionID? {
        while let id = timers.popDue(at: now) {
            if handshakes[id] != nil { return id }
        }
        return nil
    }

    /// Ends all handshakes, and returns their connections; no other one begins.
    package mutating func end() -> [SessionID] {
        defer { (handshakes, trusted) = ([:], []) }
        return Array(handshakes.keys)
    }
}
