import Auction
import Basics
import DiskSupport
import House
import Journal
import TestSupport
import Wire

/// Either a journal is refused and left as it is, or only the intact lines from its first are
/// read, and a server that continues from them keeps their state.
func checkJournal(_ input: [UInt8]) throws(Violation) {
    let files = ForgedFolder(input).files
    let disk = MemoryDisk(files)
    var replay = Replay()
    let isSound = (try? Journal.verify(disk) { replay.take($0, $1, $2) }) != nil
    try hold(disk.contents == files, "to verify the journal changed it")
    replay = Replay()
    guard let (journal, recovery) = try? Journal.open(disk, replay: { replay.take($0, $1, $2) })
    else {
        try hold(disk.contents == files, "a journal that was refused was changed")
        return try hold(!isSound, "a journal that was verified cannot be opened")
    }
    try replay.checkPrinted()
    try checkNoPhantom(replay, recovery, of: files, on: disk)
    guard let lobby = try goOn(from: replay.rooms, in: journal, recovery) else { return }
    try checkKept(lobby, on: disk, isSound: isSound)
}

/// What was read is what goes on from the first line, and so is what the file holds now.
private func checkNoPhantom(
    _ replay: Replay, _ recovery: Recovery, of files: [String: [UInt8]], on disk: MemoryDisk
) throws(Violation) {
    guard !recovery.isNew, let bytes = files[recovery.file] else {
        return try hold(replay.rooms.isNew, "a new journal has a past")
    }
    let chained = ChainedLines(of: bytes)
    try hold(
        replay.lines.dropFirst() == chained.lines.dropFirst(),
        "\(replay.lines.count) lines were read, and \(chained.lines.count) follow from the first")
    try hold(
        disk.contents[recovery.file] == Array(bytes[..<chained.end]),
        "the file does not hold what was read of it, and that alone")
}

/// Continues as a server does: writes the records of a start, and begins a segment with the state.
///
/// Returns the lobby whose records were written; nil if the event numbers are used up.
private func goOn(
    from recovered: ServerReplay, in journal: Journal, _ recovery: Recovery
) throws(Violation) -> Lobby? {
    defer { journal.close() }
    // Past this a segment has no name.
    guard recovery.nextEvent < 999_999_000_000 else { return nil }
    do { try journal.start {} } catch { throw Violation("there is no thread: \(error)") }
    var lobby = Lobby(recovered)
    let effects = lobby.takeEffects()
    _ = journal.append(LogBatch(effects, after: recovery.nextEvent - 1))
    if recovery.events > 0 || effects.contains(where: \.isNews) {
        let state = lobby.state
        _ = journal.beginSegment { LogBatch(state.flatMap(\.records)) }
    }
    return lobby
}

/// Recovery gives the lobby that wrote the journal.
private func checkKept(_ lobby: Lobby, on disk: MemoryDisk, isSound: Bool) throws(Violation) {
    var replay = Replay()
    guard let (journal, recovery) = try? Journal.open(disk, replay: { replay.take($0, $1, $2) })
    else { throw Violation("what was written cannot be opened") }
    journal.close()
    try hold(recovery.cut == nil, "what was written is torn")
    let again = Lobby(replay.rooms)
    try hold(
        LogBatch(again.unnumberedState).text == LogBatch(lobby.unnumberedState).text,
        "recovery gives another lobby: \(again.unnumberedState), not \(lobby.unnumberedState)")
    let isSoundStill = (try? Journal.verify(disk) { _, _, _ in true }) != nil
    try hold(isSoundStill || !isSound, "a sound journal is damaged after it went on")
}

extension Lobby {
    /// A lobby that resumes at the first instant, with known tokens.
    fileprivate init(_ recovered: ServerReplay) {
        var chance = SplitMix64(seed: 1)
        var options = Options(rules: Rules(seconds: 7))
        options.serverID = Identity(using: &chance)
        options.makeToken = { Token(using: &chance) }
        self.init(options, resuming: recovered, at: Instant(nanoseconds: 0))
    }

    /// The state without the number of news of each room: each start announces countdowns again.
    fileprivate var unnumberedState: [(record: Record, number: Int?)] {
        state.flatMap(\.records).map { entry in
            guard case .roomState(let name, _, let lines) = entry.record else { return entry }
            return (.roomState(name, news: 0, lines: lines), entry.number)
        }
    }
}

extension ServerReplay {
    /// Whether nothing has happened yet.
    fileprivate var isNew: Bool {
        main.serverID == nil && eventNumber == 0 && !main.hasLot
    }
}

extension Effect {
    fileprivate var isNews: Bool {
        if case .news = self { true } else { false }
    }
}
