import Posix
import Queues
import Saleroom
import Storage
import Wire

/// The effects of turns that wait until the journal has made their events durable.
///
/// Batches leave in the order in which they came. So a reply that depends on an earlier event, even a
/// refusal, is sent after that event is durable.
package final class CommitQueue {
    /// The journal, which the owner of the queue closes; nil if nothing is kept.
    let journal: Journal?
    private let archive: Archive?
    /// The lines of the turn that is recorded; empty in between.
    private var draft = Draft()
    private var waiting = Queue<(batch: Batch, commit: Int)>()
    private var lastCommit = 0
    private var durable = 0
    private var isSegmentFull = false
    /// Why the journal keeps nothing more; nil while it works.
    package private(set) var failure: JournalError?

    /// Creates a queue without a journal: everything counts as durable at once.
    convenience init() {
        self.init(nil, holding: nil)
    }

    /// Creates a queue with a journal that its owner drives.
    package convenience init(_ journal: Journal) {
        self.init(journal, holding: nil)
    }

    /// Creates a queue with the journal of an archive, and starts its thread.
    ///
    /// `wake` is called, on any thread, when more is durable.
    ///
    /// - Throws: `SystemError` if the machine has no thread left.
    convenience init(
        _ archive: Archive, wake: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        try archive.journal.start(wake: wake)
        self.init(archive.journal, holding: archive)
    }

    private init(_ journal: Journal?, holding archive: Archive?) {
        (self.journal, self.archive) = (journal, archive)
    }

    /// Whether no batch waits for the disk.
    package var isIdle: Bool { waiting.isEmpty }

    /// The number of effects that wait for the disk.
    package private(set) var waitingCount = 0

    /// Commits the effects of a turn; `state` is called if a new segment begins after them.
    package func record(_ effects: [Effect], state: () -> [(record: Record, number: Int?)]) {
        guard !effects.isEmpty else { return }
        let news = draft.append(effects)
        if let journal, !draft.isEmpty {
            lastCommit = journal.commit(draft)
            if isSegmentFull { beginSegment(in: journal, state()) }
        }
        let batch = Batch(effects: effects, text: draft.removeAll(), news: news)
        waiting.append((batch, lastCommit))
        waitingCount += effects.count
    }

    /// Begins a segment; the batches before do not wait for that.
    private func beginSegment(in journal: Journal, _ state: [(record: Record, number: Int?)]) {
        _ = journal.beginSegment(state: Draft(state))
        isSegmentFull = false
    }

    /// Updates what is durable.
    package func catchUp() {
        guard let progress = journal?.progress else { return }
        durable = progress.durable
        isSegmentFull = progress.isSegmentFull
        failure = progress.failure
    }

    /// Returns what was done about old segments of the journal since the last call.
    func takeUpkeep() -> [Upkeep] { journal?.takeUpkeep() ?? [] }

    /// Removes and returns the next batch, if it is durable.
    package func takeDurable() -> Batch? {
        guard let first = waiting.first, first.commit <= durable else { return nil }
        return takeNext()
    }

    /// Removes and returns all effects, which can no longer be made durable.
    package func takeLost() -> [Effect] {
        var lost: [Effect] = []
        while let batch = takeNext() { lost += batch.effects }
        return lost
    }

    /// Commits the time, in milliseconds since 1970, as a last batch.
    ///
    /// In the journal it proves that everything before it was on the disk.
    package func signOff(at time: Int64) {
        guard let journal else { return }
        var draft = Draft()
        draft.append(.time(time), as: .note)
        lastCommit = journal.commit(draft)
        waiting.append((Batch(effects: [], text: draft.text, news: []), lastCommit))
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
package final class Batch: Sendable {
    /// The effects, in order.
    package let effects: [Effect]
    /// The lines, without anything between them.
    package let text: [UInt8]
    /// The range of `text` with the line of each effect that is news, in order.
    package let news: [Range<Int>]

    init(effects: [Effect], text: [UInt8], news: [Range<Int>]) {
        (self.effects, self.text, self.news) = (effects, text, news)
    }
}

extension Draft {
    /// Creates the state at the beginning of a segment.
    fileprivate init(_ state: [(record: Record, number: Int?)]) {
        self.init()
        for (record, number) in state {
            append(record, as: number.map { .restated($0) } ?? .note)
        }
    }

    /// Appends a line, and returns the range of its words.
    @discardableResult
    fileprivate mutating func append(_ record: Record, as mark: Mark) -> Range<Int> {
        append(mark, aside: record.elapsedMilliseconds) { record.appendText(to: &$0) }
    }

    /// Appends the records of a turn, and returns the ranges of the words of its news.
    fileprivate mutating func append(_ effects: [Effect]) -> [Range<Int>] {
        var news: [Range<Int>] = []
        for effect in effects {
            switch effect {
            case .news(let message, let seq):
                news.append(append(.message(message), as: .event(seq)))
            case .note(let record): append(record, as: .note)
            case .admit, .reply, .send, .use, .skip, .holdNews, .releaseNews, .confirm, .close:
                break
            }
        }
        return news
    }
}
