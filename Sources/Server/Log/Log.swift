import Auction
import Basics
import House
import Journal
import Posix
import Wire

/// The server's log: lines of `key=value`, gathered over a turn and written by a thread of its own.
///
/// Belongs to one thread; what it has gathered is lost unless it is handed over.
public final class Log {
    /// With this many bytes gathered, they are handed over before the turn ends.
    private static let gatheredByteLimit = 64 * 1024

    private let level: LogLevel
    private let writer: LogWriter?
    private let clock: () -> Int64
    /// The gathered lines, each added in place: a second reference would copy all of them.
    private var lines = LogLine()
    private var count = 0
    /// The quotas of the limited events that have happened, with the level of the newest line.
    private var quotas: [LimitedEvent: (lines: LineQuota, level: LogLevel)] = [:]
    /// Whether lines were left out whose number must still be written.
    private var hasWithheld = false
    private var limits = LimitLog()
    /// The time of this turn; nil before its first line.
    private var time: Int64?
    /// What the last line began with, and others of its kind begin with at this time.
    private var head: (event: String, level: LogLevel, bytes: [UInt8])?

    /// Creates a log of the lines of a level and of more important ones; without a writer of none.
    public convenience init(_ writer: LogWriter?, level: LogLevel) {
        self.init(writer, level: level, clock: wallClockMilliseconds)
    }

    package init(_ writer: LogWriter?, level: LogLevel, clock: @escaping () -> Int64) {
        self.writer = writer
        self.level = level
        self.clock = clock
    }

    /// Whether lines of a level are written at all.
    func takesIn(_ level: LogLevel) -> Bool {
        writer != nil && self.level.takesIn(level)
    }

    /// Writes a line about an event, if the log takes in its level.
    public func write(
        _ level: LogLevel, _ event: String, _ words: (inout LogLine) -> Void = { _ in }
    ) {
        if takesIn(level) { append(level, event, words) }
    }

    /// Writes a line about an event that strangers can cause, within the quota of that event.
    ///
    /// Lines beyond that are counted, and `handOver` writes their number in a later second.
    func write(
        limited level: LogLevel, _ event: LimitedEvent, _ words: (inout LogLine) -> Void = { _ in }
    ) {
        guard takesIn(level) else { return }
        let now = turnTime()
        if quotas[event, default: (LineQuota(), level)].lines.admit(at: now) {
            append(level, event.rawValue, words)
        } else {
            quotas[event]?.level = level
            hasWithheld = true
        }
    }

    /// Writes a line about an event of a room, which it names unless it is the main one.
    func write(
        _ event: LimitedEvent, _ level: LogLevel = .info, in room: RoomName,
        _ words: (inout LogLine) -> Void = { _ in }
    ) {
        guard room == .main else {
            return write(limited: level, event) { line in
                line.add(room)
                words(&line)
            }
        }
        if event.isLimitedInMain {
            write(limited: level, event, words)
        } else {
            write(level, event.rawValue, words)
        }
    }

    /// Writes a line that was asked for, whatever the level of the log.
    package func answer(_ event: String, _ words: (inout LogLine) -> Void) {
        if writer != nil { append(.info, event, words) }
    }

    /// Counts what a limit refused; `endTurn` writes the number.
    func note(_ limit: LimitReached, count: Int) {
        limits.note(limit, count: count)
    }

    /// Writes the counts that are due, and hands over what was gathered.
    func endTurn(at now: Instant) {
        limits.expire(at: now, self)
        handOver()
    }

    /// When `endTurn` is next due; nil if nothing waits to be written.
    func deadline(at now: Instant) -> Instant? {
        Instant.earliest(limits.deadline, hasWithheld ? now.advanced(by: .seconds(1)) : nil)
    }

    /// Hands over what was gathered; the next line has a time of its own.
    public func handOver() {
        if hasWithheld { writeWithheld() }
        (time, head) = (nil, nil)
        guard count > 0 else { return }
        writer?.add(lines.bytes, count: count)
        lines.removeAll()
        count = 0
    }

    /// Writes how many lines of each event were left out in a second that has passed.
    private func writeWithheld() {
        let now = turnTime()
        hasWithheld = false
        for event in LimitedEvent.allCases {
            guard let count = quotas[event]?.lines.takeWithheld(at: now),
                let (quota, level) = quotas[event]
            else { continue }
            if quota.withheld > 0 { hasWithheld = true }
            guard count > 0 else { continue }
            append(level, "withheld") { line in
                line.add("of", event.rawValue)
                line.add("lines", count)
            }
        }
    }

    private func turnTime() -> Int64 {
        if let time { return time }
        let now = clock()
        time = now
        return now
    }

    private func append(
        _ level: LogLevel, _ event: String, _ words: (inout LogLine) -> Void
    ) {
        begin(event, level)
        words(&lines)
        lines.end()
        count += 1
        if lines.bytes.count >= Self.gatheredByteLimit { handOver() }
    }

    private func begin(_ event: String, _ level: LogLevel) {
        if let head, head.event == event, head.level == level {
            return lines.begin(like: head.bytes)
        }
        let time = turnTime()
        let start = lines.bytes.count
        lines.begin(event, level, time: time)
        head = (event, level, Array(lines.bytes[start...]))
    }
}

/// An event that strangers can cause as often as they like, so that its log lines are limited.
///
/// In the main room some events happen only as the operator has planned them, or by order of the
/// auctioneer, so they are not limited there. In any other room all of them are.
enum LimitedEvent: String, CaseIterable {
    case appointed, award, bid, champion, closed, connected, hammered, joined, kicked, last, left,
        lot
    case named, ordered, over, passed, paused, resumed, revealed, said, sold, terms, value, voided
    case notAccepted = "not-accepted"
    case reserve = "reserve-met"
    case roomEnded = "room-ended"
    case roomOpened = "room-opened"

    /// Whether strangers can cause it in the main room as often as they like.
    var isLimitedInMain: Bool {
        switch self {
        case .award, .bid, .champion, .closed, .connected, .joined, .left, .named, .notAccepted,
            .revealed,
            .roomEnded, .roomOpened, .said:
            true
        case .appointed, .hammered, .kicked, .last, .lot, .ordered, .over, .passed, .paused,
            .reserve, .resumed, .sold, .terms, .value, .voided:
            false
        }
    }
}

/// How much a line of the log matters; each level takes in those before it.
public enum LogLevel: String, CaseIterable, Sendable {
    /// The server cannot continue.
    case error
    /// Somebody should look.
    case warning
    /// What happens in the sale.
    case info
    /// Each connection.
    case debug

    /// Whether a log of this level has lines of another.
    func takesIn(_ other: LogLevel) -> Bool {
        other.place <= place
    }

    private var place: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }
}

extension Log {
    /// Writes what a step reports of connections; call it before the step's news is published.
    func write(_ outputs: StepOutputs) {
        for event in outputs.sessionEvents { write(event) }
        for reason in outputs.refusals {
            write(limited: .warning, .notAccepted) { $0.add("reason", reason) }
        }
        for (limit, count) in outputs.limitsReached { note(limit, count: count) }
    }

    /// Writes what a connection did; at a higher level if it has a name, or passed a limit.
    private func write(_ event: SessionEvent) {
        switch event.kind {
        case .connected: write(.connected, .debug, in: event.room) { $0.add(event) }
        case .named: write(.named, in: event.room) { $0.add(event) }
        case .opened: write(.roomOpened, in: event.room) { $0.add(event) }
        case .appointed: write(.appointed, in: event.room) { $0.add(event) }
        case .ordered(let verb):
            write(.ordered, in: event.room) { line in
                line.add("order", verb.rawValue)
                line.add(event)
            }
        case .left(let reason):
            let matters = event.bidder != nil || reason.isLimit
            write(closed: event, because: reason.word, matters ? .info : .debug)
        case .handshakeEnded(let end):
            let isFault = end == .invalid || end == .late
            write(closed: event, because: end.rawValue, isFault ? .warning : .debug)
        }
    }

    private func write(closed event: SessionEvent, because reason: String, _ level: LogLevel) {
        write(.closed, level, in: event.room) { line in
            line.add("reason", reason)
            line.add(event)
        }
    }
}

extension LogLine {
    /// Adds which connection it is, its name, and where it comes from.
    fileprivate mutating func add(_ event: SessionEvent) {
        if let bidder = event.bidder { add("bidder", bidder) }
        add("session", String(event.id.rawValue, radix: 16))
        add("address", event.address.description)
    }
}

extension SessionEvent.Reason {
    fileprivate var isLimit: Bool {
        switch self {
        case .stalled, .closed(.idle), .closed(.wrongToken): true
        case .closed, .http, .tls, .reset: false
        }
    }

    /// The word for it in the log.
    var word: String {
        switch self {
        case .closed(let reason): reason.rawValue
        case .http: "http"
        case .tls: "tls"
        case .stalled: "stalled"
        case .reset: "reset"
        }
    }
}

extension Log {
    /// Writes what a crash had left unfinished, and the start took away.
    func write(_ cut: Recovery.Cut, in folder: String) {
        write(.warning, "cut") { line in
            line.add("bytes", cut.bytes)
            line.add("file", "\(folder)/\(cut.file)")
            if cut.isWholeFile { line.add("reason", "no whole line, begins anew") }
        }
    }

    /// Writes what a journal held.
    func write(_ recovered: ServerReplay, from folder: String, nanoseconds: Int64) {
        write(.info, "recovered") { line in
            line.add("folder", folder)
            line.add("summary", recovered.main.summary)
            if recovered.roomCount > 0 { line.add("rooms", 1 + recovered.roomCount) }
            line.add("milliseconds", Int((nanoseconds + 999_999) / 1_000_000))
        }
    }

    /// Writes what the journal's thread did about old segments.
    func write(_ upkeep: Upkeep) {
        switch upkeep {
        case .removed(let file, let bytes):
            write(.info, "segment-removed") { line in
                line.add("file", file)
                line.add("bytes", bytes)
            }
        case .failed(let file, let error):
            write(.warning, "segment-not-removed") { line in
                line.add("file", file)
                line.add("reason", error.description)
            }
        case .nearlyFull(let bytes, let limit):
            write(.warning, "journal-nearly-full") { line in
                line.add("bytes", bytes)
                line.add("limit", limit)
            }
        case .diskNearlyFull(let free, let limit):
            write(.warning, "disk-nearly-full") { line in
                line.add("free", free)
                line.add("limit", limit)
            }
        }
    }
}

extension Log {
    /// The most rooms whose state is written besides that of the main one.
    private static let mostRooms = 100

    /// Writes the state of the server, with that of the main room, and of each other room.
    ///
    /// Of more than 100 other rooms it writes the first by name. `rooms` begins with the main room.
    package func answer(
        stateOf rooms: [RoomStatus], connections: Int, memory: Int?, _ journal: JournalFigures?
    ) {
        guard let main = rooms.first else { return }
        answer("state") { line in
            line.addSale(main)
            line.add("connections", connections)
            line.add("named", main.named)
            if rooms.count > 1 { line.add("rooms", rooms.count) }
            if let memory { line.add("memory", memory) }
            if let journal {
                line.add("events", journal.events)
                line.add("batches", journal.batches)
            }
        }
        for room in rooms.dropFirst().prefix(Self.mostRooms) {
            answer("state") { line in
                line.add(room.name)
                line.addSale(room)
                line.add("people", room.people)
                line.add("named", room.named)
            }
        }
        let left = rooms.count - 1 - Self.mostRooms
        guard left > 0 else { return }
        answer("withheld") { line in
            line.add("of", "state")
            line.add("lines", left)
        }
    }
}

extension LogLine {
    /// Adds what is on in a room.
    fileprivate mutating func addSale(_ room: RoomStatus) {
        add("lot", room.lot)
        add("stage", room.stage.rawValue)
        if room.isPaused { add("paused", "true") }
        if let bid = room.leading {
            add("price", bid.price)
            add("leader", bid.bidder)
        }
    }
}
