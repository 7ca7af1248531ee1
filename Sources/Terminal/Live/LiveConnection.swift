import Auction
import Basics
import Bidder
import Reactive
import Wire

/// The connection of a live view as signals: the news, the requests, and lists to load.
///
/// Uses JSON, because only JSON has the time left in milliseconds.
final class LiveConnection {
    private typealias Connection = RoomConnection<Signal<Reply>.Observer>

    /// An answer, with the messages of its data.
    struct Reply {
        let answer: Answer
        let data: [ServerMessage]
    }

    /// The greeting and the news, each event once and in order.
    let news = Subject<(message: ServerMessage, stamp: NewsStamp)>(remembering: 0)
    /// Notifies when missed news is no longer on the server.
    let gaps = Subject<Void>(remembering: 0)
    /// The newest attempt to connect.
    let attempt = Subject(LoadState())
    /// When the next attempt begins; nil if none is scheduled.
    let retryAt = Subject<Duration?>(nil)
    /// Whether the snapshot was received, so that news is shown as it happens.
    let isLive = Subject(false)
    /// What the user should read, in plain words, such as why another room is shown.
    let notices = Subject<String>(remembering: 0)
    /// The accepted bids of the lot.
    private(set) lazy var laps = ServerList { [unowned self] in loadLaps() }
    /// The connected bidders.
    private(set) lazy var bidders = ServerList { [unowned self] in
        request(.who).map(\.bidders)
    }
    /// The standings of the sale.
    private(set) lazy var standings = ServerList { [unowned self] in
        request(.standings).map(\.standings)
    }
    /// The rooms of the server.
    private(set) lazy var rooms = ServerList { [unowned self] in request(.rooms).map(\.rooms) }

    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private var connection: Connection
    private var isHandling = false
    private var wake: (time: Duration, Subscription)?

    /// Makes a connection that is not connected yet; `effects` gets what its owner must do.
    init(
        to room: RoomName, claim: NameClaim?, on timeline: Timeline, backoff: Backoff,
        effects: Subject<ClientEffect>
    ) {
        self.timeline = timeline
        self.effects = effects
        connection = RoomConnection(to: room, claim: claim, owner: .person, backoff: backoff)
    }

    /// The number of lines that could not be parsed.
    var unreadableLines: Int { connection.unreadableLines }

    /// Begins to connect.
    func begin() {
        act { connection, _ in connection.begin() }
    }

    /// Begins the scheduled attempt now; does nothing unless one is scheduled.
    func retryNow() {
        act { $0.retryNow(at: $1) }
    }

    /// Begins to talk on a new connection.
    func connected() {
        act { $0.connected(at: $1) }
    }

    /// Records that the connection, or the attempt, has failed.
    func lost(_ reason: String) {
        act { $0.lost(reason, at: $1) }
    }

    /// Handles a line of the server, without its line end.
    func receive(_ line: String) {
        act { $0.receive(line, at: $1) }
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    func restartTimeouts(at time: Duration) {
        connection.restartTimeouts(at: Instant(sinceStart: time))
    }

    /// Stores the key of the room that the user opened, and becomes its auctioneer.
    func keep(_ key: String, of room: RoomName) {
        act { $0.keep(key, of: room, at: $1) }
    }

    /// The reply to a command, which is sent when the signal is observed.
    ///
    /// Fails with a `ClientError`.
    func request(_ command: Request.Command) -> Signal<Reply> {
        Signal { [self] observer in act { $0.request(command, observer, at: $1) } }
    }

    /// Loads the laps and the bidders again.
    func loadLists() {
        laps.load()
        bidders.load()
    }

    /// Changes the connection, and handles what follows, which may change it again.
    private func act(_ change: (inout Connection, Instant) -> Void) {
        change(&connection, Instant(sinceStart: timeline.now))
        guard !isHandling else { return }
        isHandling = true
        var events = connection.takeEvents()
        while !events.isEmpty {
            for event in events { handle(event) }
            events = connection.takeEvents()
        }
        isHandling = false
        if connection.attempt != attempt.value { attempt.notify(connection.attempt) }
        let retryAt: Duration? = connection.retryAt?.sinceStart
        if retryAt != self.retryAt.value { self.retryAt.notify(retryAt) }
        schedule()
    }

    private func handle(_ event: Connection.Event) {
        switch event {
        case .effect(let effect): effects.notify(effect)
        case .arrived(let greeting, _): news.notify((greeting, NewsStamp()))
        case .news(let message, let stamp):
            news.notify((message, stamp))
            if case .skipped = message { loadLists() }
        case .live(let isResumed):
            isLive.notify(true)
            if !isResumed { laps.expire(); bidders.expire() }
            laps.update()
            bidders.update()
        case .missedNews: gaps.notify(())
        case .lost: isLive.notify(false)
        case .answered(let answer, let data, let observer):
            observer.next(Reply(answer: answer, data: data))
            observer.complete()
        case .failed(let error, let observer): observer.fail(error)
        case .notice(let text): notices.notify(text)
        case .refused(let complaint), .removed(let complaint): exit(.refused, complaint)
        case .unreachable(let complaint): exit(.lost, complaint)
        }
    }

    private func exit(_ code: ExitCode, _ complaint: String) {
        effects.notify(.complain(complaint))
        effects.notify(.exit(code))
    }

    /// Schedules the next wake-up, unless an earlier one is scheduled.
    private func schedule() {
        guard let deadline = connection.deadline?.sinceStart else { return wake = nil }
        if let wake, wake.time <= deadline { return }
        wake = (
            deadline,
            timeline.schedule(at: deadline) { [unowned self] in
                wake = nil
                act { $0.wake(at: $1) }
            }
        )
    }
}

extension Instant {
    /// The instant at a time of a timeline.
    fileprivate init(sinceStart time: Duration) {
        self = Instant(nanoseconds: 0).advanced(by: time)
    }

    /// The time of the timeline.
    fileprivate var sinceStart: Duration { Instant(nanoseconds: 0).duration(to: self) }
}

/// A list of the server that can be loaded again; the newest load counts.
final class ServerList<Element> {
    /// The loads, with their results and errors.
    let resource: Resource<[Element]>
    /// Whether it was loaded since it last became out of date.
    private(set) var isCurrent = false

    private let loads = Subject<Signal<[Element]>>()
    private let request: () -> Signal<[Element]>
    private let bag = SubscriptionBag()

    /// Makes a list that each load requests anew.
    init(_ request: @escaping () -> Signal<[Element]>) {
        self.request = request
        resource = Resource(loads.signal)
        resource.result.observe(in: bag) { [unowned self] _ in isCurrent = true }
    }

    /// Begins to load the list.
    func load() {
        loads.notify(request())
    }

    /// Loads the list if it is out of date.
    func update() {
        if !isCurrent { load() }
    }

    /// Records that the list may have changed.
    func expire() {
        isCurrent = false
    }
}

extension LiveConnection {
    /// Loads the accepted bids: the newest 20, or the newest 1,000 if there are more.
    private func loadLaps(attempts: Int = 3) -> Signal<[Bid]> {
        request(.laps(nil)).map { [unowned self] reply in
            guard case .laps(let count) = reply.answer, count > reply.data.count,
                let range = ListRange(
                    first: max(1, count - ListRange.longest + 1), count: ListRange.longest)
            else { return .of(reply.bids) }
            return request(.laps(range)).map { [unowned self] reply in
                // Fewer bids than before are those of the next lot. The attempts are limited, in
                // case the server sends wrong numbers.
                guard attempts > 1, case .laps(let count) = reply.answer, count < range.first else {
                    return .of(reply.bids)
                }
                return loadLaps(attempts: attempts - 1)
            }
            .switchToLatest()
        }
        .switchToLatest()
    }
}

extension LiveConnection.Reply {
    fileprivate var bids: [Bid] {
        data.compactMap { if case .lap(let bid) = $0 { bid } else { nil } }
    }

    fileprivate var bidders: [Bidder] {
        data.compactMap { if case .who(let bidder, _) = $0 { bidder } else { nil } }
    }

    fileprivate var rooms: [RoomRow] {
        data.compactMap { if case .room(let row) = $0 { row } else { nil } }
    }

    fileprivate var standings: [StandingsRow] {
        data.compactMap { if case .standing(let row) = $0 { row } else { nil } }
    }
}
