import Basics
import House
import Wire

/// The commands of the actor to the loop of a shard, in order.
package struct ShardCommands: Sendable {
    private enum Command: Sendable {
        /// Take over a connected socket of this peer.
        case adopt(Int32, PeerAddress)
        /// Append the next `records` records, which have `bytes` bytes together, to a feed.
        case append(records: Int, bytes: Int, RoomFeed)
        /// Perform an effect on its connection.
        case perform(Effect)
        /// Do what the house asks of the loop.
        case execute(LoopCommand)
    }

    /// Successive records of a feed are one command of at most this many bytes, to fit
    /// the ring.
    private static let appendByteLimit = 64 * 1024
    /// An array with more room than this is freed when it is emptied.
    private static let (keptCommands, keptBytes) = (4096, 256 * 1024)

    private var list: [Command] = []
    private var text: [UInt8] = []
    private var lengths: [Int] = []

    package init() {}

    package var isEmpty: Bool { list.isEmpty }

    /// The number of commands.
    package var count: Int { list.count }

    /// The number of bytes of news.
    package var textBytes: Int { text.count }

    package mutating func adopt(_ descriptor: Int32, from address: PeerAddress) {
        list.append(.adopt(descriptor, address))
    }

    package mutating func perform(_ effect: Effect) {
        list.append(.perform(effect))
    }

    package mutating func execute(_ command: LoopCommand) {
        list.append(.execute(command))
    }

    package mutating func append(_ record: ArraySlice<UInt8>, to feed: RoomFeed) {
        text.append(contentsOf: record)
        lengths.append(record.count)
        if case .append(let records, let bytes, feed)? = list.last,
            bytes + record.count <= Self.appendByteLimit
        {
            let longer = Command.append(
                records: records + 1, bytes: bytes + record.count, feed)
            list[list.count - 1] = longer
        } else {
            list.append(.append(records: 1, bytes: record.count, feed))
        }
    }

    package mutating func append(_ later: ShardCommands) {
        list += later.list
        text += later.text
        lengths += later.lengths
    }

    /// Gives all commands to a shard, in order.
    package func execute(on shard: some ShardOutput) {
        var (text, lengths) = (text[...], lengths[...])
        for command in list {
            switch command {
            case .adopt(let descriptor, let address): shard.adopt(descriptor, from: address)
            case .append(let records, let bytes, let feed):
                shard.append(text.prefix(bytes), lengths: lengths.prefix(records), to: feed)
                (text, lengths) = (text.dropFirst(bytes), lengths.dropFirst(records))
            case .perform(let effect): shard.perform(effect)
            case .execute(let command): shard.execute(command)
            }
        }
    }

    package mutating func removeAll() {
        list.removeAll(keepingCapacity: list.capacity <= Self.keptCommands)
        text.removeAll(keepingCapacity: text.capacity <= Self.keptBytes)
        lengths.removeAll(keepingCapacity: lengths.capacity <= Self.keptCommands)
    }
}
