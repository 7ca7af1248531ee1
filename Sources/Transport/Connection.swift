import Basics
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The result of one attempt to read.
public enum ReadOutcome: Equatable, Sendable {
    /// The number of bytes read, at least one.
    case bytes(Int)
    /// Nothing has arrived, or the handle is stale.
    case wouldBlock
    /// The peer will send no more, but may still be reading.
    case end
    /// The peer has gone altogether.
    case reset
}

/// The state of one connection: 48 bytes, because there may be many thousands.
///
/// It knows neither its handle nor other connections: `ConnectionTable` holds them by their slots.
/// Not copyable, so that reading one property does not copy, and retain, all.
struct Connection: ~Copyable {
    /// Reasons not to read from a connection.
    struct ReadBlocks: OptionSet {
        let rawValue: UInt8

        /// More than half of its output limit waits, so it is not answered further until all is
        /// sent.
        static let unsentReplies = ReadBlocks(rawValue: 1 << 0)
        /// This turn has read enough; a later one reads it.
        static let held = ReadBlocks(rawValue: 1 << 1)
        /// The owner has input of it that is not handled yet.
        static let unhandledInput = ReadBlocks(rawValue: 1 << 2)
        /// The peer has ended its side.
        static let ended = ReadBlocks(rawValue: 1 << 3)
    }

    /// Whether the kernel takes output.
    enum Room {
        /// It took everything so far.
        case free
        /// It took less than it was offered; the loop reports when there is room.
        case full
        /// The loop has reported room, and nothing was sent since.
        case reported
    }

    /// How far the closing of a connection is.
    enum Phase: Comparable {
        case open
        /// It is to be shut down when everything is sent.
        case finishing
        /// Everything is sent, and the sending side is shut down.
        case shut
        /// It closes at the end of the flush.
        case leaving
    }

    /// What takes a connection off the usual path of news.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// The next flush visits it.
        static let dirty = Marks(rawValue: 1 << 0)
        /// It is checked for a stall.
        static let watched = Marks(rawValue: 1 << 1)
        /// It has fallen behind its feed, of which nothing is sent until the owner skips.
        static let fallen = Marks(rawValue: 1 << 2)
        /// Its feed is suspended at a place.
        static let suspended = Marks(rawValue: 1 << 3)
    }

    /// The index of no feed.
    private static let noFeed = UInt16.max
    /// The first read takes at most this many bytes.
    private static let firstReadBytes = 256

    /// The private bytes to send.
    ///
    /// - Invariant: nil if there are none, which is usual.
    var outbox: Outbox?
    /// When the peer last took bytes; kept while it is watched.
    var progress = Instant(nanoseconds: 0)
    private var position = 0
    private var record: UInt32 = 0
    /// Its place among the followers of the feed.
    private(set) var place: Int32 = 0
    /// The generation of its handle.
    let generation: UInt32
    /// The socket; -1 for a slot without a connection.
    let descriptor: Int32
    private var feedIndex = Connection.noFeed
    /// How often a read has filled the buffer it was given.
    private var readDoublings: UInt8 = 0
    /// Why it is not read from.
    var readBlocks: ReadBlocks = []
    var marks: Marks = []
    private(set) var phase = Phase.open
    /// How many reads were thrown away since it is to be closed.
    private var discards: UInt8 = 0
    var room = Room.free

    /// An open connection, or a slot without one.
    init(descriptor: Int32 = -1, generation: UInt32 = 0) {
        (self.descriptor, self.generation) = (descriptor, generation)
    }

    var isOpen: Bool { descriptor != -1 }

    /// What the loop should wait for.
    var interest: Interest {
        var interest: Interest = readBlocks.isEmpty ? .readable : []
        if room != .free { interest.insert(.writable) }
        return interest
    }

    /// Whether there is nothing to send but news, and nothing to do before or after that.
    var isDueNewsAlone: Bool { room == .free && phase == .open && marks.isEmpty && outbox == nil }

    /// Whether a send that completes changes nothing but the cursor and the outbox.
    var isSettled: Bool {
        room == .free && phase == .open && !readBlocks.contains(.unsentReplies)
    }

    // MARK: Reading

    /// Makes the next read small again: a sixteenth of `limit`, or as small as the first.
    ///
    /// What is read of a silenced connection is stored, so the limit bounds the memory for it.
    mutating func resetReadSize(atMost limit: Int) {
        readDoublings = 0
        while Self.firstReadBytes << Int(readDoublings + 1) <= limit / 16 { readDoublings += 1 }
    }

    /// Reads once, at most `limit` bytes; the end of the stream is a reason to read no more.
    ///
    /// The first reads are small, and each that fills its share doubles the next: thus connections
    /// that send much at once do not keep the others waiting.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, atMost limit: Int
    ) -> ReadOutcome {
        let size = min(Self.firstReadBytes << Int(readDoublings), limit, buffer.count)
        let count = uninterrupted { recv(descriptor, buffer.baseAddress, size, receiveFlags) }
        if count == size && Self.firstReadBytes << Int(readDoublings) < limit { readDoublings += 1 }
        if count > 0 { return .bytes(count) }
        guard count == 0 else { return errno == EAGAIN ? .wouldBlock : .reset }
        // After the end only a hang-up is reported: this is one.
        return readBlocks.insert(.ended).inserted ? .end : .reset
    }

    /// Counts a read whose bytes are discarded; false after 255 of them.
    mutating func mayDiscard() -> Bool {
        guard discards < .max else { return false }
        discards += 1
        return true
    }

    // MARK: Following

    /// The index of the feed that it follows; nil for none.
    var feed: Int? { feedIndex == Self.noFeed ? nil : Int(feedIndex) }

    /// The next record of the feed to send.
    var cursor: Cursor {
        get { Cursor(position: position, record: record) }
        set { (position, record) = (newValue.position, newValue.record) }
    }

    mutating func follow(_ feed: Int, place: Int, from cursor: Cursor) {
        precondition(feed < Int(Self.noFeed), "a loop has at most 65,535 feeds")
        (feedIndex, self.place, self.cursor) = (UInt16(feed), Int32(place), cursor)
    }

    mutating func leaveFeed() {
        feedIndex = Self.noFeed
    }

    mutating func move(toPlace place: Int) {
        self.place = Int32(place)
    }

    // MARK: Sending and closing

    /// The private bytes that wait.
    var pendingReplies: Int { outbox?.count ?? 0 }

    /// Enters a later phase of closing; false if it is in that one or in a later one.
    mutating func enter(_ next: Phase) -> Bool {
        guard phase < next else { return false }
        phase = next
        return true
    }
}
