import Saleroom
import Transport

/// The name of a session is the handle of its connection, with the number of its shard where no
/// slot reaches: a process has fewer than 2^24 open files.
extension SessionID {
    /// The most shards that names have room for.
    package static let mostShards = 256
    private static let shardShift = 24
    private static let shardBits = UInt64(mostShards - 1) << shardShift

    package init(_ handle: Handle, shard: Int) {
        precondition(handle.rawValue & Self.shardBits == 0, "fewer than 2^24 files are open")
        self.init(rawValue: handle.rawValue | UInt64(shard) << Self.shardShift)
    }

    /// Which shard the connection belongs to; 0 is the saleroom's own.
    package var shard: Int { Int((rawValue & Self.shardBits) >> Self.shardShift) }

    /// The connection, as its shard calls it.
    package var handle: Handle { Handle(rawValue: rawValue & ~Self.shardBits) }
}
