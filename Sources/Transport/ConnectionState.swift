/// The state of one connection; less than 64 bytes, because there may be thousands.
struct ConnectionState {
    /// What has happened to a connection.
    struct Flags: OptionSet {
        let rawValue: UInt16

        /// The kernel took less than it was offered: nothing is sent until there is room.
        static let blocked = Flags(rawValue: 1 << 0)
        /// The loop reports when there is room again.
        static let awaitsRoom = Flags(rawValue: 1 << 1)
        /// The next flush visits it.
        static let dirty = Flags(rawValue: 1 << 2)
        /// It has fallen behind its feed: nothing of the feed is sent until the owner calls `skip`.
        static let fallen = Flags(rawValue: 1 << 3)
        /// It is not read from, because the peer does not read its replies.
        static let paused = Flags(rawValue: 1 << 4)
        /// The peer will send no more.
        static let hasEnded = Flags(rawValue: 1 << 5)
        /// It closes once everything is sent and the peer has ended too.
        static let finishing = Flags(rawValue: 1 << 6)
        /// Everything is sent, and the sending side is shut down.
        static let isShut = Flags(rawValue: 1 << 7)
        /// It closes at the end of the flush.
        static let leaving = Flags(rawValue: 1 << 8)
        /// It is not read from until a later turn, because this one has read enough.
        static let held = Flags(rawValue: 1 << 9)
        /// It is not read from, because the owner has stored input of it.
        static let silenced = Flags(rawValue: 1 << 10)
        /// It is in the queue of connections that took less than they were offered.
        static let watched = Flags(rawValue: 1 << 11)
        /// Its feed is suspended at a place until `resumeFeed`.
        static let suspended = Flags(rawValue: 1 << 12)

        /// With any of these, the connection is not read from.
        static let unread: Flags = [.paused, .held, .silenced, .hasEnded]
    }

    var handle = Handle(rawValue: .max)
    /// The socket; -1 while no connection has this place of the table.
    var descriptor: Int32 = -1
    /// The number of the feed that it follows; -1 for none.
    var feed: Int16 = -1
    var flags: Flags = []
    /// Its index among the followers of the feed.
    var place: Int32 = 0
    /// The most bytes that are read from it at a time.
    var readBytes: UInt16 = 0
    var cursor = Cursor()
    /// The private bytes to send; nil if there are none, which is usual.
    var outbox: Outbox?
    /// When the peer last took bytes, in nanoseconds; kept while `watched` or `finishing`.
    var progress: Int64 = 0

    var isOpen: Bool { descriptor != -1 }

    /// What the loop should wait for.
    var interest: Interest {
        var interest: Interest = []
        if flags.isDisjoint(with: .unread) { interest.insert(.readable) }
        if flags.contains(.awaitsRoom) { interest.insert(.writable) }
        return interest
    }
}
