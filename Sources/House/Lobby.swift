import Auction
import Basics
import Web
import Wire

/// The server's rules: connections, names, rooms, and what each client sends and receives.
///
/// All of the server's behaviour, without input or output. Connections, bytes and time come in;
/// `Effect`s come out, in the one order in which they are to be performed. The caller gives the
/// lobby everything that has arrived before it lets time `expire`, so that a bid received before
/// the hammer is in time.
public struct Lobby {
    @Indirect private(set) var limits: Limits
    private(set) var codecOptions: ClientCodec.Options
    var commands: CommandHandler
    var sessions = SessionTable()
    var admission: Admission
    var rates: RateLimits
    var outputs: Outputs
    var greetings: Greetings
    var lineChecks: LineChecks
    /// The latest instant that was given.
    ///
    /// - Invariant: Never decreases.
    private(set) var latest: Instant
    var hasShutDown = false
    /// The room of the newest secret offer in the input that is handled; nil if none was secret.
    var secretRoom: RoomID?

    /// Whether the auctioneer has stopped the server, which must shut down.
    public internal(set) var isStopped = false

    /// Opens the first lot of `main`, or continues the rooms that were recovered from their log.
    ///
    /// An open lot with a leader gets its full seconds again. No owner of a name is present, and a
    /// name without a bid is free again. `timeOfDay` is the time of `now` in milliseconds since
    /// 1970; names age while the server is down. `serverID` is the identity of a new server, and
    /// `settings` are the purses and values of `main`. Pages of `origins` may connect, besides those
    /// of the server itself.
    public init(
        rules: Rules, catalogue: Catalogue = Catalogue(),
        settings: GameSettings = GameSettings(), limits: Limits = Limits(),
        origins: [String] = [], resuming recovered: ServerReplay? = nil, at now: Instant,
        timeOfDay: Int64 = 0,
        serverID: Identity = Lobby.randomIdentity(),
        makeToken: @escaping () -> Token = Lobby.randomToken
    ) {
        self.limits = limits
        codecOptions = ClientCodec.Options(lineBytes: limits.lineBytes, origins: origins)
        (latest, admission, rates) = (now, Admission(limits), RateLimits(limits))
        (greetings, lineChecks) = (Greetings(limits), LineChecks(limits))
        // If the log ended in another room, the next entry names its own.
        let isMainLogged = recovered.map { $0.loggedRoom == .main } ?? true
        outputs = Outputs(
            loggedRoom: isMainLogged ? .main : nil,
            clock: TimeOfDay(at: now, timeOfDay: timeOfDay))
        commands = CommandHandler(
            limits, rules: rules, pause: catalogue.pause, makeToken: makeToken)
        commands.openMain(
            recovered?.main, catalogue, serverID: serverID, settings, at: now, &outputs)
        for room in recovered?.rooms ?? [] { commands.reopen(room, at: now, &outputs) }
    }

    /// Draws a token from the system's random generator.
    public static func randomToken() -> Token {
        var generator = SystemRandomNumberGenerator()
        return Token(using: &generator)
    }

    /// Draws the identity of a server from the system's random generator.
    public static func randomIdentity() -> Identity {
        var generator = SystemRandomNumberGenerator()
        return Identity(using: &generator)
    }

    // Time

    /// Sets what the clock shows at an instant, in milliseconds since 1970.
    ///
    /// The log records this time. Kicks and the ages of names follow the time of the start.
    public mutating func setTimeOfDay(_ timeOfDay: Int64, at now: Instant) {
        outputs.clock.set(timeOfDay, at: now)
    }

    /// When `expire` is next due; nil if only input can change anything.
    public var deadline: Instant? {
        guard !hasShutDown else { return nil }
        let sessions = Instant.earliest(greetings.deadline, lineChecks.deadline)
        return Instant.earliest(commands.deadline, sessions)
    }

    /// Does what is due.
    ///
    /// This is the countdown, the hammer, the next lot, greetings, absences, and the end of
    /// connections whose line takes too long.
    ///
    /// All input that reached the server before `handledUntil` must have been given to the lobby.
    /// Does only what was due by then, with the current time. Nil means now. `isHandled` returns
    /// whether all bytes that have arrived from a connection were given to the lobby: a line is not
    /// too old if its end waits to be read.
    public mutating func expire(
        at now: Instant, handledUntil: Instant? = nil,
        isHandled: (SessionID) -> Bool = { _ in true }
    ) {
        guard !hasShutDown else { return }
        let now = advance(to: now)
        let handledUntil = min(handledUntil ?? now, now)
        while let id = greetings.popDue(at: handledUntil, in: sessions, now: now) {
            greetUnlessHTTP(id, at: now)
        }
        while let id = lineChecks.popOverdue(at: handledUntil, in: &sessions, isHandled) {
            close(id, .idle, at: handledUntil)
        }
        rates.forget(at: now)
        commands.expire(at: now, handledUntil: handledUntil, &rates, &outputs)
    }

    /// Notes that the news of a room up to this number was published.
    ///
    /// A countdown runs from the time when its beginning is published, however long that had to
    /// wait for a disk.
    public mutating func published(in room: RoomID = .main, upTo seq: Int, at now: Instant) {
        commands.published(in: room, upTo: seq, at: advance(to: now), &outputs)
    }

    /// Moves the lobby's time to an instant, and returns the time then, which never decreases.
    @discardableResult
    mutating func advance(to now: Instant) -> Instant {
        latest = max(latest, now)
        return latest
    }
}

// What the owner reads and removes.
extension Lobby {
    /// Removes and returns the effects since the last call, in order.
    public mutating func takeEffects() -> [Effect] {
        commands.schedule()
        return outputs.takeEffects()
    }

    /// Removes and returns what connections did since the last call, in order.
    public mutating func takeSessionEvents() -> [SessionEvent] { outputs.takeSessionEvents() }

    /// Removes and returns how often each limit was reached since the last call.
    public mutating func takeLimitsReached() -> [LimitReached: Int] { outputs.takeLimitsReached() }

    /// The number of effects that were not taken yet.
    public var effectCount: Int { outputs.effectCount }

    /// What was counted since the lobby was created.
    public var figures: LobbyFigures { outputs.figures }

    /// The bytes that the state of a connection takes, without what is stored of its input.
    package static let sessionBytes = MemoryLayout<Session>.stride

    /// The number of replies so far.
    package var replyCount: Int { outputs.replyCount }

    /// The number of lines that the connection's own rate allows now.
    package func availableLines(of id: SessionID, at now: Instant) -> Int {
        sessions.slot(of: id).map { rates.ownAllowance(of: sessions[$0], at: now) } ?? .max
    }

    /// The number of addresses and wider networks with counters.
    package var knownAddressCount: Int { rates.knownAddressCount }

    /// The number of timers of rooms, with those that are out of date.
    package var roomTimerCount: Int { commands.timerCount }

    /// Which machines may open the page, for those on this machine who want to share its address.
    public var reach: Site.Reach {
        get { codecOptions.reach }
        set { codecOptions.reach = newValue }
    }

    /// The auctioneer's token; nil if nobody can be the auctioneer.
    ///
    /// Changing the token revokes every auctioneer but those of single rooms.
    public var auctioneerToken: AuctioneerToken? {
        get { commands.auctioneerToken }
        set {
            guard newValue != commands.auctioneerToken else { return }
            commands.auctioneerToken = newValue
            for id in sessions.ids {
                guard let slot = sessions.slot(of: id), sessions[slot].rights == .server else {
                    continue
                }
                sessions[slot].rights = .none
            }
        }
    }

    /// Whether the auctioneer's token is accepted on the Unix socket alone.
    public var isAuctioneerLocal: Bool {
        get { commands.isAuctioneerLocal }
        set { commands.isAuctioneerLocal = newValue }
    }

    /// Begins a segment of the log, and returns the state from which each room can continue.
    ///
    /// O(rooms); the records of the state are made later.
    ///
    /// - Precondition: All effects were taken.
    public mutating func beginSegment() -> [RoomState] {
        outputs.beginSegment()
        return state
    }

    /// The state from which each room can continue, `main` first.
    package var state: [RoomState] { commands.state }

    /// The sale that ended the newest lot of `main`, while no other is open.
    public var newestSale: SoldLot? {
        commands.read(.main) {
            if case .sold(let sold) = $0.live.sale.result?.outcome { sold } else { nil }
        }
    }

    /// The identity of the server, the same for as long as its log is kept.
    public var serverID: Identity? { commands.serverID }

    /// Whether every lot of the catalogue of `main` has ended.
    public var isOver: Bool { commands.read(.main) { $0.live.isOver } }

    /// The titles of the next lots of `main`, in order; nil if the lots never end.
    public var titlesAhead: [String]? { commands.read(.main) { $0.live.titlesAhead } }

    /// The current state of `main` in brief; O(1).
    public var status: SaleStatus { commands.read(.main) { SaleStatus($0.live.sale) } }

    /// The state of each room, `main` first; O(n log n).
    public var rooms: [RoomStatus] { commands.statuses }
}
