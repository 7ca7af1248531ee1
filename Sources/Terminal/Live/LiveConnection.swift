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
    /// The loads of the lists, with their results and errors; the newest load of each counts.
    let lists: [List: Resource<Reply>]

    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private let loads: [List: Subject<Signal<Reply>>]
    /// The lists that were loaded since they last became out of date.
    private var current: Set<List> = []
    private let bag = SubscriptionBag()
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
        let loads = List.allCases.map { ($0, Subject<Signal<Reply>>()) }
        self.loads = Dictionary(uniqueKeysWithValues: loads)
        lists = self.loads.mapValues { Resource($0.signal) }
        for (list, resource) in lists {
            resource.result.observe(in: bag) { [unowned self] _ in current.insert(list) }
        }
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

    /// Handles what has happened on the connection.
    func receive(_ event: ServerConnection.Event) {
        act { $0.receive(event, at: $1) }
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

    /// Loads a list again.
    func load(_ list: List) {
        loads[list]?.notify(list == .laps ? loadLaps() : request(list.command))
    }

    /// Loads again what the news does not keep up to date by itself.
    func loadLists() {
        for list in List.followed { load(list) }
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
        let retryAt: Duration? = connection.retryAt?.sinceOrigin
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
            if !isResumed { current = [] }
            for list in List.followed where !current.contains(list) { load(list) }
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
        guard let deadline = connection.deadline?.sinceOrigin else { return wake = nil }
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
}

extension LiveConnection {
    /// Loads the accepted bids: the newest 20, or the newest 1,000 if there are more.
    private func loadLaps(attempts: Int = 3) -> Signal<Reply> {
        request(.laps(nil)).map { [unowned self] reply in
            guard case .laps(let count) = reply.answer, count > reply.data.count,
                let range = ListRange(
                    first: max(1, count - ListRange.longest + 1), count: ListRange.longest)
            else { return .of(reply) }
            return request(.laps(range)).map { [unowned self] reply in
                // Fewer bids than before are those of the next lot. The attempts are limited, in
                // case the server sends wrong numbers.
                guard attempts > 1, case .laps(let count) = reply.answer, count < range.first else {
                    return .of(reply)
                }
                return loadLaps(attempts: attempts - 1)
            }
            .switchToLatest()
        }
        .switchToLatest()
    }
}

extension List {
    /// The lists that news keeps up to date once they are loaded.
    fileprivate static let followed: [List] = [.laps, .bidders, .results]

    /// The command that requests the list.
    fileprivate var command: Request.Command {
        switch self {
        case .laps: .laps(nil)
        case .bidders: .who
        case .standings: .standings
        case .results: .results(nil)
        case .rooms: .rooms
        }
    }
}
