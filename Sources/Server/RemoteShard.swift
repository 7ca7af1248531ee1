import Addresses
import Posix
import Saleroom
import Transport
import Wire

/// A shard on another loop, as the saleroom's loop sees it.
///
/// What is said to it is gathered until `handOver`. Belongs to the thread of the saleroom's loop.
package final class RemoteShard: Audience {
    package let number: Int
    /// How many connections it was given and has not lost.
    package private(set) var count = 0
    /// Whatever reached its connections by then has been heard, in nanoseconds.
    package private(set) var heardUntil: Int64 = .min
    private(set) var isDrained = false
    /// Whether it has so much to tell that nobody should be heard before it has taken that.
    private(set) var isBehind = false
    private let mailbox: Mailbox
    private let wake: () -> Void
    private var orders = Orders()
    private var arrivals = Arrivals()
    /// How many of the arrivals were heard, and of their bytes.
    private var used = (arrivals: 0, bytes: 0)
    private var takenUntil: Int64 = .min
    /// The instant until which a report was requested that has not come.
    private var inquiredUntil: Int64?
    private var hearsJSON = false
    /// The connections that it does not read from, because too many answers wait for them.
    private var paused: Set<Handle> = []
    /// The connections that it reported as finishing, and not yet as gone.
    private var finishing: Set<Handle> = []
    /// How many of them it was told to close.
    ///
    /// - Invariant: at most `finishing.count`.
    private var closing = 0

    /// Makes the saleroom's side of a mailbox; `wake` wakes the other side.
    package init(_ number: Int, _ mailbox: Mailbox, wake: @escaping () -> Void) {
        (self.number, self.mailbox, self.wake) = (number, mailbox, wake)
    }

    package func hears(_ format: Format) -> Bool {
        count > 0 && (format == .text || hearsJSON)
    }

    package func append(_ lines: ArraySlice<UInt8>, as format: Format) {
        if hears(format) { orders.append(lines, as: format) }
    }

    package func perform(_ effect: Effect) {
        if case .use(.json, _) = effect { hearsJSON = true }
        orders.append(.perform(effect))
    }

    /// Gives a connection to it; its name comes back in an arrival.
    package func adopt(_ descriptor: Int32, from address: PeerAddress) {
        count += 1
        orders.append(.adopt(descriptor, address))
    }

    /// Reads no more from a connection until `unsilence`.
    package func silence(_ handle: Handle) {
        orders.append(.silence(handle))
    }

    /// Reads from a connection again.
    package func unsilence(_ handle: Handle) {
        orders.append(.unsilence(handle))
    }

    /// Tells it to close one of its finishing connections; false if it has none that is not about to
    /// be closed.
    ///
    /// The connection counts until it is reported as gone.
    package func closeOneFinishing() -> Bool {
        guard closing < finishing.count else { return false }
        closing += 1
        orders.append(.closeOneFinishing)
        return true
    }

    /// Learns when everything has been sent: then `isDrained` holds.
    func drain() {
        orders.append(.drain)
    }

    /// Hands over what was said since the last time.
    package func handOver() {
        guard !orders.isEmpty else { return }
        mailbox.give(&orders)
        wake()
    }

    /// Whether it does not read from a connection, because too many answers wait for it.
    package func isPaused(_ handle: Handle) -> Bool { paused.contains(handle) }

    /// Requests a report once it has read everything that arrived until an instant, unless that was
    /// taken or requested; the answer wakes the saleroom's loop.
    package func inquire(until instant: Int64) {
        guard max(takenUntil, inquiredUntil ?? .min) < instant else { return }
        inquiredUntil = instant
        mailbox.wantReport(until: instant)
        wake()
    }

    /// Learns how far it has come.
    ///
    /// - Throws: What ended its loop.
    package func catchUp() throws {
        isBehind = try mailbox.isBehind()
    }

    /// Whether some of what was taken has not been heard.
    package var hasUnheard: Bool { used.arrivals < arrivals.list.count }

    /// Takes what has come of its connections, unless there is still some from the last time.
    ///
    /// - Throws: What ended its loop.
    package func takeArrivals() throws {
        guard !hasUnheard else { return }
        let (heardUntil, wasHolding) = try mailbox.take(&arrivals)
        if let inquired = inquiredUntil, heardUntil >= inquired { inquiredUntil = nil }
        (used, takenUntil) = ((0, 0), heardUntil)
        if arrivals.isEmpty { self.heardUntil = heardUntil }
        if wasHolding { wake() }
    }

    /// The next of what was taken, with its bytes if it has any; nil when all has been heard.
    package func nextArrival() -> (Arrivals.Arrival, ArraySlice<UInt8>)? {
        guard used.arrivals < arrivals.list.count else {
            heardUntil = takenUntil
            return nil
        }
        let arrival = arrivals.list[used.arrivals]
        used.arrivals += 1
        switch arrival {
        case .heard(_, let count):
            used.bytes += count
            return (arrival, arrivals.bytes[used.bytes - count..<used.bytes])
        case .lost(let handle):
            count -= 1
            paused.remove(handle)
            if finishing.remove(handle) != nil { closing = max(closing - 1, 0) }
        case .refused: count -= 1
        case .paused(let handle): paused.insert(handle)
        case .unpaused(let handle): paused.remove(handle)
        case .finishing(let handle): finishing.insert(handle)
        case .drained: isDrained = true
        case .joined, .ended, .fallen, .sent, .stalled: break
        }
        return (arrival, [])
    }
}
