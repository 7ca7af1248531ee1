import Addresses
import AuctionRules
import Lobby
import Sale
import Server
import TestSupport
import Web
import Wire

/// A request that a client has sent.
struct Command {
    enum Kind: Equatable {
        case name(Bidder, token: String?)
        case bid(Int64, by: Bidder)
        /// `take`, `buy` or `max`.
        case offer(String)
        case say
        case question
        /// A request for the results of all lots; this number had ended when it was sent.
        case results(ended: Int)
        case resume(after: Int)
        case format(Format)
        /// A request for the list of rooms.
        case rooms
        case join(RoomName)
        case open(RoomName, RoomOptions)
        case auctioneer(token: String)
        case ruling(AuctioneerCommand.Verb)
        case quit
        /// Something that is no command, and the error for it.
        case nonsense(ErrorReply.Code)
    }

    let kind: Kind
    let tag: String?
    let invoked: Duration
    /// The room in which the client knew to be when it sent it.
    let sentIn: RoomReferee?
    /// The room in which the server answered, and its newest lot then; nil before.
    var room: RoomReferee?
    var lot: Int?
    /// The number of lines of a list that the client has received for it.
    var listed = 0
    /// The rooms that were listed for it.
    var rooms: Set<RoomName> = []

    init(_ kind: Kind, tag: String?, at time: Duration, in room: RoomReferee?) {
        (self.kind, self.tag, invoked, sentIn) = (kind, tag, time, room)
    }
}

/// A connection: the client's end, the bytes under way, and the server's end.
final class Connection {
    /// A line that the server sends to one connection.
    struct Line {
        enum Kind {
            case news(seq: Int, RoomReferee)
            /// News that the client asked for because it missed it.
            case missed(seq: Int)
            /// The greeting of a client that receives all news of a room after this number.
            case hello(after: Int, RoomReferee?)
            /// The number of lines that were skipped, of which so many were news of its room.
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

        fileprivate var isNews: Bool {
            if case .news = kind { true } else { false }
        }
    }

    /// How far the server has come with a newcomer.
    enum Stage {
        /// Its PROXY header is incomplete: the number of missing bytes, and since when.
        case handshake(left: Int, since: Duration)
        /// It joined at this time.
        case joined(Duration)
        /// It was refused, or is unknown to the server.
        case none
    }

    /// With more bytes of replies than this that the client has not taken, it is not read from.
    private static let outputBytes = 1200

    private(set) var id: SessionID
    let client: Client
    private let world: World
    private var up: Pipe?
    private var down: Pipe?
    private var window: Int

    // The client's end
    /// The room into which the client's WebSocket leads; nil for `main`.
    var socketRoom: RoomName?
    /// Whether the client has closed it, and can send no more.
    private(set) var isHungUp = false
    /// What the client holds back; nil if it sends at once.
    private var heldBack: [UInt8]?
    /// The requests of the client, in order; how many the server has answered, and how many of
    /// the answers the client has received or given up.
    var commands: [Command] = []
    var answered = 0
    private var settled = 0
    private var sentCount = 0
    /// Where the messages end in what the client sends; nil if they end with LF.
    private var ends: [Int]?
    /// The lines whose first byte was sent, and which the client has not received.
    private var underWay: [Line] = []

    // The server's end, as far as bytes came
    /// The PROXY header with which it begins; nil if it is not a proxy's.
    let header: Header?
    private var headerLeft: Int
    private(set) var arrived: [UInt8] = []
    private var arrivedCount = 0
    /// The number of bytes that the core was given, with those of the header.
    var handledCount = 0
    /// When the first of the arrived bytes came.
    private var arrivedAt = Duration.zero
    var unhandled = UnhandledBytes()
    /// Since when the line has been there of which no end has arrived; nil if the last one ended.
    private var lineSince: Duration?
    /// The beginning and the end of the lines that ended, as they arrived.
    private var lines: [(since: Duration, ended: Duration)] = []
    var hasEnded = false
    private(set) var hasBroken = false

    // The server's end
    var stage = Stage.none
    var isGreeted = false
    /// Whether there was no place for it.
    var isTurnedAway = false
    private(set) var encoding = Encoding.text
    /// The room whose news it is sent.
    private var room: RoomID?
    /// Whether it has fallen behind the news, and is sent none before `skip`.
    private(set) var isFallen = false
    private var isFallReported = true
    private(set) var isFinishing = false
    /// Whether it is not read from, because the client takes less than it asks for.
    private(set) var isPaused = false { didSet { noteMuting() } }
    private var wasPaused = false
    /// Whether its loop was commanded not to read from it.
    var isSilenced = false { didSet { noteMuting() } }
    /// Whether its loop has no room to read from it yet.
    var isHeld = false
    /// Since when it has been read from; nil while it is not.
    private var readSince: Duration? = .zero
    private(set) var isShut = false
    /// The room that it follows, and the newest news of that when this was published; and those
    /// that it follows next, on its own loop.
    private var admission: (room: RoomReferee, after: Int)?
    private var nextAdmissions: [(room: RoomReferee, after: Int)] = []
    private var outbox: [Line] = []
    /// News that is held until an answer is complete; nil if none is under way.
    private var heldNews: [Line]?
    private var sentOfFirst = 0

    init(
        _ id: SessionID, _ client: Client, _ world: World, _ link: Link, _ header: Header?,
        marksEnds: Bool, seed: UInt64
    ) {
        ends = marksEnds ? [] : nil
        (self.id, self.client, self.world, window) = (id, client, world, link.window)
        (self.header, headerLeft) = (header, header?.bytes.count ?? 0)
        up = Pipe(world, link, seed: seed) { [weak self] bytes in
            guard let self else { return }
            arrive(bytes, at: world.now)
            world.server?.wake(for: self)
        }
        down = Pipe(world, link, seed: ~seed) { [weak self] bytes in
            guard let self else { return }
            self.client.receive(bytes, on: self)
        }
    }

    // The client's end

    /// The address that the server sees: the proxy's for the connection of a proxy.
    var peer: PeerAddress { header == nil ? client.address : Header.proxy }

    func send(_ bytes: [UInt8]) {
        sentCount += bytes.count
        transmit(bytes)
    }

    /// Sends the rest of a line or of a message.
    func sendUnit(_ bytes: [UInt8]) {
        send(bytes)
        ends?.append(sentCount)
    }

    private func transmit(_ bytes: [UInt8]) {
        if heldBack == nil { up?.send(bytes) } else { heldBack? += bytes }
    }

    /// Holds back everything sent until `goOn`.
    func holdBack() {
        heldBack = heldBack ?? []
    }

    func goOn() {
        if let bytes = heldBack.take() { transmit(bytes) }
    }

    /// Holds nothing back, and takes everything at once.
    func behave() {
        goOn()
        window = Link.calm.window
    }

    /// Closes the client's end behind what was sent, or without what is held back.
    func hangUp() {
        isHungUp = true
        whenAllArrived { [world] in
            $0.hasEnded = true
            world.server?.wake(for: $0)
        }
    }

    func whenAllArrived(_ action: @escaping (Connection) -> Void) {
        up?.end { [weak self] in if let self { action(self) } }
    }

    /// Neither receives nor sends anything more.
    func cut() {
        up?.cut()
        down?.cut()
    }

    /// Breaks, as the server learns now.
    func breakDown() {
        cut()
        hasBroken = true
        world.server?.wake(for: self)
    }

    /// The line that the client receives next; nil if the server sent none.
    func nextLine() -> Line? {
        while case .telnet? = underWay.first?.kind { underWay.removeFirst() }
        return underWay.isEmpty ? nil : underWay.removeFirst()
    }

    /// The requests that wait for an answer.
    var pending: ArraySlice<Command> { commands[settled...] }

    /// Counts an entry of the list that the next answer ends, and returns the count.
    func noteListed() -> Int {
        commands[settled].listed += 1
        return commands[settled].listed
    }

    /// Counts a room of the list that the next answer ends.
    func noteListed(_ room: RoomName) {
        guard settled < commands.count else { return }
        _ = noteListed()
        commands[settled].rooms.insert(room)
    }

    /// Removes the next request that has an answer, or will have none; nil if none waits.
    func settleNext() -> Command? {
        guard settled < commands.count else { return nil }
        defer { settled += 1 }
        return commands[settled]
    }

    // Input

    private func arrive(_ bytes: [UInt8], at now: Duration) {
        if arrived.isEmpty { arrivedAt = now }
        arrived += bytes
        arrivedCount += bytes.count
        unhandled.add(bytes.count, at: now)
        let rest = bytes.dropFirst(headerLeft)
        headerLeft -= bytes.count - rest.count
        if !rest.isEmpty { noteLines(rest, at: now) }
    }

    private func noteLines(_ bytes: ArraySlice<UInt8>, at now: Duration) {
        guard let rest = countBehindLastEnd(bytes) else { return lineSince = lineSince ?? now }
        lines.append((lineSince ?? now, now))
        lineSince = rest == 0 ? nil : now
    }

    /// The number of the newest bytes that follow an end among them; nil if there is none.
    private func countBehindLastEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let ends else {
            return bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes.endIndex - 1 - $0 }
        }
        let end = ends.last { $0 <= arrivedCount } ?? 0
        return end > arrivedCount - bytes.count ? arrivedCount - end : nil
    }

    /// Since when a line has been incomplete, as far as a server knows that handled everything that
    /// arrived up to an instant; nil if none was.
    func lineSince(handledUntil: Duration) -> Duration? {
        lines.first { $0.ended > handledUntil }?.since ?? lineSince
    }

    /// Whether a poll at an instant finds something to read.
    func isFound(byPollAt instant: Duration) -> Bool {
        hasBroken || hasEnded || !arrived.isEmpty && arrivedAt <= instant
    }

    /// Whether there is something to read, and it is read from.
    var isReadable: Bool { (hasEnded || !arrived.isEmpty) && !isPaused && !isSilenced }

    /// Returns and removes what has arrived.
    func takeArrived() -> [UInt8] {
        defer { arrived = [] }
        return arrived
    }

    /// Gives it to a loop before anything is read from it.
    func move(to loop: Int) {
        id = SessionID(id.handle, loop: loop)
    }

    func beginReading() {
        readSince = world.now
    }

    private func noteMuting() {
        let isMuted = isPaused || isSilenced
        if isMuted { readSince = nil } else if readSince == nil { readSince = world.now }
    }

    /// Whether it was paused, or is no longer, since the last call.
    func takePauseChange() -> Bool {
        defer { wasPaused = isPaused }
        return isPaused != wasPaused
    }

    /// Whether bytes that arrived before an instant, while it was read from, are not handled; a
    /// connection that broke loses its last bytes.
    func isUnhandled(before end: Duration) -> Bool {
        guard !hasBroken else { return false }
        return readSince.map { unhandled.contains(from: $0, before: end) } ?? false
    }

    // Output

    /// Notes that it is to follow a room from the newest news on.
    func admit(to room: RoomReferee) {
        nextAdmissions.append((room, room.published))
    }

    /// Performs an effect on its connection.
    func perform(_ effect: Effect, at milliseconds: Int64) {
        switch effect {
        case .news, .note, .log, .openRoom, .endRoom, .sendMetrics, .confirm: break
        case .follow(_, let room):
            self.room = room
            if !nextAdmissions.isEmpty { admission = nextAdmissions.removeFirst() }
        case .reply(let message, _): reply(message, seq: nil, at: milliseconds)
        case .replay(let message, let seq, let time, _): reply(message, seq: seq, at: time)
        case .restate(let message, let seq, _):
            reply(message, seq: seq, isSnapshot: true, at: milliseconds)
        case .send(let bytes, _): outbox.append(Line(bytes: bytes, kind: .telnet))
        case .use(let encoding, _): self.encoding = encoding
        case .skip: replySkipped(skip(), at: milliseconds)
        case .holdNews: heldNews = heldNews ?? []
        case .releaseNews:
            outbox += heldNews.take() ?? []
            noteFall()
        case .close(_, let reason): finish(reason, at: milliseconds)
        }
    }

    private func finish(_ reason: ServerMessage.CloseReason?, at milliseconds: Int64) {
        let missed = skip()
        if let reason {
            if missed.all > 0 { replySkipped(missed, at: milliseconds) }
            reply(.bye(reason), seq: nil, at: milliseconds)
            if encoding == .webSocket {
                let frame = WebSocketFrame.closing(code: reason.webSocketCode)
                outbox.append(Line(bytes: frame, kind: .telnet))
            }
        }
        outbox += heldNews.take() ?? []
        (room, isFinishing) = (nil, true)
        flush()
    }

    /// The news that it is sent.
    var feed: RoomFeed? { room.map { RoomFeed($0, encoding) } }

    /// Appends news, unless that is more than the ring holds: then it has fallen behind.
    func append(_ bytes: [UInt8], seq: Int, of room: RoomReferee) {
        let line = Line(
            bytes: bytes, kind: .news(seq: seq, room), headerCount: encoding.headerCount(of: bytes))
        if heldNews?.append(line) == nil {
            outbox.append(line)
            noteFall()
        }
    }

    private func noteFall() {
        let ringLines = world.plan.terms.ringLines
        guard !isFallen, outbox.count > ringLines, outbox.count(where: \.isNews) > ringLines else {
            return
        }
        (isFallen, isFallReported) = (true, false)
    }

    private func reply(
        _ message: ServerMessage, seq: Int?, isSnapshot: Bool = false, at milliseconds: Int64?
    ) {
        var kind = Line.Kind.reply
        if let seq, !isSnapshot { kind = .missed(seq: seq) }
        if case .hello = message {
            kind = .hello(after: admission?.after ?? 0, admission?.room)
        }
        append(message, kind, seq: seq, isSnapshot: isSnapshot, at: milliseconds)
    }

    private func replySkipped(_ missed: (all: Int, ofRoom: Int), at milliseconds: Int64) {
        append(.skipped(missed.all), .skipped(ofRoom: missed.ofRoom), seq: nil, at: milliseconds)
    }

    private func append(
        _ message: ServerMessage, _ kind: Line.Kind, seq: Int?, isSnapshot: Bool = false,
        at milliseconds: Int64?
    ) {
        let line = message.bytes(
            as: encoding, seq: seq, isSnapshot: isSnapshot, at: milliseconds)
        outbox.append(
            Line(bytes: line, kind: kind, headerCount: encoding.headerCount(of: line)))
    }

    /// Drops the news that it fell behind of, and returns the number of lines, and of those of its
    /// room.
    private func skip() -> (all: Int, ofRoom: Int) {
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
        if ofRoom < dropped.count { world.oracle.count(.skippedFormerRoom) }
        return (dropped.count, ofRoom)
    }

    /// Whether something waits to be sent.
    var hasOutput: Bool { !outbox.isEmpty }

    /// Whether it has fallen behind since the last call.
    func takeFall() -> Bool {
        defer { isFallReported = true }
        return !isFallReported
    }

    /// Sends as much as the client takes.
    func flush() {
        var taken: [UInt8] = []
        var space = window - (down?.inFlight ?? 0) - client.unreadCount(on: self)
        while space > 0, let line = bringNextForward() {
            if sentOfFirst == 0 { underWay.append(line) }
            let piece = line.bytes.dropFirst(sentOfFirst).prefix(space)
            taken += piece
            space -= piece.count
            sentOfFirst += piece.count
            guard sentOfFirst == line.bytes.count else { break }
            outbox.removeFirst()
            sentOfFirst = 0
        }
        if !taken.isEmpty { down?.send(taken) }
        pauseOrGoOn()
        if isFinishing, outbox.isEmpty { shut() }
    }

    /// The next line to send, which is then the first: a connection that has fallen behind is sent
    /// no news, and replies after the news only while an answer holds the news back.
    private func bringNextForward() -> Line? {
        guard isFallen, sentOfFirst == 0, outbox.first?.isNews == true else { return outbox.first }
        guard heldNews != nil, let place = outbox.firstIndex(where: { !$0.isNews }) else {
            return nil
        }
        outbox.insert(outbox.remove(at: place), at: 0)
        return outbox.first
    }

    /// Is not read from while the client asks for more than it takes, until it has taken everything.
    private func pauseOrGoOn() {
        let pending = outbox.reduce(0) { $0 + ($1.isNews ? 0 : $1.bytes.count) }
        if pending > Self.outputBytes { isPaused = true }
        if pending == 0 { isPaused = false }
    }

    /// Closes the server's end: the client learns of it behind everything that was sent.
    func shut() {
        guard !isShut else { return }
        isShut = true
        down?.end { [weak self] in
            if let self { client.lose(self, "the server closed it") }
        }
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
