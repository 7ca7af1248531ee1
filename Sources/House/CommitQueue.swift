import Auction
import Basics
import Wire

/// The effects of turns that wait until the journal has made their events durable.
///
/// Batches leave in the order in which they came. So a reply that depends on an earlier event, even
/// a refusal, is sent after that event is durable.
public final class CommitQueue {
    private let log: any EventLog
    /// The entries of the turn that is recorded; empty in between.
    private var entries = LogBatch()
    private var waiting = Queue<(batch: Batch, number: Int)>()
    /// The number of the newest batch in the journal.
    private var lastNumber = 0
    private var progress: LogProgress
    /// The number of the last event in the journal, counted over all rooms.
    private var lastEvent: Int

    /// Creates a queue in front of a journal, which the caller closes.
    ///
    /// `lastEvent` is the number of the last event that the journal has.
    public init(_ log: any EventLog, lastEvent: Int = 0) {
        (self.log, self.lastEvent) = (log, lastEvent)
        progress = log.progress
    }

    /// Why the journal makes nothing more durable; nil while it works.
    package var failure: LogFailure? { progress.failure }

    /// Whether no batch waits for the journal.
    package var isIdle: Bool { waiting.isEmpty }

    /// The number of effects that wait for the journal.
    private(set) var waitingCount = 0

    /// The connections for which effects wait for the journal; O(n).
    var waitingSessions: Set<SessionID> {
        var (sessions, batches) = (Set<SessionID>(), waiting)
        while let (batch, _) = batches.popFirst() {
            for effect in batch.effects { effect.session.map { _ = sessions.insert($0) } }
        }
        return sessions
    }

    /// Appends the events of a turn to the journal.
    ///
    /// Calls `state` if a new segment begins after them.
    package func record(_ effects: [Effect], state: () -> [RoomState]) -> Batch {
        let news = entries.append(effects, after: &lastEvent)
        let endsSegment = !entries.isEmpty && progress.isSegmentFull
        if !entries.isEmpty {
            lastNumber = log.append(entries)
            // What is recorded after this does not wait for the new segment.
            if endsSegment { beginSegment(with: state()) }
            catchUp()
        }
        let batch = Batch(
            effects: effects, text: entries.removeAll(), news: news, endsSegment: endsSegment)
        waiting.append((batch, lastNumber))
        waitingCount += effects.count
        return batch
    }

    /// Appends effects that follow from the log of other nodes, behind those that wait.
    ///
    /// Without `isNews` nobody is told of the events among them.
    package func follow(_ effects: [Effect], isNews: Bool) {
        guard !effects.isEmpty else { return }
        var (lines, number) = (LogBatch(), 0)
        let news = isNews ? lines.append(effects, after: &number) : []
        waiting.append((Batch(effects: effects, text: lines.text, news: news), lastNumber))
        waitingCount += effects.count
    }

    /// Updates what is durable.
    package func catchUp() {
        progress = log.progress
    }

    /// Removes and returns the next batch, if it is durable.
    func takeDurable() -> Batch? {
        guard let first = waiting.first, first.number <= progress.durable else { return nil }
        return takeNext()
    }

    /// Removes and returns all effects, which can no longer be made durable.
    func takeLost() -> [Effect] {
        var lost: [Effect] = []
        while let batch = takeNext() { lost += batch.effects }
        return lost
    }

    /// Appends the time, in milliseconds since 1970, as a last batch.
    ///
    /// In the journal it proves that everything before it is durable.
    package func endLog(at time: Int64) {
        var batch = LogBatch()
        batch.append(.event(.timeNoted(time)), as: .note)
        lastNumber = log.append(batch)
        catchUp()
        guard lastNumber > progress.durable else { return }
        waiting.append((Batch(effects: [], text: batch.text, news: []), lastNumber))
    }

    private func beginSegment(with rooms: [RoomState]) {
        _ = log.beginSegment { LogBatch(rooms) }
    }

    private func takeNext() -> Batch? {
        guard let (batch, _) = waiting.popFirst() else { return nil }
        waitingCount -= batch.effects.count
        return batch
    }
}

/// The effects of one turn, and its news as lines, encoded once for the journal and the feed.
///
/// A class, so that `News` refers to its batch and is passed on without a copy.
public final class Batch: Sendable {
    /// The effects, in order.
    public let effects: [Effect]
    /// The lines, without anything between them.
    public let text: [UInt8]
    /// The effects that are news, in order.
    public let news: [Item]
    /// Whether a segment ends with its entries; those of the next batch belong to `main` at first.
    public let endsSegment: Bool

    /// An effect that is news: what is read of it often, so that the effect is not copied for it.
    public struct Item: Equatable, Sendable {
        /// Its index in `effects`.
        public let effect: Int
        /// The range of `text` with its line.
        public let line: Range<Int>
        /// The room.
        public let room: RoomID
        /// The number of the news in the room.
        public let seq: Int
    }

    /// Calls `body` with each room and the number of its last news.
    ///
    /// If news of other rooms is between that of a room, `body` is called repeatedly for the room,
    /// with increasing numbers.
    func forEachRoom(_ body: (RoomID, Int) -> Void) {
        for (index, item) in news.enumerated()
        where index + 1 == news.count || news[index + 1].room != item.room {
            body(item.room, item.seq)
        }
    }

    init(effects: [Effect], text: [UInt8], news: [Item], endsSegment: Bool = false) {
        (self.effects, self.text, self.news) = (effects, text, news)
        self.endsSegment = endsSegment
    }
}

extension LogBatch {
    /// Creates the state at the beginning of a segment.
    fileprivate init(_ rooms: [RoomState]) {
        self.init()
        // Room by room, because the records of all rooms need much more memory than their lines.
        for room in rooms {
            beginSection(of: room.name.description)
            for (record, number) in room.records {
                append(record, as: number.map { .restated($0) } ?? .note)
            }
        }
    }

    /// Appends a record, and returns the range of its line.
    @discardableResult
    fileprivate mutating func append(_ record: Record, as kind: EntryKind) -> Range<Int> {
        append(kind, metadata: record.elapsedMilliseconds) { record.appendText(to: &$0) }
    }

    /// Appends a note of rooms, with the section that it begins.
    private mutating func append(ofRooms record: Record) {
        switch record {
        case .roomOpened(let name, _, _):
            beginSection(of: name.description)
            append(record, as: .note)
        case .roomEnded(let name):
            beginSection(of: name.description)
            append(record, as: .note)
            beginSection(of: RoomName.main.description)
        case .room(let name):
            beginSection(of: nil)
            append(record, as: .note)
            beginSection(of: name.description)
        case .event, .name, .present, .bid, .result, .tally, .award, .roomState:
            preconditionFailure("the record is no note of rooms")
        }
    }

    /// Appends the records of a turn, and returns its news.
    ///
    /// `lastEvent` is the number of the last event in the journal.
    fileprivate mutating func append(
        _ effects: [Effect], after lastEvent: inout Int
    ) -> [Batch.Item] {
        var news: [Batch.Item] = []
        // By index, because the iterator of an array copies each effect.
        for index in effects.indices {
            switch effects[index] {
            case .news(let event, _, let room, let seq):
                lastEvent += 1
                let line = append(.event(event), as: .event(lastEvent))
                news.append(Batch.Item(effect: index, line: line, room: room, seq: seq))
            case .journal(let event): append(.event(event), as: .note)
            case .journalRoom(let record): append(ofRooms: record)
            case .openRoom, .endRoom, .follow, .reply, .replay, .restate, .send, .sendReport, .use,
                .skip, .holdNews,
                .releaseNews, .confirm, .close:
                break
            }
        }
        return news
    }
}
