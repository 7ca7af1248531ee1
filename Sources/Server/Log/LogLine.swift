import Auction
import Basics
import Posix
import Wire

/// A line of the log: the time, the level, the event, and `key=value` words.
///
/// A value with a space, a quote, `=` or anything unprintable in it is a JSON string, so that no
/// value can steer a terminal, end the line or pretend to be another word.
public struct LogLine {
    package private(set) var bytes: [UInt8]

    /// Creates a line that follows these whole lines.
    package init(_ lines: consuming [UInt8] = []) {
        bytes = lines
    }

    /// Appends a line with the number of lines that could not be written.
    static func append(dropped lines: Int, to bytes: inout [UInt8]) {
        var line = LogLine(consume bytes)
        line.begin("dropped", .warning, time: wallClockMilliseconds())
        line.add("lines", lines)
        line.end()
        bytes = line.bytes
    }

    /// Begins a line about an event, at a time in milliseconds since 1970.
    mutating func begin(_ event: String, _ level: LogLevel, time: Int64) {
        bytes.append("time=")
        UTCTime.append(millisecondsSince1970: time, to: &bytes)
        bytes.append(" level=")
        bytes.append(level.rawValue)
        bytes.append(" event=")
        bytes.append(event)
    }

    /// Begins a line with the bytes that another one began with.
    mutating func begin(like head: [UInt8]) {
        bytes += head
    }

    mutating func end() {
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Removes all lines, and keeps their memory for the next.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds a word whose value is a text.
    public mutating func add(_ key: StaticString, _ text: String) {
        append(key)
        if text.isWord { bytes.append(text) } else { text.appendQuotedJSON(to: &bytes) }
    }

    /// Adds a word whose value is a number that is not negative.
    public mutating func add(_ key: StaticString, _ number: Int) {
        append(key)
        bytes.append(number)
    }

    /// Adds words of few bytes at once, each with the space before it.
    mutating func addShort(_ write: (inout LineBuffer) -> Void) {
        bytes.appendBuffered(write)
    }

    /// Adds a word whose value is an amount.
    mutating func add(_ key: StaticString, _ price: Price) {
        append(key)
        bytes.append(price.amount)
    }

    /// Adds a word whose value is a name.
    mutating func add(_ key: StaticString, _ bidder: Bidder) {
        append(key)
        bytes.append(bidder)
    }

    /// Adds the name of a room.
    mutating func add(_ room: RoomName) {
        addShort { text in
            text.append(" room=")
            text.append(room)
        }
    }

    private mutating func append(_ key: StaticString) {
        bytes.append(UInt8(ascii: " "))
        bytes.append(key)
        bytes.append(UInt8(ascii: "="))
    }
}

extension String {
    /// Whether it can stand in a line without quotes.
    fileprivate var isWord: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy {
                $0.isPrintable && !$0.properties.isWhitespace && $0 != "\"" && $0 != "="
                    && $0 != "\\"
            }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) {
        append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
