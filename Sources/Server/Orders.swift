import Addresses
import Saleroom
import Transport
import Wire

/// What a shard is to do, in order.
package struct Orders: Sendable {
    package enum Order: Sendable {
        /// To take over a connection.
        case adopt(Int32, PeerAddress)
        /// To tell everybody who hears the format so many bytes of the text, the next ones.
        case append(Int, Format)
        case perform(Effect)
        /// To read no more from a connection.
        case silence(Handle)
        /// To read from a connection again.
        case unsilence(Handle)
        /// To close one of the connections that are finishing, if there is one.
        case closeOneFinishing
        /// To say when everything has been sent to everybody.
        case drain
    }

    /// News in a row are one order up to so many bytes, for a ring takes no more than it holds.
    package static let longestRow = 64 * 1024
    /// What waited once need not wait again: no more room than this is kept for it.
    private static let (keptOrders, keptBytes) = (4096, 256 * 1024)

    package private(set) var list: [Order] = []
    package private(set) var text: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { list.isEmpty }

    package mutating func append(_ order: Order) {
        list.append(order)
    }

    package mutating func append(_ lines: ArraySlice<UInt8>, as format: Format) {
        text.append(contentsOf: lines)
        if case .append(let count, format)? = list.last, count + lines.count <= Self.longestRow {
            list[list.count - 1] = .append(count + lines.count, format)
        } else {
            list.append(.append(lines.count, format))
        }
    }

    package mutating func append(_ later: Orders) {
        list += later.list
        text += later.text
    }

    package mutating func removeAll() {
        list.removeAll(keepingCapacity: list.capacity <= Self.keptOrders)
        text.removeAll(keepingCapacity: text.capacity <= Self.keptBytes)
    }
}
