import Auction
import Basics

/// What a loop reports of its connections: the confirmations, and all other events in order.
public struct ConnectionEvents: Sendable {
    /// Something that happened to a connection, or to its loop.
    public enum Event: Equatable, Sendable {
        /// A connection from this address is open.
        case joined(SessionID, PeerAddress)
        /// A connection could not be taken over, for this reason.
        case refused(reason: String)
        /// This number of bytes was read: the next ones of `bytes`.
        case received(SessionID, Int)
        /// The peer will send no more.
        case ended(SessionID)
        /// A connection is closed.
        case lost(SessionID)
        /// A connection has fallen behind its feed.
        case fallen(SessionID)
        /// A connection is not read from, because it does not read its replies.
        case paused(SessionID)
        /// A paused connection is read from again.
        case unpaused(SessionID)
        /// A connection was sent `BYE`, and closes when its peer has read the rest.
        case finishing(SessionID)
        /// A connection took nothing for too long; `lost` follows.
        case stalled(SessionID)
        /// Everything has been sent to all connections.
        case drained
    }

    /// An array with more room than this is freed when it is emptied.
    private static let (keptEvents, keptBytes) = (4096, 256 * 1024)

    /// The events, in order.
    public private(set) var list: [Event] = []
    /// The bytes of all `received` events, in their order.
    public private(set) var bytes: [UInt8] = []

    /// The connections that have been sent what preceded a confirmation request, and its number.
    ///
    /// Kept apart from the events, so that a step can handle stored input first: that input came
    /// before all bytes of the same report.
    public private(set) var confirmations: [(id: SessionID, number: Int)] = []

    /// Creates an empty list.
    public init() {}

    /// Whether nothing happened.
    public var isEmpty: Bool { count == 0 }

    /// The number of events, the confirmations among them.
    public var count: Int { list.count + confirmations.count }

    /// Records that a connection has been sent what preceded a confirmation request.
    public mutating func confirm(_ id: SessionID, number: Int) {
        confirmations.append((id, number))
    }

    /// Appends an event other than `received`.
    public mutating func append(_ event: Event) {
        list.append(event)
    }

    /// Appends bytes that a connection sent.
    public mutating func append(_ received: ArraySlice<UInt8>, from id: SessionID) {
        bytes.append(contentsOf: received)
        list.append(.received(id, received.count))
    }

    /// Appends later events.
    public mutating func append(_ later: ConnectionEvents) {
        list += later.list
        bytes += later.bytes
        confirmations += later.confirmations
    }

    /// Removes all events.
    public mutating func removeAll() {
        list.removeAll(keepingCapacity: list.capacity <= Self.keptEvents)
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        confirmations.removeAll(keepingCapacity: confirmations.capacity <= Self.keptEvents)
    }
}

/// What a loop reports of its connections.
public struct LoopReport: Sendable {
    /// What happened to its connections since the last report that was taken.
    public var events = ConnectionEvents()
    /// The instant until which everything that reached the connections was reported.
    ///
    /// It is among these events, or was reported before. Nil while the loop has not read all that
    /// its last poll found.
    public var readUntil: Instant?
    /// Whether connections are held until there is room to read them.
    public var isHolding = false
    /// What was sent so far.
    public var figures = LoopFigures()
    /// Whether the loop may have reported more, which is fetched once this report is taken.
    public var hasMore = false
    /// Whether too many commands wait for the loop to handle more input.
    public var hasBacklog = false

    /// Creates an empty report.
    public init() {}

    /// Adds a later report of the loop, and takes the events out of it.
    public mutating func add(_ later: inout LoopReport) {
        if events.isEmpty {
            swap(&events, &later.events)
        } else {
            events.append(later.events)
        }
        later.events.removeAll()
        (readUntil, isHolding, figures) = (later.readUntil, later.isHolding, later.figures)
    }
}

/// What was sent to the connections of a loop since the start.
public struct LoopFigures: Equatable, Sendable {
    /// The number of system calls that sent news.
    public var sends = 0
    /// The bytes of news; those for one connection alone are not counted, as they may be secret.
    public var newsBytes = 0
    /// The news that was sent, counted once for each connection.
    public var deliveries = 0
    /// How often a connection fell behind its feed.
    public var skips = 0
    /// The number of news that these connections missed, all together.
    public var skippedNews = 0
    /// The number of connections in each encoding; an inline array, because it is copied often.
    public var observers = SIMD4<Int32>()

    /// Creates figures of 0.
    public init() {}

    /// The figures of two loops together.
    public static func + (a: LoopFigures, b: LoopFigures) -> LoopFigures {
        var sum = a
        sum.sends += b.sends
        sum.newsBytes += b.newsBytes
        sum.deliveries += b.deliveries
        sum.skips += b.skips
        sum.skippedNews += b.skippedNews
        sum.observers &+= b.observers
        return sum
    }
}

extension SessionID {
    /// The number of loops that session numbers have room for.
    public static let maximumLoopCount = 255
    /// The loop number of the connections of other nodes, which are on no loop.
    private static let remoteLoop = 255
    private static let loopShift = 24
    private static let loopBits = UInt64(255) << loopShift

    /// Names a connection by its number on a loop.
    ///
    /// The loop takes bits in which every connection number is 0: the upper half of a connection
    /// number tells apart the connections that one file descriptor served, and a process has fewer
    /// than 2^24 descriptors.
    public init(connection: UInt64, loop: Int) {
        precondition(connection & Self.loopBits == 0, "fewer than 2^24 files are open")
        self.init(rawValue: connection | UInt64(loop) << Self.loopShift)
    }

    /// The number of the loop that the connection belongs to; 0 is the actor's own.
    public var loop: Int { Int((rawValue & Self.loopBits) >> Self.loopShift) }

    /// Names a connection of another node by a number that this node gives it.
    init(remote number: UInt64) {
        self.init(connection: number, loop: Self.remoteLoop)
    }

    /// Whether the connection is one of another node.
    public var isRemote: Bool { loop == Self.remoteLoop }

    /// The number of the connection on its loop.
    public var connection: UInt64 { rawValue & ~Self.loopBits }
}
