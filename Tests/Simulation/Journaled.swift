import AuctionRules
import Lobby
import Sale
import Wire

/// The journal as its bytes tell it that survive a power cut, read by other code than its own.
struct Journaled {
    /// The words of each event; the first is event 1.
    private(set) var events: [String] = []
    /// Each line that says who owns a name.
    private(set) var names: Set<String> = []
    /// What a server would know that starts from it.
    private(set) var replay = SaleReplay()
    private var read: [String: Int] = [:]
    private var owners: [Bidder: Token] = [:]
    /// The tokens of those who have bid.
    private var bound: [Bidder: Token] = [:]

    /// The number of the last event.
    var last: Int { events.count }

    /// Reads on, and returns what is wrong.
    mutating func read(_ files: [String: [UInt8]]) -> Violation? {
        for name in files.keys.sorted() where name.hasSuffix(".journal") {
            guard let bytes = files[name] else { continue }
            var start = read[name] ?? 0
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                if let violation = take(bytes[start..<end], isHeader: start == 0) {
                    return violation
                }
                start = end + 1
            }
            read[name] = start
        }
        return nil
    }

    private mutating func take(_ line: ArraySlice<UInt8>, isHeader: Bool) -> Violation? {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count == 3 else { return broken(line) }
        let mark = String(decoding: parts[0], as: UTF8.self)
        let fields = parts[2].split(separator: UInt8(ascii: "\t"), maxSplits: 1)
        if isHeader { return begin(String(decoding: fields[0], as: UTF8.self)) }
        let aside = fields.dropFirst().first?.split(separator: UInt8(ascii: " ")).first
        let elapsed = aside.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        let words = String(decoding: fields[0], as: UTF8.self)
        if words.hasPrefix("NEXT ") { return nil }
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
        return checkOwner(record)
    }

    /// Holds that a name under which a bid was accepted keeps its token.
    private mutating func checkOwner(_ record: Record) -> Violation? {
        switch record {
        case .name(let bidder, let token, _), .event(.nameTaken(let bidder, let token)):
            if let bound = bound[bidder], bound != token {
                return Violation(promise: .names, facts: "\(bidder) has another token now")
            }
            owners[bidder] = token
        case .event(.bidPlaced(let bid)): bound[bid.bidder] = owners[bid.bidder]
        case .event, .present, .bid, .result: break
        }
        return nil
    }

    private mutating func begin(_ words: String) -> Violation? {
        let numbers = words.split(separator: " ").compactMap { word in
            word.split(separator: "=").last.flatMap { Int($0) }
        }
        guard let first = numbers.first, let state = numbers.last,
            replay.beginSegment(first: first, state: state)
        else { return broken(Array(words.utf8)[...]) }
        return nil
    }

    private func broken(_ line: ArraySlice<UInt8>) -> Violation {
        Violation(promise: .recovers, facts: String(decoding: line, as: UTF8.self))
    }
}
