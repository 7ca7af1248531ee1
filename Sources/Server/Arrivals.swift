import Addresses
import Posix
import Transport
import Wire

/// What has come of a shard's connections, in order.
package struct Arrivals: Sendable {
    package enum Arrival: Sendable {
        case joined(Handle, PeerAddress)
        /// A connection could not be taken over.
        case refused(SystemError)
        /// So many bytes were read, the next ones.
        case heard(Handle, Int)
        case ended(Handle)
        /// A connection is gone, and closed.
        case lost(Handle)
        case fallen(Handle)
        /// A connection is no longer read from, because too many answers wait for it.
        case paused(Handle)
        /// A paused connection is read from again.
        case unpaused(Handle)
        /// A connection has been sent what preceded the request to confirm with this number.
        case sent(Handle, Int)
        /// A connection was said goodbye, and closes when it has taken what is left.
        case finishing(Handle)
        /// A connection took nothing for too long; that it is gone comes next.
        case stalled(Handle)
        /// Everything has been sent to everybody.
        case drained
    }

    /// What came once need not come again: no more room than this is kept for it.
    private static let (keptArrivals, keptBytes) = (4096, 256 * 1024)

    package private(set) var list: [Arrival] = []
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { list.isEmpty }

    package mutating func append(_ arrival: Arrival) {
        list.append(arrival)
    }

    package mutating func append(_ heard: ArraySlice<UInt8>, from handle: Handle) {
        bytes.append(contentsOf: heard)
        list.append(.heard(handle, heard.count))
    }

    package mutating func append(_ later: Arrivals) {
        list += later.list
        bytes += later.bytes
    }

    package mutating func removeAll() {
        list.removeAll(keepingCapacity: list.capacity <= Self.keptArrivals)
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
    }
}
