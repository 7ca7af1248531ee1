import Auction
import Basics
import House
import Journal
import Posix
import Wire

/// The journal of one server, and the lock on its folder.
final class JournalDirectory: Sendable {
    let journal: Journal
    /// The number of the last event in it when it was opened.
    let lastEvent: Int
    private let lock: FolderLock?

    private init(_ journal: Journal, lastEvent: Int, _ lock: consuming FolderLock?) {
        (self.journal, self.lastEvent) = (journal, lastEvent)
        self.lock = lock
    }

    /// Makes the folder if it does not exist, reads the newest segment, and logs what it holds.
    ///
    /// - Throws: `FolderLock.Failure` when the folder cannot be made, or another process has it;
    ///   `JournalError` when it is damaged or cannot be read.
    static func open(
        _ folder: String, _ settings: Settings, _ log: Log
    ) throws -> (JournalDirectory, ServerReplay) {
        let start = monotonicNanoseconds()
        let lock = settings.disk == nil ? try hold(folder) : nil
        let disk = settings.disk ?? PosixDisk(folder: folder)
        var replay = ServerReplay()
        let (journal, recovery) = try Journal.open(
            disk, segmentLimit: settings.segmentBytes, retention: settings.retention
        ) {
            replay.replay($0, $1, $2)
        }
        if let cut = recovery.cut { log.write(cut, in: folder) }
        let nanoseconds = monotonicNanoseconds() - start
        if replay.main.hasLot {
            log.write(replay, from: folder, nanoseconds: nanoseconds)
        } else {
            log.write(.info, "new-journal") { $0.add("folder", folder) }
        }
        return (JournalDirectory(journal, lastEvent: replay.eventNumber, lock), replay)
    }

    private static func hold(_ folder: String) throws(FolderLock.Failure) -> FolderLock {
        do throws(SystemError) {
            try makeFolder(folder, mode: 0o700)
        } catch {
            throw .system(error)
        }
        return try FolderLock(folder: folder)
    }
}

extension Journal: InlineWriter {}

extension ServerReplay {
    /// Recovers all rooms of a journal from all of its segments; changes nothing.
    ///
    /// Rooms that have ended are included, and all results of each room.
    ///
    /// - Throws: `JournalError` when it is damaged or cannot be read.
    public static func recovered(
        from folder: String
    ) throws(JournalError) -> (rooms: ServerReplay, report: Report) {
        var replay = ServerReplay(keepsHistory: true)
        let report = try Journal.verify(PosixDisk(folder: folder)) { kind, words, metadata in
            replay.replay(kind, words, metadata)
        }
        return (replay, report)
    }

    /// The names of the rooms that the journal has, with those that have ended, `main` first.
    public var names: [RoomName] {
        let others = Set(rooms.map(\.name) + ended.map(\.name))
        return [.main] + others.sorted()
    }

    /// How the lots of a room ended, oldest first; nil if the journal has no such room.
    ///
    /// If rooms were opened under this name repeatedly, the results of all of them.
    public func results(of room: RoomName) -> [LotResult]? {
        guard room != .main else { return main.results }
        let sales = (ended + rooms).filter { $0.name == room }.map(\.sale)
        return sales.isEmpty ? nil : sales.flatMap(\.results)
    }
}

extension ServerReplay {
    /// The standings of each sale in the rooms with a name, with the champions if it is over.
    public func standings(
        of room: RoomName
    ) -> [(rows: [StandingsRow], champions: [Bidder])] {
        let sales = room == .main ? [main] : (ended + rooms).filter { $0.name == room }.map(\.sale)
        return sales.map { ($0.completeStandings, $0.champions) }
    }
}

extension ServerReplay {
    /// Reads and applies one line of a journal; false if either fails.
    package mutating func replay(_ kind: EntryKind, _ words: Span<UInt8>, _ metadata: Int64?)
        -> Bool
    {
        if case .segment(let first, let state) = kind {
            beginSegment(first: first, state: state)
            return true
        }
        guard let record = Record(line: words, elapsedMilliseconds: metadata) else { return false }
        return replay(record, number: kind.number)
    }
}
