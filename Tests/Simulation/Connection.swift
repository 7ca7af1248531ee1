import Saleroom
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

    let id: SessionID
    let visitor: Visitor
    private var window: Int
    private var up: Pipe?
    private var down: Pipe?

    /// What has come of the visitor and not been heard yet.
    var arrived: [UInt8] = []
    /// Since when the line has been there of which no end has arrived; nil if the last one ended.
    private(set) var lineSince: Duration?
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
    private(set) var isPaused = false
    private var isShut = false
    private var admittedAfter = 0
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
        (self.id, self.visitor, window) = (id, visitor, nature.window)
        up = Pipe(world, nature, seed: seed) { [weak self] bytes in
            self?.arrive(bytes, at: world.now)
            world.house?.wake()
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
        arrived += bytes
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
            return lineSince = lineSince ?? now
        }
        lineSince = end == bytes.count - 1 ? nil : now
    }

    func follow(after seq: Int) {
        (isFollowing, admittedAfter) = (true, seq)
    }

    /// Keeps the news back, so that nothing comes between the lines of an answer.
    func holdNews() {
        heldNews = heldNews ?? []
    }

    func releaseNews(ringLines: Int) {
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

    func reply(_ notice: Notice, seq: Int?, at milliseconds: Int64) {
        var kind = Line.Kind.reply
        if case .hello = notice { kind = .hello(after: admittedAfter) }
        outbox.append(Line(bytes: notice.line(format, seq: seq, at: milliseconds), kind: kind))
    }

    func send(_ bytes: [UInt8]) {
        outbox.append(Line(bytes: bytes, kind: .telnet))
    }

    /// Drops the news that it fell behind of, and returns how many lines.
    func skip() -> Int {
        guard isFallen else { return 0 }
        isFallen = false
        let before = outbox.count
        let begun = sentOfFirst > 0 ? outbox.prefix(1) : []
        outbox = begun + outbox.dropFirst(begun.count).filter { !$0.isNews }
        return before - outbox.count
    }

    /// Whether it has fallen behind since it was asked last.
    func takeFallen() -> Bool {
        defer { isFallenUnnoticed = false }
        return isFallenUnnoticed
    }

    func finish() {
        outbox += heldNews.take() ?? []
        (isFollowing, isFinishing) = (false, true)
    }

    /// Sends as much as the visitor takes.
    func flush() {
        var taken: [UInt8] = []
        var space = window - (down?.inFlight ?? 0) - visitor.unreadCount(on: self)
        while space > 0, let line = outbox.first, !isFallen || sentOfFirst > 0 || !line.isNews {
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

extension Notice {
    /// The line of the notice in a format.
    func line(_ format: Format, seq: Int?, at milliseconds: Int64) -> [UInt8] {
        var line: [UInt8] = []
        switch format {
        case .text: appendText(to: &line)
        case .json: appendJSON(to: &line, seq: seq, millisecondsSince1970: milliseconds)
        }
        return line
    }
}
