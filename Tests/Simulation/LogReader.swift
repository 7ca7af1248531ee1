import AuctionRules
import Lobby
import Sale
import Wire

/// The journal that survives a power cut, read from its bytes by code of its own.
struct LogReader {
    /// The words of each event, from event 1 on; those of removed segments are remembered.
    private(set) var events: [String] = []
    /// Each line that records the owner of a name.
    private(set) var names: Set<String> = []
    /// What a server would know that starts from it.
    private(set) var replay = ServerReplay()
    /// The number with which the oldest and the newest segment begin; 0 before they are read.
    private(set) var firstKept = 0
    private(set) var newestFirst = 0
    private var read: [String: Int] = [:]
    /// What was read before the server started, by the number of the last event.
    private var before: (events: [String], names: Set<String>)

    /// Reads from the beginning; `before` remembers what removed segments had.
    init(after before: LogReader? = nil) {
        self.before = (before?.events ?? [], before?.names ?? [])
    }

    /// The number of the last event.
    var last: Int { events.count }

    /// Reads on, and returns what is wrong.
    mutating func read(_ files: [String: [UInt8]]) -> Violation? {
        let segments = files.keys.sorted().filter { $0.hasSuffix(".journal") }
        for name in segments {
            guard let bytes = files[name] else { continue }
            var start = read[name] ?? 0
            guard start <= bytes.count else {
                return Violation(promise: .kept, facts: "\(name) ends before byte \(start)")
            }
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                if let violation = take(bytes[start..<end], isHeader: start == 0) {
                    return violation
                }
                start = end + 1
            }
            read[name] = start
        }
        // Names are padded numbers.
        firstKept = segments.first.flatMap { Int($0.prefix { $0 != "." }) } ?? 0
        return nil
    }

    private mutating func take(_ line: ArraySlice<UInt8>, isHeader: Bool) -> Violation? {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count == 3 else { return broken(line) }
        let mark = String(decoding: parts[0], as: UTF8.self)
        let fields = parts[2].split(separator: UInt8(ascii: "\t"), maxSplits: 1)
        if isHeader { return begin(String(decoding: fields[0], as: UTF8.self)) }
        let metadata = fields.dropFirst().first?.split(separator: UInt8(ascii: " ")).first
        let elapsed = metadata.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        let words = String(decoding: fields[0], as: UTF8.self)
        if mark == "-", words.hasPrefix("NEXT ") { return nil }
        if words.hasPrefix("NAME ") { names.insert(words) }
        if let number = Int(mark) {
            guard number == events.count + 1 else {
                return Violation(promise: .gapless, facts: "\(number) comes after \(events.count)")
            }
            events.append(words)
        }
        let number = Int(mark.hasPrefix("=") ? mark.dropFirst() : mark[...])
        let record = Record(line: Array(fields[0]).span, elapsedMilliseconds: elapsed)
        guard let record, replay.replay(record, number: number) else { return broken(line) }
        return nil
    }

    private mutating func begin(_ words: String) -> Violation? {
        let numbers = words.split(separator: " ").compactMap { word in
            word.split(separator: "=").last.flatMap { Int($0) }
        }
        guard let first = numbers.first, let state = numbers.last,
            replay.beginSegment(first: first, state: state)
        else { return broken(Array(words.utf8)[...]) }
        if events.isEmpty, first > 1 {
            guard first <= before.events.count + 1 else {
                return Violation(promise: .retained, facts: "the journal begins with \(first)")
            }
            (events, names) = (Array(before.events[..<(first - 1)]), before.names)
        }
        newestFirst = first
        return nil
    }

    private func broken(_ line: ArraySlice<UInt8>) -> Violation {
        Violation(promise: .recovers, facts: String(decoding: line, as: UTF8.self))
    }
}
