import Posix
import Queues
import Saleroom
import Storage
import Wire

/// Keeps the record: what happens in the room goes to the journal first, and comes back to be
/// spoken once it is durable.
///
/// Batches come back in the order in which they went. What a batch says that depends on an event
/// before it, a refusal too, is spoken after that event.
package final class Clerk {
    /// Where it writes; whoever owns the clerk closes it in the end.
    let journal: Journal?
    private let archive: Archive?
    /// The lines of the turn that is recorded; empty in between.
    private var draft = Draft()
    private var waiting = Queue<(batch: Batch, commit: Int)>()
    private var lastCommit = 0
    private var durable = 0
    private var isSegmentFull = false
    /// Why nothing can be kept any more; nil as long as all is well.
    package private(set) var failure: JournalError?

    /// Forgets: everything counts as durable at once.
    convenience init() {
        self.init(nil, holding: nil)
    }

    /// Keeps what happens in a journal that its owner drives.
    package convenience init(_ journal: Journal) {
        self.init(journal, holding: nil)
    }

    /// Keeps what happens in an archive; `wake` is called, on any thread, when more is durable.
    ///
    /// - Throws: `SystemError` when there can be no thread for it.
    convenience init(
        _ archive: Archive, wake: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        try archive.journal.start(wake: wake)
        self.init(archive.journal, holding: archive)
    }

    private init(_ journal: Journal?, holding archive: Archive?) {
        (self.journal, self.archive) = (journal, archive)
    }

    /// Whether nothing waits for the disk.
    package var isIdle: Bool { waiting.isEmpty }

    /// How many effects wait for the disk.
    package private(set) var waitingCount = 0

    /// Writes down a turn; `state` is what holds after it, asked for when a segment is to begin.
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

    /// Begins a segment, for which nobody who spoke before has to wait.
    private func beginSegment(in journal: Journal, _ state: [(record: Record, number: Int?)]) {
        _ = journal.beginSegment(state: Draft(state))
        isSegmentFull = false
    }

    /// Asks the journal how far it has come.
    package func catchUp() {
        guard let progress = journal?.progress else { return }
        durable = progress.durable
        isSegmentFull = progress.isSegmentFull
        failure = progress.failure
    }

    /// Returns what was done about old segments of the journal since this was asked last.
    func takeUpkeep() -> [Upkeep] { journal?.takeUpkeep() ?? [] }

    /// Takes back the next batch, if it is durable by now.
    package func takeDurable() -> Batch? {
        guard let first = waiting.first, first.commit <= durable else { return nil }
        return takeNext()
    }

    /// Takes back everything that waits for what can no longer be made durable.
    package func takeLost() -> [Effect] {
        var lost: [Effect] = []
        while let batch = takeNext() { lost += batch.effects }
        return lost
    }

    /// Writes the time, in milliseconds since 1970, below all that was kept: it begins a batch, which
    /// proves that everything before it was on the disk.
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

/// The result of one turn: all that is to be done, and its news as lines.
///
/// Each line is encoded once for the journal and for everybody who listens. A class, so that `News`
/// refers to its batch and is passed on without a copy.
package final class Batch: Sendable {
    /// All that is to be done, in order.
    package let effects: [Effect]
    /// The lines, one after the other.
    package let text: [UInt8]
    /// Where in the text the line of each effect that is news stands, in order.
    package let news: [Range<Int>]

    init(effects: [Effect], text: [UInt8], news: [Range<Int>]) {
        (self.effects, self.text, self.news) = (effects, text, news)
    }
}

extension Draft {
    /// Writes the state with which a segment begins.
    fileprivate init(_ state: [(record: Record, number: Int?)]) {
        self.init()
        for (record, number) in state {
            append(record, as: number.map { .restated($0) } ?? .note)
        }
    }

    /// Appends a line, and returns where its words stand.
    @discardableResult
    fileprivate mutating func append(_ record: Record, as mark: Mark) -> Range<Int> {
        append(mark, aside: record.elapsedMilliseconds) { record.appendText(to: &$0) }
    }

    /// Appends what is to be kept of a turn, and returns where the words of its news stand.
    fileprivate mutating func append(_ effects: [Effect]) -> [Range<Int>] {
        var news: [Range<Int>] = []
        for effect in effects {
            switch effect {
            case .news(let notice, let seq): news.append(append(.notice(notice), as: .event(seq)))
            case .note(let record): append(record, as: .note)
            case .admit, .reply, .send, .use, .skip, .holdNews, .releaseNews, .confirm, .close:
                break
            }
        }
        return news
    }
}
