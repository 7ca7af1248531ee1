import Posix
import Wire

/// The server's log: lines of `key=value`, gathered over a turn and written by a thread of its own.
///
/// Belongs to one thread; what it has gathered is lost unless it is handed over.
public final class Log {
    /// With so many bytes gathered they are handed over before the turn ends.
    private static let mostGathered = 64 * 1024

    let level: LogLevel
    private let writer: LogWriter?
    private let clock: () -> Int64
    private var lines: [UInt8] = []
    private var count = 0
    /// The time of this turn; nil before its first line.
    private var time: Int64?
    /// What the last line began with, and others of its kind begin with at this time.
    private var head: (event: UnsafePointer<UInt8>, level: LogLevel, bytes: [UInt8])?

    /// Makes a log whose lines go to a writer, those of the level and of what matters more.
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

    /// Writes a line that was asked for, whatever the level of the log.
    package func answer(_ event: StaticString, _ words: (inout LogLine) -> Void) {
        if writer != nil { append(.info, event, words) }
    }

    /// Hands over what was gathered; the next line has a time of its own.
    public func handOver() {
        (time, head) = (nil, nil)
        guard count > 0 else { return }
        writer?.take(lines, count: count)
        lines.removeAll(keepingCapacity: true)
        count = 0
    }

    private func append(
        _ level: LogLevel, _ event: StaticString, _ words: (inout LogLine) -> Void
    ) {
        appendHead(of: event, level)
        var gathered: [UInt8] = []
        swap(&gathered, &lines)
        var line = LogLine(gathered)
        words(&line)
        line.end()
        lines = line.bytes
        count += 1
        if lines.count >= Self.mostGathered { handOver() }
    }

    private func appendHead(of event: StaticString, _ level: LogLevel) {
        if let head, head.event == event.utf8Start, head.level == level {
            lines += head.bytes
            return
        }
        let time = time ?? clock()
        self.time = time
        let start = lines.count
        LogLine.append(headOf: event, level, time: time, to: &lines)
        head = (event.utf8Start, level, Array(lines[start...]))
    }
}
