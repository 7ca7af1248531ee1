import Auction
import House
import Wire

/// The journal that survives a power cut, read from its bytes by code of its own.
struct LogReader {
    /// A room as the journal has it.
    struct Room {
        /// The words with which it was opened, which no other room has; empty for `main`.
        let id: String
        /// The words of its news, from number 1 on; those of removed segments are remembered.
        fileprivate(set) var news: [String] = []
        /// Each line that records the owner of a name in it.
        fileprivate(set) var names: Set<String> = []
        fileprivate(set) var hasEnded = false
        /// The number of its first news in the oldest and in the newest segment.
        fileprivate(set) var firstKept = 1
        fileprivate(set) var newestFirst = 1
    }

    /// The rooms by the order of their opening, also those that have ended; `main` is the first.
    private(set) var rooms = [Room(id: "")]
    private var live = ["main": 0]
    /// The place of the room to which the next line belongs.
    private var current = 0
    /// The number of the last event of all rooms.
    private(set) var last = 0
    /// What a server would know that starts from it.
    private(set) var replay = ServerReplay()
    /// The number with which the oldest and the newest segment begin; 0 before they are read.
    private(set) var firstKept = 0
    private(set) var newestFirst = 0
    private var read: [String: Int] = [:]
    /// The lines of the state that were not read yet, and whether it is the first one.
    private var stateLeft = 0
    private var isFirstState = true
    /// What was read before the server started, by what the rooms were opened with.
    private var before: [String: Room] = [:]

    /// Reads from the beginning; `before` remembers what removed segments had.
    init(after before: LogReader? = nil) {
        for room in before?.rooms ?? [] { self.before[room.id] = room }
    }

    /// The room that was opened with these words; nil if the journal has none.
    func room(_ id: String) -> Room? { rooms.last { $0.id == id } }

    /// The words with which the room was opened to which the next line belongs.
    var currentRoom: String { rooms[current].id }

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

    /// Adds the rooms that ended in removed segments; call it when all that a start finds was read.
    mutating func rememberEndedRooms() {
        let known = Set(rooms.map(\.id))
        rooms += before.values.filter { $0.hasEnded && !known.contains($0.id) }
            .sorted { $0.id < $1.id }
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
        if let violation = note(words, mark: mark) { return violation }
        let number = Int(mark.hasPrefix("=") ? mark.dropFirst() : mark[...])
        let record = Record(line: Array(fields[0]).span, elapsedMilliseconds: elapsed)
        guard let record, replay.replay(record, number: number) else { return broken(line) }
        if stateLeft > 0 {
            stateLeft -= 1
            if stateLeft == 0 { current = 0 }
        }
        return nil
    }

    private mutating func note(_ words: String, mark: String) -> Violation? {
        if let number = Int(mark) {
            guard number == last + 1 else {
                return Violation(promise: .gapless, facts: "\(number) comes after \(last)")
            }
            last = number
            rooms[current].news.append(words)
            return nil
        }
        let fields = words.split(separator: " ", maxSplits: 2).map(String.init)
        guard mark == "-", fields.count > 1 else { return nil }
        switch fields[0] {
        case "NAME": rooms[current].names.insert(words)
        case "OPEN": return open(fields[1], words)
        case "ROOM", "SHUT", "STATE":
            guard let place = live[fields[1]] else {
                return Violation(promise: .recovers, facts: "there is no room: \(words)")
            }
            current = place
            if fields[0] == "SHUT" {
                rooms[place].hasEnded = true
                (live[fields[1]], current) = (nil, 0)
            } else if fields[0] == "STATE" {
                return beginState(words)
            }
        default: break
        }
        return nil
    }

    private mutating func open(_ name: String, _ words: String) -> Violation? {
        if let place = live[name] {
            guard stateLeft > 0, rooms[place].id == words else {
                return Violation(promise: .recovers, facts: "\(name) is open: \(words)")
            }
            return nil
        }
        (live[name], current) = (rooms.count, rooms.count)
        rooms.append(Room(id: words))
        return nil
    }

    /// Begins the state of the current room, which has had a number of news.
    private mutating func beginState(_ words: String) -> Violation? {
        guard let count = numbers(in: words).dropLast().last else {
            return Violation(promise: .recovers, facts: words)
        }
        if isFirstState, let former = before[rooms[current].id], count <= former.news.count {
            rooms[current].news = Array(former.news[..<count])
            rooms[current].names = former.names
            rooms[current].firstKept = count + 1
        }
        rooms[current].newestFirst = count + 1
        guard rooms[current].news.count == count else {
            return Violation(
                promise: .retained, facts: "\(words) after \(rooms[current].news.count) news")
        }
        return nil
    }

    private mutating func begin(_ words: String) -> Violation? {
        let numbers = numbers(in: words)
        guard let first = numbers.first, let state = numbers.last else {
            return broken(Array(words.utf8)[...])
        }
        replay.beginSegment(first: first, state: state)
        isFirstState = newestFirst == 0
        if isFirstState { last = first - 1 }
        (newestFirst, stateLeft, current) = (first, state, 0)
        return nil
    }

    /// The numbers that words are or end with, such as `12` or `news=12`.
    private func numbers(in words: String) -> [Int] {
        words.split(separator: " ").compactMap { word in
            word.split(separator: "=").last.flatMap { Int($0) }
        }
    }

    private func broken(_ line: ArraySlice<UInt8>) -> Violation {
        Violation(promise: .recovers, facts: String(decoding: line, as: UTF8.self))
    }
}
