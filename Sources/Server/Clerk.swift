import Posix
import Saleroom
import Storage
import Wire

/// Keeps the record: what happens in the room goes to the journal first, and comes back to be
/// spoken once it is durable.
///
/// Batches come back in the order in which they went. What a batch says that depends on an event
/// before it, a refusal too, is spoken after that event.
final class Clerk {
    private let archive: Archive?
    private var waiting: [(batch: Batch, commit: Int)] = []
    private var head = 0
    private var lastCommit = 0
    private var durable = 0
    private var isSegmentFull = false
    private var second: Int64 = 0
    /// Why nothing can be kept any more; nil as long as all is well.
    private(set) var failure: JournalError?

    /// Forgets: everything counts as durable at once.
    init() {
        archive = nil
    }

    /// Keeps what happens in an archive; `wake` is called, on any thread, when more is durable.
    ///
    /// - Throws: `SystemError` when there can be no thread for it.
    init(_ archive: Archive, wake: @escaping @Sendable () -> Void) throws(SystemError) {
        try archive.journal.start(wake: wake)
        self.archive = archive
    }

    /// Where it writes; whoever owns the clerk closes it in the end.
    var journal: Journal? { archive?.journal }

    /// Whether nothing waits for the disk.
    var isIdle: Bool { head == waiting.count }

    /// How many effects wait for the disk.
    private(set) var waitingCount = 0

    /// Writes down a turn; `state` is what holds after it, asked for when a segment is to begin.
    func record(_ effects: [Effect], state: () -> [(record: Record, number: Int?)]) {
        guard !effects.isEmpty else { return }
        let (draft, news) = draft(of: effects)
        if let journal, !draft.isEmpty {
            lastCommit = journal.commit(draft)
            if isSegmentFull { beginSegment(in: journal, state()) }
        }
        waiting.append((Batch(effects: effects, text: draft.text, news: news), lastCommit))
        waitingCount += effects.count
    }

    /// Begins a segment, for which nobody who spoke before has to wait.
    private func beginSegment(in journal: Journal, _ state: [(record: Record, number: Int?)]) {
        _ = journal.beginSegment(state: Draft(state, at: wallClockMilliseconds()))
        isSegmentFull = false
    }

    /// Asks the journal how far it has come.
    func catchUp() {
        guard let progress = journal?.progress else { return }
        durable = progress.durable
        isSegmentFull = progress.isSegmentFull
        failure = progress.failure
    }

    /// Takes back the next batch, if it is durable by now.
    func takeDurable() -> Batch? {
        guard head < waiting.count, waiting[head].commit <= durable else { return nil }
        return takeNext()
    }

    /// Takes back everything that waits for what can no longer be made durable.
    func takeLost() -> [Effect] {
        var lost: [Effect] = []
        while head < waiting.count { lost += takeNext().effects }
        return lost
    }

    /// Writes the time below all that was kept: it begins a batch, which proves that everything
    /// before it was on the disk.
    func signOff() {
        guard let journal else { return }
        var draft = Draft()
        draft.append(.time(wallClockMilliseconds()), as: .note)
        lastCommit = journal.commit(draft)
        waiting.append((Batch(effects: [], text: draft.text, news: []), lastCommit))
    }

    private func takeNext() -> Batch {
        let batch = waiting[head].batch
        head += 1
        waitingCount -= batch.effects.count
        if head * 2 >= waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
        return batch
    }

    /// The lines of a turn, the time of day before them where a second has passed.
    private func draft(of effects: [Effect]) -> (Draft, news: [Range<Int>]) {
        var draft = Draft()
        if journal != nil, effects.contains(where: \.isKept) { noteTime(in: &draft) }
        let news = draft.append(effects)
        return (draft, news)
    }

    private func noteTime(in draft: inout Draft) {
        let now = wallClockMilliseconds()
        guard now / 1_000 != second else { return }
        second = now / 1_000
        draft.append(.time(now), as: .note)
    }
}
