import Auction
import Basics
import House
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
    /// The quotas of the limited events, by their raw values.
    private var quotas = [(lines: LineQuota, level: LogLevel)](
        repeating: (LineQuota(), .info), count: LimitedEvent.allCases.count)
    /// Whether lines were left out whose number must still be written.
    private var hasWithheld = false
    private var limits = LimitLog()
    /// The time of this turn; nil before its first line.
    private var time: Int64?
    /// What the last line began with, and others of its kind begin with at this time.
    private var head: (event: UnsafePointer<UInt8>, level: LogLevel, bytes: [UInt8])?

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
        _ level: LogLevel, _ event: StaticString, _ words: (inout LogLine) -> Void = { _ in }
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
        if quotas[event.rawValue].lines.admit(at: turnTime()) {
            append(level, event.word, words)
        } else {
            quotas[event.rawValue].level = level
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
            write(level, event.word, words)
        }
    }

    /// Writes a line that was asked for, whatever the level of the log.
    package func answer(_ event: StaticString, _ words: (inout LogLine) -> Void) {
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
            let count = quotas[event.rawValue].lines.takeWithheld(at: now)
            if quotas[event.rawValue].lines.withheld > 0 { hasWithheld = true }
            guard count > 0 else { continue }
            append(quotas[event.rawValue].level, "withheld") { line in
                line.add("of", "\(event.word)")
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
        _ level: LogLevel, _ event: StaticString, _ words: (inout LogLine) -> Void
    ) {
        begin(event, level)
        words(&lines)
        lines.end()
        count += 1
        if lines.bytes.count >= Self.gatheredByteLimit { handOver() }
    }

    private func begin(_ event: StaticString, _ level: LogLevel) {
        if let head, head.event == event.utf8Start, head.level == level {
            return lines.begin(like: head.bytes)
        }
        let time = turnTime()
        let start = lines.bytes.count
        lines.begin(event, level, time: time)
        head = (event.utf8Start, level, Array(lines.bytes[start...]))
    }
}

/// An event that strangers can cause as often as they like, so that its log lines are limited.
///
/// In the main room some events happen only as the operator has planned them, or by order of the
/// auctioneer, so they are not limited there. In any other room all of them are.
enum LimitedEvent: Int, CaseIterable {
    case appointed, bid, champion, closed, connected, hammered, joined, kicked, last, left, lot
    case named, notAccepted, ordered, over, passed, paused, reserveMet, resumed, revealed, roomEnded
    case roomOpened, said, sold, terms, value, voided

    /// The word for it in the log.
    var word: StaticString {
        switch self {
        case .appointed: "appointed"
        case .bid: "bid"
        case .champion: "champion"
        case .closed: "closed"
        case .connected: "connected"
        case .hammered: "hammered"
        case .joined: "joined"
        case .kicked: "kicked"
        case .last: "last"
        case .left: "left"
        case .lot: "lot"
        case .named: "named"
        case .notAccepted: "not-accepted"
        case .ordered: "ordered"
        case .over: "over"
        case .passed: "passed"
        case .paused: "paused"
        case .reserveMet: "reserve-met"
        case .resumed: "resumed"
        case .revealed: "revealed"
        case .roomEnded: "room-ended"
        case .roomOpened: "room-opened"
        case .said: "said"
        case .sold: "sold"
        case .terms: "terms"
        case .value: "value"
        case .voided: "voided"
        }
    }

    /// Whether strangers can cause it in the main room as often as they like.
    var isLimitedInMain: Bool {
        switch self {
        case .bid, .champion, .closed, .connected, .joined, .left, .named, .notAccepted, .revealed,
            .roomEnded, .roomOpened, .said:
            true
        case .appointed, .hammered, .kicked, .last, .lot, .ordered, .over, .passed, .paused,
            .reserveMet, .resumed, .sold, .terms, .value, .voided:
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
