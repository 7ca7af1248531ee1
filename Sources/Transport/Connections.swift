import Posix
import Queues

/// All open connections, and the feeds they follow.
///
/// A record of a feed is kept once, however many follow: each connection is a cursor. What is meant
/// for one connection alone waits in its outbox, with its place in the feed. Nothing is sent before
/// `flush`, and then everything a connection has goes in one system call.
///
/// Belongs to the thread of its loop. A call with a stale handle does nothing, so the owner may
/// close a connection at any time. In each turn the owner reads what is readable, tells what is
/// writable, appends and replies, and flushes; then it takes `takeFallen` and `takeEnded`, and
/// flushes again if it replied to anybody.
public final class Connections {
    /// At most so much is read from one connection in one turn: 16 KiB.
    ///
    /// A thousand short commands. Whoever sends more at once has the first answered while the rest
    /// is on its way, and nobody keeps a turn for long.
    public static let readBytes = 16 * 1024
    /// So much is read from a newcomer the first time, and twice as much each time that was there.
    ///
    /// So those who say much at once cannot keep the others waiting, all together.
    static let firstReadBytes = 256
    /// A cursor further behind than this is not waited for when the feed is left.
    static let flattenBytes = 64 * 1024
    /// With more of a feed than this on its way to its followers, a flush does not pause.
    static let waitingBytes = 64 * 1024
    /// A connection is sent at most this many batches in one turn.
    static let batchesPerTurn = 4
    /// So many outboxes of at most so many bytes are kept for whoever needs one next.
    private static let (spareOutboxes, spareBytes) = (16, 256 * 1024)

    let loop: EventLoop
    // Properties that every delivery or every turn accesses are not checked for exclusive access at
    // run time: a check costs about 90 instructions, and a delivery in all 250. No closure runs
    // during an access to one of them.
    /// - Invariant: indexed by the slots of the loop's handles, so some belong to other
    ///   descriptors.
    @exclusivity(unchecked) var states: [ConnectionState] = []
    @exclusivity(unchecked) var feeds: [Feed?]
    @exclusivity(unchecked) var dirty: [Int32] = []
    @exclusivity(unchecked) var fallen: [Handle] = []
    @exclusivity(unchecked) var leaving: [Ending] = []
    @exclusivity(unchecked) var ended: [Ending] = []
    @exclusivity(unchecked) var rounds = ReadingRounds()
    @exclusivity(unchecked) var pauseChanges: [Handle] = []
    @exclusivity(unchecked) var unpaused: [Handle] = []
    /// The places at which feeds are suspended, by the index of the connection.
    @exclusivity(unchecked) var suspensions: [Int32: Suspension] = [:]
    /// Those that are to finish.
    @exclusivity(unchecked) var lingering = TimerQueue<Lingering, Int64>()
    /// Those that have something to take, each looked at now and then.
    @exclusivity(unchecked) var watched = TimerQueue<Watch, Int64>()
    /// The time of the turn, in monotonic nanoseconds.
    var now: Int64 = 0
    let limits: ConnectionLimits
    @exclusivity(unchecked) var batch = SendBatch()
    private let ringBytes: Int
    @exclusivity(unchecked) private var spares: [Outbox] = []

    /// The number of open connections, finishing ones included.
    public private(set) var count = 0
    /// The total bytes in all outboxes.
    @exclusivity(unchecked) private(set) var privateBytes = 0
    /// How many times the kernel was asked to send.
    @exclusivity(unchecked) package var sends = 0

    /// Creates an empty table with so many feeds, which take memory when they are first followed.
    ///
    /// Of each feed `ringBytes`, a power of two, are kept for those who are behind.
    public init(
        loop: EventLoop, feeds: Int, ringBytes: Int = 4 << 20,
        limits: ConnectionLimits = ConnectionLimits()
    ) {
        precondition(limits.readBytes <= Self.readBytes, "no more than the most")
        self.loop = loop
        self.limits = limits
        self.ringBytes = ringBytes
        self.feeds = Array(repeating: nil, count: feeds)
    }

    deinit {
        for state in states where state.isOpen {
            loop.deregister(state.handle)
            closeSocket(state.descriptor)
        }
    }

    /// Takes over a connected, non-blocking socket and waits for it to become readable.
    ///
    /// - Throws: `SystemError` when it cannot be waited for; it is closed then.
    public func adopt(_ descriptor: Int32) throws(SystemError) -> Handle {
        let handle: Handle
        do {
            try silenceBrokenPipe(of: descriptor)
            handle = try loop.register(descriptor, for: .readable)
        } catch {
            closeSocket(descriptor)
            throw error
        }
        while states.count <= handle.slot { states.append(ConnectionState()) }
        states[handle.slot].handle = handle
        states[handle.slot].descriptor = descriptor
        states[handle.slot].readBytes = UInt16(min(Self.firstReadBytes, limits.readBytes))
        count += 1
        return handle
    }

    /// Closes a connection now, whatever it has yet to send.
    public func close(_ handle: Handle) {
        guard let index = index(of: handle) else { return }
        stopFollowing(index)
        endSuspension(index)
        releaseOutbox(of: index)
        loop.deregister(handle)
        closeSocket(states[index].descriptor)
        states[index] = ConnectionState()
        count -= 1
    }

    /// Whether the handle still names a connection.
    public func isOpen(_ handle: Handle) -> Bool {
        index(of: handle) != nil
    }

    /// Adds private bytes, to be sent after everything that is in the connection's feed by now.
    public func reply(_ handle: Handle, _ bytes: [UInt8]) {
        guard let index = index(of: handle) else { return }
        if bytes.isEmpty { return }
        let due = suspension(of: index) ?? feed(of: index)?.ring.end ?? 0
        change(outbox(of: index)) { outbox in
            bytes.withUnsafeBytes { outbox.append($0, due: due) }
        }
        markDirty(index)
    }

    /// Whether a connection is not read from, because it takes less than it asks for.
    public func isPaused(_ handle: Handle) -> Bool {
        index(of: handle).map { states[$0].flags.contains(.paused) } ?? false
    }

    /// Returns the connections that were paused or resumed since the last call.
    public func takePauseChanges() -> [Handle] {
        if pauseChanges.isEmpty { return [] }
        defer { pauseChanges.removeAll(keepingCapacity: true) }
        return pauseChanges
    }

    /// Takes the connections that were paused, and have been sent everything since the last time.
    public func takeUnpaused() -> [Handle] {
        if unpaused.isEmpty { return [] }
        defer { unpaused.removeAll(keepingCapacity: true) }
        return unpaused
    }

    /// The bytes that the kernel has not taken yet, of all connections together.
    ///
    /// O(connections).
    public var pendingBytes: Int {
        states.indices.reduce(0) { $0 + pendingBytes(at: $1) }
    }

    /// The bytes that the kernel has not taken yet of one connection; 0 when the handle is stale.
    package func pendingBytes(of handle: Handle) -> Int {
        index(of: handle).map(pendingBytes(at:)) ?? 0
    }

    /// Whether the kernel has not taken all of a connection's private bytes yet.
    public func hasPrivateBytes(_ handle: Handle) -> Bool {
        index(of: handle).map { states[$0].outbox != nil } ?? false
    }

    /// Takes the connections that closed of themselves since the last time.
    public func takeEnded() -> [Ending] {
        defer { ended.removeAll(keepingCapacity: true) }
        return ended
    }

    private func pendingBytes(at index: Int) -> Int {
        guard states[index].isOpen else { return 0 }
        let behind = feed(of: index).map { $0.ring.end - states[index].cursor.position } ?? 0
        return behind + (states[index].outbox?.count ?? 0)
    }

    /// The index of an open connection; nil if the handle is stale.
    func index(of handle: Handle) -> Int? {
        let index = handle.slot
        guard index < states.count, states[index].handle == handle else { return nil }
        return index
    }

    func feed(of index: Int) -> Feed? {
        let feed = states[index].feed
        return feed < 0 ? nil : feeds[Int(feed)]
    }

    func markDirty(_ index: Int) {
        guard !states[index].flags.contains(.dirty) else { return }
        states[index].flags.insert(.dirty)
        dirty.append(Int32(index))
    }

    /// The outbox of a connection, made when it has none.
    func outbox(of index: Int) -> Outbox {
        if let outbox = states[index].outbox { return outbox }
        let outbox = spares.popLast() ?? Outbox()
        states[index].outbox = outbox
        return outbox
    }

    /// Changes an outbox, and updates the total.
    func change(_ outbox: Outbox, _ body: (Outbox) -> Void) {
        privateBytes -= outbox.count
        body(outbox)
        privateBytes += outbox.count
    }

    /// Takes the outbox from a connection, and keeps an empty one of no great size for the next.
    func releaseOutbox(of index: Int) {
        guard let outbox = states[index].outbox else { return }
        states[index].outbox = nil
        privateBytes -= outbox.count
        let isWorthKeeping = outbox.isEmpty && outbox.capacity <= Self.spareBytes
        if isWorthKeeping && spares.count < Self.spareOutboxes { spares.append(outbox) }
    }

    func makeFeed() -> Feed {
        Feed(capacity: ringBytes)
    }
}

/// How much waits for one connection, and for how long.
public struct ConnectionLimits: Equatable, Sendable {
    /// The most private bytes that wait for one connection.
    ///
    /// With more than half of them waiting, it is not read from until all are sent. So the owner
    /// may add at most half of them to a connection that is not paused.
    public var outputBytes = 64 * 1024
    /// The most private bytes that wait for all connections together; nil for no limit.
    ///
    /// Above it, the connections that have gone longest without taking any are closed.
    public var allOutputBytes: Int? = 64 << 20
    /// A connection of whose bytes the kernel takes none for so long is closed; nil for never.
    public var stallNanoseconds: Int64? = 30_000_000_000
    /// At most so much is read from one connection at a time, and less from who was silenced.
    public var readBytes = Connections.readBytes

    /// With more private bytes than this a connection is not read from until they are sent.
    var pauseBytes: Int { outputBytes / 2 }

    /// Makes the limits that hold where nothing else is chosen.
    public init() {}
}
