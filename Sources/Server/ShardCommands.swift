import Addresses
import Saleroom
import Transport
import Wire

/// What the saleroom tells the loop of a shard to do, in order.
package struct ShardCommands: Sendable {
    package enum Command: Sendable {
        /// Take over a connected socket of this peer.
        case adopt(Int32, PeerAddress)
        /// Append the next bytes of `text`, as many as the number says, to the feed of a format.
        case append(Int, Format)
        /// Do what an effect says for its connection.
        case perform(Effect)
        /// Stop reading from a connection.
        case silence(Handle)
        /// Read from a connection again.
        case unsilence(Handle)
        /// Close one of the connections that are finishing, if there is one.
        case closeOneFinishing
        /// Report when everything has been sent to all connections.
        case drain
    }

    /// Successive lines of a format are one command of at most this many bytes, so that it fits the
    /// ring.
    package static let longestRow = 64 * 1024
    /// An array with more room than this is freed when it is emptied.
    private static let (keptCommands, keptBytes) = (4096, 256 * 1024)

    package private(set) var list: [Command] = []
    package private(set) var text: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { list.isEmpty }

    package mutating func append(_ command: Command) {
        list.append(command)
    }

    package mutating func append(_ lines: ArraySlice<UInt8>, as format: Format) {
        text.append(contentsOf: lines)
        if case .append(let count, format)? = list.last, count + lines.count <= Self.longestRow {
            list[list.count - 1] = .append(count + lines.count, format)
        } else {
            list.append(.append(lines.count, format))
        }
    }

    package mutating func append(_ later: ShardCommands) {
        list += later.list
        text += later.text
    }

    package mutating func removeAll() {
        list.removeAll(keepingCapacity: list.capacity <= Self.keptCommands)
        text.removeAll(keepingCapacity: text.capacity <= Self.keptBytes)
    }
}
