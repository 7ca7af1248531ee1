import Auction
import Basics

/// A message of the stream, or the several messages of one state, as a node follows them.
public struct StreamBatch: Sendable {
    /// Which log of the stream a message belongs to.
    public enum Subject: Hashable, Sendable {
        /// The log of a room.
        case room(RoomName)
        /// The record of a bidder's name.
        case name(Bidder)
    }

    /// What a message is.
    public enum Kind: Equatable, Sendable {
        /// From here on the sender owns the room.
        case owner
        /// Events and notes of a room.
        case events
        /// The whole state of a room, which replaces all before it.
        case state
        /// The record of a name, which replaces the one before.
        case name
    }

    /// An entry of a room's log.
    public struct Entry: Equatable, Sendable {
        /// What an entry is.
        public enum Kind: Equatable, Sendable {
            /// An event.
            case event
            /// An entry that is no event.
            case note
            /// An older event with its number, in a state.
            case restated(Int)
        }

        /// What it is.
        public let kind: Kind
        /// A number that is not in the text; nil if there is none.
        public let metadata: Int64?
        /// The range of its line in the batch's text, without the line feed, which follows it.
        public let line: Range<Int>
    }

    /// The log that it belongs to.
    public let subject: Subject
    /// Its number in the stream; of a state, that of the last message.
    public let sequence: Int
    /// When it was stored, by the clock of the stream.
    ///
    /// It can be compared only with the times of other messages.
    public let storedAt: Instant
    /// The process that appended it.
    public let sender: NodeInstance
    /// What it is.
    public let kind: Kind
    /// Whether this process appended it.
    public let isOwn: Bool
    /// Whether the node has all that is before it.
    ///
    /// Only a state of another process can be without: it replaces what the node has of the room.
    public let isContinuous: Bool
    /// The bytes of the message, or of all messages of the state.
    public let text: [UInt8]
    /// The entries, in order; none in an owner's message and in the record of a name.
    public let entries: [Entry]
}

extension StreamBatch {
    /// Returns a state whose next message is another.
    func joined(with next: StreamBatch) -> StreamBatch {
        let moved = next.entries.map { entry in
            let line = entry.line.lowerBound + text.count..<entry.line.upperBound + text.count
            return Entry(kind: entry.kind, metadata: entry.metadata, line: line)
        }
        return StreamBatch(
            subject: subject, sequence: next.sequence, storedAt: next.storedAt, sender: sender,
            kind: kind, isOwn: isOwn, isContinuous: isContinuous, text: text + next.text,
            entries: entries + moved)
    }
}

extension StreamBatch.Subject {
    private static let (rooms, names) = ("auction.log.", "auction.name.")
    /// The subjects of the stream.
    static let all = [rooms + "*", names + "*"]

    /// Parses the subject of a message; nil if it is none of the stream.
    init?(_ subject: String) {
        if subject.hasPrefix(Self.rooms), let room = RoomName(subject.dropFirst(Self.rooms.count)) {
            self = .room(room)
        } else if subject.hasPrefix(Self.names),
            let name = Bidder(String(subject.dropFirst(Self.names.count)))
        {
            self = .name(name)
        } else {
            return nil
        }
    }

    /// The subject of its messages.
    var text: String {
        switch self {
        case .room(let room): Self.rooms + room.description
        case .name(let name): Self.names + name.description.lowercased()
        }
    }
}

/// What the headers of a message of the stream say.
struct StreamHeaders: Equatable {
    /// The values of the header `Auction-Kind`.
    enum Kind: String {
        case owner, events, state, name
        /// The last message of a state.
        case stateEnd = "state-end"
    }

    let sender: NodeInstance
    let kind: Kind
    /// The unique text by which a message is found again.
    let id: String
    /// The sequence of the message of the same subject before it; 0 if it is the first.
    let previous: Int

    private static let (idName, previousName) = (
        "Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence"
    )

    init(sender: NodeInstance, kind: Kind, number: Int, previous: Int) {
        (self.sender, self.kind, self.previous) = (sender, kind, previous)
        id = "\(sender.digits)-\(number)"
    }

    /// Parses the headers of a message; nil if one is missing or malformed.
    init?(_ message: NATSMessage) {
        guard let name = message[header: "Auction-Node"].flatMap({ NodeName($0) }),
            let number = message[header: "Auction-Instance"].flatMap({ NodeInstance.number($0) }),
            let kind = message[header: "Auction-Kind"].flatMap(Kind.init),
            let id = message[header: Self.idName],
            let previous = message[header: Self.previousName].flatMap({ Int($0) })
        else { return nil }
        sender = NodeInstance(name, number: number)
        (self.kind, self.id, self.previous) = (kind, id, previous)
    }

    /// The unique text of a message, if it has one.
    static func id(of message: NATSMessage) -> String? { message[header: idName] }

    /// Returns a message with these headers.
    func message(_ subject: StreamBatch.Subject, _ payload: [UInt8]) -> NATSMessage {
        NATSMessage(
            subject.text,
            headers: [
                .init(Self.previousName, String(previous)), .init(Self.idName, id),
                .init("Auction-Node", sender.name.description),
                .init("Auction-Instance", sender.digits), .init("Auction-Kind", kind.rawValue),
            ], payload: payload)
    }
}

extension StreamBatch.Entry {
    /// Appends a line with an entry: its kind, its metadata, and its text with the line feed.
    static func append(
        _ entry: LogBatch.Entry, text: ArraySlice<UInt8>, to body: inout [UInt8]
    ) {
        switch entry.kind {
        case .event: body.append(UInt8(ascii: "+"))
        case .note: body.append(UInt8(ascii: "-"))
        case .restated(let number): body.append(contentsOf: "=\(number)".utf8)
        case .segment: preconditionFailure("a log writes the headers of its segments itself")
        }
        body.append(UInt8(ascii: " "))
        if let metadata = entry.metadata {
            body.append(contentsOf: String(metadata).utf8)
        } else {
            body.append(UInt8(ascii: "-"))
        }
        body.append(UInt8(ascii: " "))
        body.append(contentsOf: text)
    }

    /// Parses the lines of a body; nil if one is malformed or has no line feed.
    ///
    /// Only a state has restated events, and it has no others.
    static func parse(_ body: [UInt8], isState: Bool) -> [StreamBatch.Entry]? {
        var entries: [StreamBatch.Entry] = []
        let isValid = body.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                guard let end = bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count),
                    let kindEnd = bytes.offset(of: UInt8(ascii: " "), in: start..<end),
                    let kind = Kind(bytes[start..<kindEnd], isState: isState),
                    let textStart = bytes.offset(of: UInt8(ascii: " "), in: kindEnd + 1..<end),
                    bytes.offset(of: UInt8(ascii: "\t"), in: start..<end) == nil
                else { return false }
                let digits = bytes[(kindEnd + 1)..<textStart]
                let metadata = Int64(digits: digits, below: LogBatch.metadataBound)
                guard metadata != nil || digits.elementsEqual("-".utf8) else { return false }
                entries.append(Self(kind: kind, metadata: metadata, line: textStart + 1..<end))
                start = end + 1
            }
            return true
        }
        return isValid ? entries : nil
    }
}

extension StreamBatch.Entry.Kind {
    fileprivate init?(_ mark: Slice<UnsafeRawBufferPointer>, isState: Bool) {
        switch mark.first {
        case UInt8(ascii: "+") where mark.count == 1 && !isState: self = .event
        case UInt8(ascii: "-") where mark.count == 1: self = .note
        case UInt8(ascii: "=") where isState:
            guard let number = Int64(digits: mark.dropFirst(), below: LogBatch.numberBound) else {
                return nil
            }
            self = .restated(Int(number))
        default: return nil
        }
    }
}
