import Addresses
import Posix
import Transport
import Wire

/// What the loop of a shard reports of its connections, in order.
package struct ShardEvents: Sendable {
    package enum Event: Sendable {
        /// A connection was taken over.
        case joined(Handle, PeerAddress)
        /// A connection could not be taken over.
        case refused(SystemError)
        /// Bytes were read: the next of `bytes`, as many as the number says.
        case heard(Handle, Int)
        /// The peer will send no more.
        case ended(Handle)
        /// A connection is closed.
        case lost(Handle)
        /// A connection has fallen behind its feed.
        case fallen(Handle)
        /// A connection is not read from, because it does not read its replies.
        case paused(Handle)
        /// A paused connection is read from again.
        case unpaused(Handle)
        /// A connection has been sent what preceded the confirmation request with this number.
        case sent(Handle, Int)
        /// A connection was sent `BYE`, and closes when its peer has read the rest.
        case finishing(Handle)
        /// A connection took nothing for too long; `lost` follows.
        case stalled(Handle)
        /// Everything has been sent to all connections.
        case drained
    }

    /// An array with more room than this is freed when it is emptied.
    private static let (keptEvents, keptBytes) = (4096, 256 * 1024)

    package private(set) var list: [Event] = []
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { list.isEmpty }

    package mutating func append(_ event: Event) {
        list.append(event)
    }

    package mutating func append(_ heard: ArraySlice<UInt8>, from handle: Handle) {
        bytes.append(contentsOf: heard)
        list.append(.heard(handle, heard.count))
    }

    package mutating func append(_ later: ShardEvents) {
        list += later.list
        bytes += later.bytes
    }

    package mutating func removeAll() {
        list.removeAll(keepingCapacity: list.capacity <= Self.keptEvents)
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
    }
}
