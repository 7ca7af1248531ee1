import AuctionRules
import Queues
import Wire

/// The saleroom: who is connected and called what, the lots, and the auction now open.
///
/// All of the server's behaviour, with no input or output. Connections and time come in, `Effect`s
/// come out in the one order in which they are to be done. The caller lets the room hear everything
/// that has arrived before it lets it `expire`, so that a bid heard before the hammer is in time.
public struct Room {
    /// How long the greeting waits for a first line, which may show that a web browser came to the
    /// wrong port.
    static let greetingPatience = Duration.milliseconds(20)

    /// The most effects for which memory is reserved in advance.
    private static let reservedEffects = 16_384

    let catalogue: Catalogue
    let limits: Limits
    let makeToken: () -> Token

    /// What is recorded; `commit` applies events to it.
    var sale: Sale
    var countdown: Countdown
    var nextOpening: Instant?

    /// The number of the news with which the countdown began, until everybody has been told it.
    var unpublishedBeginning: Int?
    /// Whether the auctioneer has ended the server, which is to follow.
    public internal(set) var isStopped = false
    var hasShutDown = false

    /// What proves the auctioneer; nil where nobody can.
    ///
    /// Whoever proved it by another one is the auctioneer no more.
    public var auctioneerToken: AuctioneerToken? {
        didSet {
            guard auctioneerToken != oldValue else { return }
            for id in sessions.keys { sessions[id]?.isAuctioneer = false }
        }
    }

    /// Whether the auctioneer's token counts on the server's Unix socket alone.
    public var isAuctioneerLocal = false

    var sessions: [SessionID: Session] = [:]
    /// The newcomers that have not been greeted yet, by when their greeting is due.
    var waiting = TimerQueue<SessionID, Instant>()
    var places: Places
    /// The connections by arrival; those that have sent a line are skipped.
    var silent = Queue<SessionID>()

    var networks: NetworkUsage
    /// The connections with an incomplete line, by when it will be too old.
    var lineChecks = TimerQueue<SessionID, Instant>()
    /// The incomplete answers.
    var answers: [SessionID: LongAnswer] = [:]
    /// How many lines of long answers may still be sent in this turn.
    ///
    /// One part may exceed it; with none left, answers wait.
    ///
    /// The owner sets it at the beginning of each turn.
    public var answerBudget = Int.max
    /// The number of replies since the room was made.
    package private(set) var replyCount = 0
    /// The most bytes that they may have.
    private(set) var replyBytes = 0
    /// The limit of `replyBytes` while one connection is read.
    var replyLimit = 0
    var limitsReached: [LimitReached: Int] = [:]
    /// What connections have done since that was asked last.
    var sessionEvents: [SessionEvent] = []

    /// The latest instant that the room was given; nil before the first.
    ///
    /// - Invariant: never decreases.
    private var latest: Instant?
    /// An instant, and the time of day at it in milliseconds since 1970.
    ///
    /// Fixed, so that a clock that is set neither ends a kick nor frees a name.
    private let epoch: (instant: Instant, timeOfDay: Int64)
    /// An instant, and what the clock showed at it: the time that is written into the journal.
    private var clock: (instant: Instant, timeOfDay: Int64)
    private var effects: [Effect] = []

    /// Opens the room, and its first lot; or continues a sale that was recovered from its log.
    ///
    /// An open lot with a leader gets its full seconds again. Nobody of those who were present then
    /// is, and a name without a bid is free again. `timeOfDay` is the time of `now` in milliseconds
    /// since 1970; names age while the server is down, too. `game` is the identity of a new game.
    public init(
        rules: Rules, catalogue: Catalogue = Catalogue(), limits: Limits = Limits(),
        resuming recovered: Sale? = nil, at now: Instant, timeOfDay: Int64 = 0,
        game: GameID = Room.randomGame(), makeToken: @escaping () -> Token = Room.randomToken
    ) {
        sale = recovered ?? Sale(rules: rules)
        self.catalogue =
            sale.hasLot ? catalogue.following(sale.formerLots + [sale.auction.lot]) : catalogue
        self.limits = limits
        self.makeToken = makeToken
        networks = NetworkUsage(limits)
        places = Places(limits)
        (epoch, clock) = ((now, timeOfDay), (now, timeOfDay))
        countdown = Countdown(seconds: rules.seconds)
        advance(to: now)
        sale.resume(with: rules, at: now)
        if sale.game == nil { commit(.gameCreated(game), at: now) }
        takeBackNames(at: now)
        continueLots(at: now)
    }

    /// Draws a token from the system's own generator.
    public static func randomToken() -> Token {
        var generator = SystemRandomNumberGenerator()
        return Token(using: &generator)
    }

    /// Makes the identity of a game with the system's random generator.
    public static func randomGame() -> GameID {
        var generator = SystemRandomNumberGenerator()
        return GameID(using: &generator)
    }

    /// Sets what the clock shows at an instant, in milliseconds since 1970.
    ///
    /// The journal tells this time. Kicks and the ages of names follow the time of the start.
    public mutating func setTimeOfDay(_ timeOfDay: Int64, at now: Instant) {
        clock = (now, timeOfDay)
    }

    /// The time of day at an instant, in milliseconds since 1970.
    func timeOfDay(at now: Instant) -> Int64 {
        let elapsed = now.nanoseconds - epoch.instant.nanoseconds
        return max(epoch.timeOfDay + elapsed / 1_000_000, 0)
    }

    /// The sale that ended the newest lot, while no other is open.
    public var newestSale: SoldLot? {
        if case .winner(let sold) = sale.result?.message { sold } else { nil }
    }

    /// The rules of every lot.
    var rules: Rules { sale.rules }

    /// The newest lot.
    var auction: Auction { sale.auction }

    /// The identity of the game, the same for as long as its log is kept.
    public var game: GameID? { sale.game }

    /// Whether every lot of the catalogue is done.
    public var isOver: Bool { sale.isOver }

    /// The lines of the log from which the sale can continue, each with the number of the event
    /// that it restates, if any.
    public var state: [(record: Record, number: Int?)] {
        sale.state(at: latest ?? epoch.instant)
    }

    /// When `expire` is next due; nil while nothing but a visitor can change the room.
    public var deadline: Instant? {
        guard !hasShutDown else { return nil }
        let hammer = unpublishedBeginning == nil ? auction.deadline : nil
        let change = hammer.map { countdown.nextChange(before: $0) }
        // Without an array, because this is asked in every turn.
        let other = Instant.earliest(
            waiting.deadline, Instant.earliest(lineChecks.deadline, sale.names.deadline))
        return Instant.earliest(Instant.earliest(change, nextOpening), other)
    }

    /// Does what is due at this instant: the countdown, the hammer, the next lot, the greetings
    /// that waited, the goodbyes to whoever has a line without an end.
    ///
    /// All input that reached the server before `handledUntil` must have been given to the room. Only
    /// what was due by then is done, with the time of now. Nil means now.
    ///
    /// `isHeard` tells whether all that has arrived from a connection was given to the room: whom we
    /// do not read cannot end a line.
    public mutating func expire(
        at now: Instant, handledUntil: Instant? = nil,
        isHeard: (SessionID) -> Bool = { _ in true }
    ) {
        guard !hasShutDown else { return }
        let now = advance(to: now)
        let handledUntil = min(handledUntil ?? now, now)
        while let id = waiting.popDue(at: handledUntil) { admit(id, at: now) }
        expireLines(at: handledUntil, isHeard)
        networks.forget(at: now)
        expireNames(at: now)
        expireAbsences(at: handledUntil)
        expireLot(at: now, handledUntil: handledUntil)
    }

    /// Hears that everybody has been told the news up to this number: a countdown runs from when
    /// its beginning is told, however long that had to wait for a disk.
    public mutating func published(upTo seq: Int, at now: Instant) {
        guard let beginning = unpublishedBeginning, beginning <= seq else { return }
        unpublishedBeginning = nil
        sale.beginCountdown(at: advance(to: now))
    }

    /// Moves the room's clock to an instant, and returns what it shows then.
    @discardableResult
    mutating func advance(to now: Instant) -> Instant {
        let time = time(at: now)
        latest = time
        return time
    }

    /// What the room's clock shows at an instant: never less than the latest it was moved to.
    func time(at now: Instant) -> Instant {
        latest.map { max($0, now) } ?? now
    }

    /// Returns what the room wants done since it was asked last, in order.
    public mutating func takeEffects() -> [Effect] {
        if effects.isEmpty { return [] }
        let taken = effects
        effects = []
        // The next turn will be much like this one.
        effects.reserveCapacity(min(taken.count, Self.reservedEffects))
        return taken
    }

    /// Returns who was named and who has left since it was asked last, in order.
    public mutating func takeSessionEvents() -> [SessionEvent] {
        if sessionEvents.isEmpty { return [] }
        defer { sessionEvents = [] }
        return sessionEvents
    }

    /// Records an event and has it told to everybody, if it is public.
    ///
    /// Returns the number of the last public event.
    @discardableResult
    mutating func commit(_ event: SaleEvent, at now: Instant) -> Int {
        noteTime(at: now)
        // Checked in debug builds alone, because it costs a bid a tenth of its instructions.
        assert(sale.admits(event), "an event that cannot follow would ruin the journal")
        sale.apply(event, at: now)
        switch event.record(in: sale, remaining: remaining(at: now)) {
        case .message(let message): effects.append(.news(message, seq: sale.eventNumber))
        case let record: effects.append(.note(record))
        }
        return sale.eventNumber
    }

    /// Records the time of day when the second has changed.
    private mutating func noteTime(at now: Instant) {
        let elapsed = now.nanoseconds - clock.instant.nanoseconds
        let time = max(clock.timeOfDay + elapsed / 1_000_000, 0)
        guard sale.time.map({ $0 / 1000 != time / 1000 }) ?? true else { return }
        sale.forgetBars(at: timeOfDay(at: now))
        sale.apply(.timeNoted(time), at: now)
        effects.append(.note(.time(time)))
    }

    mutating func reply(_ message: ServerMessage, seq: Int? = nil, to id: SessionID) {
        replyCount += 1
        replyBytes += Limits.answerLineBytes
        effects.append(.reply(message, seq: seq, to: id))
    }

    /// Confirms a bid to a connection, in a line that is shorter than those of other replies.
    mutating func replyAccepted(_ price: Price, tag: String?, to id: SessionID, as format: Format) {
        replyCount += 1
        replyBytes += (tag?.utf8.count ?? 0) + (format == .text ? 32 : 192)
        effects.append(.reply(.ok(.bid(price), tag: tag), seq: nil, to: id))
    }

    /// How many effects have not been taken yet.
    public var effectCount: Int { effects.count }

    mutating func perform(_ effect: Effect) {
        effects.append(effect)
    }

    /// The time left until the hammer: the full time until the beginning of the countdown is told.
    func remaining(at now: Instant) -> Duration? {
        auction.remaining(at: now).map { unpublishedBeginning == nil ? $0 : rules.countdown }
    }

    mutating func replySnapshot(to id: SessionID, at now: Instant) {
        for (message, number) in sale.snapshot(at: now, remaining: remaining(at: now)) {
            replyCount += 1
            replyBytes += Limits.answerLineBytes
            effects.append(.restate(message, seq: number, to: id))
        }
    }
}
