import Lobby
import TestSupport
import Wire

/// A connection as the server has it, and the line between it and its visitor.
final class Connection {
    /// A line that the server says to one connection.
    struct Line {
        enum Kind {
            case news(seq: Int)
            /// The greeting of one who hears all news after this number.
            case hello(after: Int)
            case reply
            case telnet
        }

        let bytes: [UInt8]
        let kind: Kind
    }

    /// With more answers than this that the visitor has not taken, it is not read from.
    private static let outputBytes = 1200

    private(set) var id: SessionID
    let visitor: Visitor
    private let world: World
    /// The loop that it lives on; 0 is the actor's own.
    private(set) var loop = 0
    private var window: Int
    private var up: Pipe?
    private var down: Pipe?

    /// What has come of the visitor and was not read yet.
    private(set) var arrived: [UInt8] = []
    /// When the first of it came.
    private var arrivedAt = Duration.zero
    /// The bytes of it that neither the room nor the input buffer was given.
    var unheard = UnheardBytes()
    /// Since when the line has been there of which no end has arrived; nil if the last one ended.
    private var lineSince: Duration?
    /// The beginning and the end of the lines that ended, as they arrived.
    private var lines: [(since: Duration, ended: Duration)] = []
    var hasEnded = false
    var hasBroken = false

    /// Whether there was no place for it.
    var isTurnedAway = false

    var format = Format.text
    private(set) var isFollowing = false
    private(set) var isFallen = false
    private var isFallenUnnoticed = false
    private var isFinishing = false
    /// Whether it is not read from, because the visitor takes less than it asks for.
    private(set) var isPaused = false { didSet { noteMuting() } }
    private var wasPaused = false
    /// Whether its loop was told not to read from it.
    var isSilenced = false { didSet { noteMuting() } }
    /// Whether its loop has no room to read from it yet.
    var isHeld = false
    /// Since when it has been read from; nil while it is not.
    private var readSince: Duration? = .zero
    private(set) var isShut = false
    /// The newest news when it was admitted.
    var admittedAfter = 0
    private var outbox: [Line] = []
    /// News that is kept back while an answer is under way; nil while none is.
    private var heldNews: [Line]?
    private var sentOfFirst = 0
    /// The lines whose first byte was sent, and which the visitor has not heard yet.
    private var underWay: [Line] = []
    /// What the visitor has asked, in order; how much of it the room has answered, and of how much
    /// the visitor knows the answer, or that there is none.
    var commands: [Command] = []
    var answered = 0
    private(set) var settled = 0

    init(_ id: SessionID, _ visitor: Visitor, _ world: World, _ nature: Nature, seed: UInt64) {
        (self.id, self.visitor, self.world, window) = (id, visitor, world, nature.window)
        up = Pipe(world, nature, seed: seed) { [weak self] bytes in
            guard let self else { return }
            arrive(bytes, at: world.now)
            world.house?.wake(for: self)
        }
        down = Pipe(world, nature, seed: ~seed) { [weak self] bytes in
            guard let self else { return }
            self.visitor.receive(bytes, on: self)
        }
    }

    // The visitor's side.

    /// Whether the visitor has closed it, and can say no more.
    var isHungUp = false

    /// What the visitor says only when it goes on; nil while it does not hesitate.
    private var heldBack: [UInt8]?

    func say(_ bytes: [UInt8]) {
        if heldBack == nil { up?.send(bytes) } else { heldBack? += bytes }
    }

    /// Holds back all that is said until it goes on.
    func hesitate() {
        heldBack = heldBack ?? []
    }

    func goOn() {
        if let bytes = heldBack.take() { say(bytes) }
    }

    /// Hesitates no more, and has a line that takes everything at once.
    func behave() {
        goOn()
        window = Nature.calm.window
    }

    func whenAllArrived(_ action: @escaping (Connection) -> Void) {
        up?.end { [weak self] in if let self { action(self) } }
    }

    /// Hears nothing any more, and says nothing.
    func cut() {
        up?.cut()
        down?.cut()
    }

    /// The line that the visitor hears next; nil if nobody said it.
    func nextLine() -> Line? {
        while case .telnet? = underWay.first?.kind { underWay.removeFirst() }
        return underWay.isEmpty ? nil : underWay.removeFirst()
    }

    /// What waits for an answer.
    var pending: ArraySlice<Command> { commands[settled...] }

    /// Takes the next command that has an answer, or will have none; nil if none waits.
    func settleNext() -> Command? {
        guard settled < commands.count else { return nil }
        defer { settled += 1 }
        return commands[settled]
    }

    // The server's side.

    private func arrive(_ bytes: [UInt8], at now: Duration) {
        if arrived.isEmpty { arrivedAt = now }
        arrived += bytes
        unheard.add(bytes.count, at: now)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
            return lineSince = lineSince ?? now
        }
        lines.append((lineSince ?? now, now))
        lineSince = end == bytes.count - 1 ? nil : now
    }

    /// Since when a line has been under way, as far as the server could know that had heard all that
    /// arrived up to an instant; nil for none.
    func lineSince(handledUntil: Duration) -> Duration? {
        lines.first { $0.ended > handledUntil }?.since ?? lineSince
    }

    /// Whether a poll at an instant finds something to read.
    func isFound(byPollAt instant: Duration) -> Bool {
        hasBroken || hasEnded || !arrived.isEmpty && arrivedAt <= instant
    }

    /// Takes what has arrived to read it.
    func takeArrived() -> [UInt8] {
        defer { arrived = [] }
        return arrived
    }

    /// Gives it to another loop before anything is read from it.
    func move(to loop: Int) {
        self.loop = loop
        id = SessionID(id.handle, loop: loop)
    }

    func beginsToBeRead(at now: Duration) {
        readSince = now
    }

    private func noteMuting() {
        let isMuted = isPaused || isSilenced
        if isMuted { readSince = nil } else if readSince == nil { readSince = world.now }
    }

    /// Whether it is paused, or is no more, since it was asked last.
    func takePauseChange() -> Bool {
        defer { wasPaused = isPaused }
        return isPaused != wasPaused
    }

    /// Whether something that arrived before an instant, while it was read from, is not heard; a
    /// connection that broke loses what it said last.
    func isUnheard(before end: Duration) -> Bool {
        guard !hasBroken else { return false }
        return readSince.map { unheard.contains(from: $0, before: end) } ?? false
    }

    /// Does what the room wants done with it.
    func obey(_ effect: Effect, at milliseconds: Int64) {
        switch effect {
        case .news, .note: break
        case .admit: isFollowing = true
        case .reply(let message, let seq, _): reply(message, seq: seq, at: milliseconds)
        case .restate(let message, let seq, _):
            reply(message, seq: seq, isSnapshot: true, at: milliseconds)
        case .send(let bytes, _): send(bytes)
        case .use(let format, _): self.format = format
        case .skip: reply(.skipped(skip()), seq: nil, at: milliseconds)
        case .holdNews: heldNews = heldNews ?? []
        case .releaseNews: releaseNews(ringLines: world.plan.terms.ringLines)
        case .confirm: break
        case .close(_, let farewell): finish(farewell, at: milliseconds)
        }
    }

    private func finish(_ farewell: ServerMessage.CloseReason?, at milliseconds: Int64) {
        let missed = skip()
        if missed > 0 { reply(.skipped(missed), seq: nil, at: milliseconds) }
        if let farewell { reply(.bye(farewell), seq: nil, at: milliseconds) }
        outbox += heldNews.take() ?? []
        (isFollowing, isFinishing) = (false, true)
        flush()
    }

    private func releaseNews(ringLines: Int) {
        guard let news = heldNews.take() else { return }
        outbox += news
        noteFall(ringLines: ringLines)
    }

    /// Appends news, unless it would be more than the ring holds: then it has fallen behind.
    func tell(_ bytes: [UInt8], seq: Int, ringLines: Int) {
        guard isFollowing else { return }
        let line = Line(bytes: bytes, kind: .news(seq: seq))
        if heldNews?.append(line) == nil {
            outbox.append(line)
            noteFall(ringLines: ringLines)
        }
    }

    private func noteFall(ringLines: Int) {
        guard !isFallen, outbox.count > ringLines, newsCount > ringLines else { return }
        (isFallen, isFallenUnnoticed) = (true, true)
    }

    private func reply(
        _ message: ServerMessage, seq: Int?, isSnapshot: Bool = false, at milliseconds: Int64
    ) {
        var kind = Line.Kind.reply
        if case .hello = message { kind = .hello(after: admittedAfter) }
        let line = message.line(format, seq: seq, isSnapshot: isSnapshot, at: milliseconds)
        outbox.append(Line(bytes: line, kind: kind))
    }

    private func send(_ bytes: [UInt8]) {
        outbox.append(Line(bytes: bytes, kind: .telnet))
    }

    /// Drops the news that it fell behind of, and returns how many lines.
    private func skip() -> Int {
        guard isFallen else { return 0 }
        isFallen = false
        let before = outbox.count
        let begun = sentOfFirst > 0 ? outbox.prefix(1) : []
        outbox = begun + outbox.dropFirst(begun.count).filter { !$0.isNews }
        return before - outbox.count
    }

    /// Whether something waits to be sent.
    var hasOutput: Bool { !outbox.isEmpty }

    /// Whether it has fallen behind since it was asked last.
    func takeFallen() -> Bool {
        defer { isFallenUnnoticed = false }
        return isFallenUnnoticed
    }

    /// Sends as much as the visitor takes.
    func flush() {
        var taken: [UInt8] = []
        var space = window - (down?.inFlight ?? 0) - visitor.unreadCount(on: self)
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

    /// The next line to send, which is then the first: a connection that has fallen behind is sent no
    /// news, and what comes after that only while an answer holds the news back.
    private func bringNextForward() -> Line? {
        guard isFallen, sentOfFirst == 0, outbox.first?.isNews == true else { return outbox.first }
        guard heldNews != nil, let place = outbox.firstIndex(where: { !$0.isNews }) else {
            return nil
        }
        outbox.insert(outbox.remove(at: place), at: 0)
        return outbox.first
    }

    /// Is not read from while the visitor asks for more than it takes, until it has taken all.
    private func pauseOrGoOn() {
        let pending = outbox.reduce(0) { $0 + ($1.isNews ? 0 : $1.bytes.count) }
        if pending > Self.outputBytes { isPaused = true }
        if pending == 0 { isPaused = false }
    }

    /// Ends this side: the visitor learns of it behind all that was sent.
    func shut() {
        guard !isShut else { return }
        isShut = true
        down?.end { [weak self] in
            if let self { visitor.lose(self, "its server ended it") }
        }
    }

    private var newsCount: Int { outbox.count(where: \.isNews) }
}

extension Connection.Line {
    fileprivate var isNews: Bool {
        if case .news = kind { true } else { false }
    }
}

extension ServerMessage {
    /// The line of the message in a format.
    func line(
        _ format: Format, seq: Int?, isSnapshot: Bool = false, at milliseconds: Int64
    ) -> [UInt8] {
        var line: [UInt8] = []
        switch format {
        case .text: appendText(to: &line)
        case .json:
            appendJSON(
                to: &line, seq: seq, isSnapshot: isSnapshot, millisecondsSince1970: milliseconds)
        }
        return line
    }
}
