import Auction
import Basics
import House
import Journal
import Wire

/// What a server recovers from a journal at its start: the lines, and their rooms.
struct Replay {
    private(set) var lines: [ReadLine] = []
    private(set) var rooms = ServerReplay()
    private var records: [Record] = []

    /// Reads and applies one line; false if either fails.
    mutating func take(_ kind: EntryKind, _ words: Span<UInt8>, _ metadata: Int64?) -> Bool {
        lines.append(
            ReadLine(
                kind: kind, words: words.withUnsafeBufferPointer { Array($0) }, metadata: metadata))
        if case .segment(let first, let state) = kind {
            rooms.beginSegment(first: first, state: state)
            return true
        }
        guard let record = Record(line: words, elapsedMilliseconds: metadata) else { return false }
        records.append(record)
        return rooms.replay(record, number: kind.number)
    }

    /// Each record is printed as a line that is read as the same record; unprintable characters are
    /// escaped in the line, and the escaped text is read.
    func checkPrinted() throws(Violation) {
        for record in records {
            let line = Self.line(of: record)
            let text = String(decoding: line, as: UTF8.self)
            let again = Record(line: line.span, elapsedMilliseconds: record.elapsedMilliseconds)
            let isSame = text.contains("\\u{") ? again.map(Self.line) == line : again == record
            try hold(isSame, "\(record) was printed as \(text.debugDescription)")
        }
    }

    private static func line(of record: Record) -> [UInt8] {
        var line: [UInt8] = []
        record.appendText(to: &line)
        return line.dropLast()
    }
}

extension LogBatch {
    /// What a journal keeps of a turn, after the event of a number.
    init(_ effects: [Effect], after lastEvent: Int) {
        self.init()
        var lastEvent = lastEvent
        for effect in effects {
            switch effect {
            case .news(let event, _, _, _):
                lastEvent += 1
                append(.event(event), as: .event(lastEvent))
            case .journal(let event): append(.event(event), as: .note)
            case .journalRoom(let record): append(record, as: .note)
            case .openRoom, .endRoom, .follow, .reply, .replay, .restate, .send, .sendReport, .use,
                .skip, .holdNews,
                .releaseNews, .confirm, .close:
                break
            }
        }
    }

    /// The state with which a segment begins.
    init(_ state: [(record: Record, number: Int?)]) {
        self.init()
        for (record, number) in state {
            append(record, as: number.map { .restated($0) } ?? .note)
        }
    }

    private mutating func append(_ record: Record, as kind: EntryKind) {
        _ = append(kind, metadata: record.elapsedMilliseconds) { record.appendText(to: &$0) }
    }
}
