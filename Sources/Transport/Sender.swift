#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What was sent to the connections of a loop since it began.
public struct SendFigures: Equatable, Sendable {
    /// The number of system calls that sent records of feeds.
    public var calls = 0
    /// The bytes of records of feeds that the kernel took, or that are in an outbox.
    ///
    /// Bytes for one connection alone are not counted: their number may be secret.
    public var bytes = 0
    /// The records of feeds that followers were sent, or have in their outbox.
    public var deliveries = 0

    /// Creates figures of 0.
    public init() {}

    /// Adds the figures of another loop.
    public mutating func add(_ other: SendFigures) {
        calls += other.calls
        bytes += other.bytes
        deliveries += other.deliveries
    }
}

/// Sends the bytes that are due to a connection, and changes its state to what the kernel took.
struct Sender: ~Copyable {
    /// The result of sending to one connection, which `settle` is to be called with.
    enum Outcome {
        /// Everything that is due was sent.
        case complete
        /// The kernel took less than it was offered, or it is enough for one turn.
        case partial
        /// The peer has gone.
        case failed
    }

    /// A connection is sent at most this many batches in one turn.
    private static let batchesPerTurn = 4

    private let table: ConnectionTable
    private let timers: StallTimers
    /// With more private bytes than this a connection is not read from until they are sent.
    private let pauseBytes: Int
    private var batch = SendBatch()
    /// What the kernel has taken.
    private(set) var figures = SendFigures()
    private var pauseChanges: [Handle] = []

    init(_ table: ConnectionTable, _ timers: StallTimers, pauseBytes: Int) {
        (self.table, self.timers, self.pauseBytes) = (table, timers, pauseBytes)
    }

    /// Prepares for a feed to which records may have been appended.
    mutating func begin() {
        batch.clear()
    }

    /// Sends news to a connection that is due nothing else, as with nearly all.
    ///
    /// A connection at the same position as the one before is sent the same batch. What it is due
    /// must still be in the feed.
    mutating func sendNews(
        to connection: inout Connection, of feed: Feed, _ pool: inout OutboxPool
    ) -> Outcome {
        let range = connection.cursor.position..<feed.ring.end
        if range.isEmpty { return .complete }
        guard batch.range == range || batch.refer(to: feed.ring, range) else {
            return send(to: &connection, of: feed, upTo: range.upperBound, &pool)
        }
        let sent = post(to: connection.descriptor)
        if sent == range.count {
            figures.calls &+= 1
            figures.bytes &+= sent
            let newest = feed.newest
            figures.deliveries &+= connection.cursor.records(to: newest)
            connection.cursor = newest
            return .complete
        }
        guard sent >= 0 else { return .failed }
        advance(&connection, feed, range, by: sent, &pool)
        return .partial
    }

    /// Sends what is due of a feed and of the outbox, in one system call if it fits a batch.
    mutating func send(
        to connection: inout Connection, of feed: Feed?, upTo limit: Int,
        _ pool: inout OutboxPool
    ) -> Outcome {
        for _ in 0..<Self.batchesPerTurn {
            let range = connection.cursor.position..<max(limit, connection.cursor.position)
            let isAll = pack(range, feed, connection.outbox)
            let sent = post(to: connection.descriptor)
            guard sent >= 0 else { return .failed }
            let isTaken = sent == batch.bytes.count
            advance(&connection, feed, range, by: sent, &pool)
            if !isTaken { return .partial }
            if isAll { return .complete }
        }
        return .partial
    }

    /// Fills the batch with what is due, in order; false if the batch is full before the end.
    private mutating func pack(_ range: Range<Int>, _ feed: Feed?, _ outbox: Outbox?) -> Bool {
        if outbox == nil, let feed, !range.isEmpty, batch.refer(to: feed.ring, range) {
            return true
        }
        batch.clear()
        var pieces = DuePieces(range, outbox)
        while let piece = pieces.next() {
            switch piece {
            case .feed(let range):
                if let feed, !batch.add(feed.ring, range) { return false }
            case .outbox(let range):
                if let outbox, !batch.add(outbox.unsent(range)) { return false }
            }
        }
        return true
    }

    /// Sends the batch; returns how many bytes the kernel took, or -1 if the peer has gone.
    private mutating func post(to descriptor: Int32) -> Int {
        guard !batch.bytes.isEmpty else { return 0 }
        let sent = batch.send(to: descriptor)
        return sent == -1 && errno == EAGAIN ? 0 : sent
    }

    /// Records that the kernel took `sent` bytes of the batch, which had `range` of the feed.
    private mutating func advance(
        _ connection: inout Connection, _ feed: Feed?, _ range: Range<Int>, by sent: Int,
        _ pool: inout OutboxPool
    ) {
        guard sent > 0 else { return }
        connection.progress = timers.now
        var ofFeed = sent
        if connection.outbox != nil {
            let parts = DuePieces(range, connection.outbox).division(of: sent)
            ofFeed = parts.feed
            pool.change(&connection.outbox) { $0.consume(parts.outbox) }
        }
        if ofFeed > 0, let feed { moveCursor(of: &connection, feed, by: ofFeed, &pool) }
    }

    /// Moves the cursor past what was sent, and on to the end of the record in which that ended.
    ///
    /// The rest of the record goes to the outbox: the peer must get it even if it is overwritten.
    private mutating func moveCursor(
        of connection: inout Connection, _ feed: Feed, by count: Int, _ pool: inout OutboxPool
    ) {
        let start = connection.cursor.position
        let stop = start + count
        figures.calls += 1
        if stop == feed.ring.end {
            figures.bytes += count
            figures.deliveries += connection.cursor.records(to: feed.newest)
            connection.cursor = feed.newest
            return
        }
        let end = feed.ring.recordEnd(at: stop)
        let passed = feed.ring.recordCount(in: start..<end)
        connection.cursor.position = end
        connection.cursor.record &+= UInt32(passed)
        figures.bytes += end - start
        figures.deliveries += passed
        guard end > stop else { return }
        pool.change(&connection.outbox) { $0.prepend(feed.ring, stop..<end, due: end) }
    }

    /// Counts records that went to an outbox because the connection left their feed.
    mutating func countDeliveries(_ count: Int, bytes: Int) {
        figures.deliveries += count
        figures.bytes += bytes
    }

    // MARK: After a send

    /// Changes what to wait for after a send, and shuts down if it was the last one.
    mutating func settle(_ slot: Int, _ outcome: Outcome) {
        let pending = table[slot].pendingReplies
        if outcome == .complete && table[slot].isSettled && pending <= pauseBytes {
            return
        }
        switch outcome {
        case .failed:
            return table.leave(slot, .broken)
        case .complete:
            table[slot].room = .free
        case .partial:
            table[slot].room = .full
            timers.watch(slot)
        }
        updatePause(slot)
        if outcome == .complete && pending == 0 { table.shutDownIfFinishing(slot) }
    }

    /// Does not read from a peer that asks for more than it takes, until all is sent.
    mutating func updatePause(_ slot: Int) {
        let pending = table[slot].pendingReplies
        let isChanged =
            pending > pauseBytes
            ? table[slot].readBlocks.insert(.unsentReplies).inserted
            : pending == 0 && table[slot].readBlocks.remove(.unsentReplies) != nil
        if isChanged { pauseChanges.append(table.handle(at: slot)) }
        table.updateInterest(slot)
    }

    /// Takes the connections that were paused or resumed since the last time.
    mutating func takePauseChanges() -> [Handle] {
        if pauseChanges.isEmpty { return [] }
        defer { pauseChanges.removeAll(keepingCapacity: true) }
        return pauseChanges
    }
}
