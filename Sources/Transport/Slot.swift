/// All that is kept for one connection; a few dozen bytes, for there may be thousands.
struct Slot {
    /// What has come over a connection, apart from what it has to send.
    struct State: OptionSet {
        let rawValue: UInt16

        /// The kernel took less than it was offered: nothing is sent until there is room.
        static let blocked = State(rawValue: 1 << 0)
        /// The loop has been asked to tell when there is room.
        static let awaitsRoom = State(rawValue: 1 << 1)
        /// It stands in the list of those to visit at the next flush.
        static let dirty = State(rawValue: 1 << 2)
        /// Nothing of the feed is sent until the owner has skipped what was missed.
        static let fallen = State(rawValue: 1 << 3)
        /// Its peer asks and does not read the answers: no more is read from it.
        static let paused = State(rawValue: 1 << 4)
        /// The peer will send no more.
        static let hasEnded = State(rawValue: 1 << 5)
        /// It closes once everything is sent and the peer has ended too.
        static let finishing = State(rawValue: 1 << 6)
        /// Everything is sent, and the peer has been told so.
        static let isShut = State(rawValue: 1 << 7)
        /// It is closed at the end of the flush.
        static let leaving = State(rawValue: 1 << 8)
        /// Its owner has no room for more: no more is read from it.
        static let held = State(rawValue: 1 << 9)
        /// Its owner has not heard all that it said: no more is read from it.
        static let silenced = State(rawValue: 1 << 10)
        /// It stands in the queue of those that took less than they were offered.
        static let watched = State(rawValue: 1 << 11)
        /// The feed is suspended at a place until it is resumed.
        static let suspended = State(rawValue: 1 << 12)
    }

    var handle = Handle(rawValue: .max)
    /// -1 while the slot is free.
    var descriptor: Int32 = -1
    /// Which feed is followed; -1 for none.
    var feed: Int16 = -1
    var state: State = []
    /// Where among the followers of the feed it stands.
    var place: Int32 = 0
    /// How much is read from it at a time.
    var readBytes: UInt16 = 0
    var cursor = Cursor()
    /// Nil while there is nothing private to send, which is nearly always.
    var outbox: Outbox?
    /// When it took something last, in nanoseconds, while that is looked at.
    var progress: Int64 = 0

    var isOpen: Bool { descriptor != -1 }

    /// Whether there is nothing to it but what it reads in its feed.
    var isPlain: Bool { state.isEmpty && outbox == nil }

    /// What the loop should wait for.
    var interest: Interest {
        var interest: Interest = []
        if state.isDisjoint(with: [.paused, .held, .silenced, .hasEnded]) {
            interest.insert(.readable)
        }
        if state.contains(.awaitsRoom) { interest.insert(.writable) }
        return interest
    }
}
