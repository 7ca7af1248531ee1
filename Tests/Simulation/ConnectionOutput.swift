import Auction
import House
import Server
import Web
import Wire

/// What the server sends one connection: the lines that wait, and the news that is held or skipped.
struct ConnectionOutput {
    /// The most lines of news that wait.
    private let ringLines: Int
    private let oracle: Oracle
    private(set) var encoding = Encoding.text
    /// Whether the connection closes when everything is sent.
    private(set) var isFinishing = false
    /// The room whose news it is sent.
    private(set) var room: RoomID?
    /// Whether it has fallen behind the news, and is sent none before `skip`.
    private var isFallen = false
    private var isFallReported = true
    /// The room that it follows, and the newest news of that when this was published; and those
    /// that it follows next, on its own loop.
    private var admission: (room: RoomReferee, after: Int)?
    private var nextAdmissions: [(room: RoomReferee, after: Int)] = []
    private var outbox: [SentLine] = []
    /// News that is held until an answer is complete; nil if none is under way.
    private var heldNews: [SentLine]?
    private var sentOfFirst = 0

    init(_ world: World) {
        (ringLines, oracle) = (world.plan.terms.ringLines, world.oracle)
    }

    /// Notes that it is to follow a room from the newest news on.
    mutating func admit(to room: RoomReferee) {
        nextAdmissions.append((room, room.published))
    }

    /// Performs an effect on its connection.
    mutating func perform(_ effect: Effect, at milliseconds: Int64) {
        switch effect {
        case .news, .journal, .journalRoom, .openRoom, .endRoom, .sendReport, .confirm: break
        case .follow(_, let room):
            self.room = room
            if !nextAdmissions.isEmpty { admission = nextAdmissions.removeFirst() }
        case .reply(let message, _): reply(message, seq: nil, at: milliseconds)
        case .replay(let message, let seq, let time, _): reply(message, seq: seq, at: time)
        case .restate(let message, let seq, _):
            reply(message, seq: seq, isSnapshot: true, at: milliseconds)
        case .send(let bytes, _): outbox.append(SentLine(bytes: bytes, kind: .telnet))
        case .use(let encoding, _): self.encoding = encoding
        case .skip: replySkipped(skip(), at: milliseconds)
        case .holdNews: heldNews = heldNews ?? []
        case .releaseNews:
            outbox += heldNews.take() ?? []
            noteFall()
        case .close(_, let reason): finish(reason, at: milliseconds)
        }
    }

    private mutating func finish(_ reason: ServerMessage.CloseReason?, at milliseconds: Int64) {
        let missed = skip()
        if let reason {
            if missed.all > 0 { replySkipped(missed, at: milliseconds) }
            reply(.bye(reason), seq: nil, at: milliseconds)
            if encoding == .webSocket {
                let frame = WebSocketFrame.closing(code: reason.webSocketCode)
                outbox.append(SentLine(bytes: frame, kind: .telnet))
            }
        }
        outbox += heldNews.take() ?? []
        (room, isFinishing) = (nil, true)
    }

    /// Appends news, unless that is more than the ring holds: then it has fallen behind.
    mutating func append(_ bytes: [UInt8], seq: Int, of room: RoomReferee) {
        let line = SentLine(
            bytes: bytes, kind: .news(seq: seq, room), headerCount: encoding.headerCount(of: bytes))
        if heldNews?.append(line) == nil {
            outbox.append(line)
            noteFall()
        }
    }

    private mutating func noteFall() {
        guard !isFallen, outbox.count > ringLines, outbox.count(where: \.isNews) > ringLines else {
            return
        }
        (isFallen, isFallReported) = (true, false)
    }

    private mutating func reply(
        _ message: ServerMessage, seq: Int?, isSnapshot: Bool = false, at milliseconds: Int64?
    ) {
        var kind = SentLine.Kind.reply
        if let seq, !isSnapshot { kind = .missed(seq: seq) }
        if case .hello = message {
            kind = .hello(after: admission?.after ?? 0, admission?.room)
        }
        append(message, kind, seq: seq, isSnapshot: isSnapshot, at: milliseconds)
    }

    private mutating func replySkipped(_ missed: (all: Int, ofRoom: Int), at milliseconds: Int64) {
        append(.skipped(missed.all), .skipped(ofRoom: missed.ofRoom), seq: nil, at: milliseconds)
    }

    private mutating func append(
        _ message: ServerMessage, _ kind: SentLine.Kind, seq: Int?, isSnapshot: Bool = false,
        at milliseconds: Int64?
    ) {
        let line = message.bytes(
            as: encoding, seq: seq, isSnapshot: isSnapshot, at: milliseconds)
        // The state has no line of text.
        guard !line.isEmpty else { return }
        outbox.append(
            SentLine(bytes: line, kind: kind, headerCount: encoding.headerCount(of: line)))
    }

    /// Drops the news that it fell behind of, and returns the number of lines, and of those of its
    /// room.
    private mutating func skip() -> (all: Int, ofRoom: Int) {
        guard isFallen else { return (0, 0) }
        isFallen = false
        let begun = sentOfFirst > 0 ? 1 : 0
        let dropped = outbox.dropFirst(begun).filter(\.isNews)
        outbox = outbox.prefix(begun) + outbox.dropFirst(begun).filter { !$0.isNews }
        let ofRoom = dropped.count { line in
            guard case .news(let seq, let room) = line.kind, let admission else { return false }
            // What came before is from a former stay.
            return room === admission.room && seq > admission.after
        }
        if ofRoom < dropped.count { oracle.count(.skippedFormerRoom) }
        return (dropped.count, ofRoom)
    }

    /// Whether nothing waits to be sent.
    var isEmpty: Bool { outbox.isEmpty }

    /// The number of bytes that wait to be sent and are no news.
    var replyBytes: Int { outbox.reduce(0) { $0 + ($1.isNews ? 0 : $1.bytes.count) } }

    /// Whether it has fallen behind since the last call.
    mutating func takeFall() -> Bool {
        defer { isFallReported = true }
        return !isFallReported
    }

    /// Removes and returns as many bytes as there is space for; `began` is called for each line.
    mutating func take(upTo space: Int, began: (SentLine) -> Void) -> [UInt8] {
        var (taken, space) = ([UInt8](), space)
        while space > 0, let line = bringNextForward() {
            if sentOfFirst == 0 { began(line) }
            let piece = line.bytes.dropFirst(sentOfFirst).prefix(space)
            taken += piece
            space -= piece.count
            sentOfFirst += piece.count
            guard sentOfFirst == line.bytes.count else { break }
            outbox.removeFirst()
            sentOfFirst = 0
        }
        return taken
    }

    /// The next line to send, which is then the first: a connection that has fallen behind is sent
    /// no news, and replies after the news only while an answer holds the news back.
    private mutating func bringNextForward() -> SentLine? {
        guard isFallen, sentOfFirst == 0, outbox.first?.isNews == true else { return outbox.first }
        guard heldNews != nil, let place = outbox.firstIndex(where: { !$0.isNews }) else {
            return nil
        }
        outbox.insert(outbox.remove(at: place), at: 0)
        return outbox.first
    }
}

/// A line that the server sends to one connection.
struct SentLine {
    enum Kind {
        case news(seq: Int, RoomReferee)
        /// News that the client asked for because it missed it.
        case missed(seq: Int)
        /// The greeting of a client that receives all news of a room after this number.
        case hello(after: Int, RoomReferee?)
        /// The number of skipped lines; `ofRoom` of them were news of the room of the connection.
        case skipped(ofRoom: Int)
        case reply
        case telnet
    }

    let bytes: [UInt8]
    let kind: Kind
    /// The number of bytes before the message.
    var headerCount = 0

    /// The message, without the end of its line or the header of its frame.
    var payload: ArraySlice<UInt8> {
        headerCount > 0 ? bytes[headerCount...] : bytes.dropLast()
    }

    var isNews: Bool {
        if case .news = kind { true } else { false }
    }
}

extension Encoding {
    /// The number of bytes before the JSON object of a frame; 0 for a line.
    fileprivate func headerCount(of bytes: [UInt8]) -> Int {
        guard self == .webSocket else { return 0 }
        return bytes.count < 2 + 126 ? 2 : bytes.count < 4 + 65536 ? 4 : 10
    }
}

extension ServerMessage {
    /// The bytes of the message in an encoding.
    func bytes(
        as encoding: Encoding, seq: Int?, isSnapshot: Bool = false, at milliseconds: Int64?
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        append(
            to: &bytes, as: encoding, seq: seq, isSnapshot: isSnapshot,
            millisecondsSince1970: milliseconds)
        return bytes
    }
}
