import Auction
import Reactive
import Wire

/// A connection that takes the bidder's name, loads the state of the sale, and is made again.
///
/// After each failure it waits for a backoff, and connects again.
final class LiveConnection {
    /// The requests, and the news as it arrives.
    let requests: RequestClient
    /// The news, each event once and in order.
    let news = Subject<(message: ServerMessage, stamp: NewsStamp)>(remembering: 0)
    /// Notifies when missed news is no longer on the server.
    let gaps = Subject<Void>(remembering: 0)
    /// The attempts to connect.
    let reconnector: Reconnector
    /// Whether the snapshot was received, so that news is shown as it happens.
    let isLive = Subject(false)
    /// The accepted bids of the lot.
    let laps: ServerList<Bid>
    /// The connected bidders.
    let bidders: ServerList<Bidder>
    /// The standings of the sale.
    let standings: ServerList<StandingsRow>
    /// The rooms of the server.
    let rooms: ServerList<RoomRow>
    /// Notifies, in plain words, why another room or sale is shown after a reconnect.
    let roomLosses = Subject<String>(remembering: 0)

    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private let silence: SilenceMonitor
    private let bag = SubscriptionBag()
    /// The claim to the name; nil for an observer.
    private var claim: NameClaim?
    private var entry: RoomEntry
    /// The numbers of the news of the sale that is followed.
    private var sequence = NewsSequence()
    /// The reason of the auctioneer for kicking the bidder.
    private var kickReason: String?

    /// Makes a connection that is not connected yet; `effects` gets what its owner must do.
    ///
    /// Without a bidder it takes no name. It ends if it cannot enter the room the first time.
    init(
        of bidder: Bidder?, in room: RoomName, storedToken: @escaping (Identity?) -> String?,
        on timeline: Timeline, backoff: Backoff, effects: Subject<ClientEffect>
    ) {
        entry = RoomEntry(to: room)
        self.timeline = timeline
        self.effects = effects
        claim = bidder.map { NameClaim(of: $0, storedToken: storedToken) }
        reconnector = Reconnector(on: timeline, backoff: backoff, effects: effects)
        let requests = RequestClient(on: timeline, effects: effects)
        self.requests = requests
        silence = SilenceMonitor(on: timeline) { [bag] in
            requests.request(.ping).observe(in: bag) { _ in }
        } fail: {
            requests.errors.notify(.lost("the server is silent"))
        }
        laps = ServerList { requests.laps() }
        bidders = ServerList { requests.request(.who).map(\.bidders) }
        standings = ServerList { requests.request(.standings).map(\.standings) }
        rooms = ServerList { requests.request(.rooms).map(\.rooms) }
    }

    /// Begins to connect.
    func begin() {
        requests.news.observe(in: bag) { [unowned self] in handle($0.message, $0.stamp) }
        requests.errors.observe(in: bag) { [unowned self] in giveUp($0) }
        reconnector.connect()
    }

    /// Begins to talk on a new connection.
    func connected() {
        requests.connect()
        claim?.connect()
        requests.request(.format(.json)).observe(in: bag) { [unowned self] _ in
            if !silence.isWatching { giveUp(.lost("the server does not greet")) }
        }
    }

    /// Ends the connection or the attempt, and schedules the next attempt.
    ///
    /// Ignores further errors before the next attempt, such as the end of the stream after `BYE`.
    func lose(_ error: ClientError) {
        isLive.notify(false)
        silence.end()
        entry.disconnect()
        requests.disconnect(error)
        reconnector.fail(error.reason)
    }

    /// Handles a line of the server, without its line end.
    func receive(_ line: String) {
        silence.receiveLine()
        requests.receive(line)
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    func restartTimeouts(at time: Duration) {
        requests.restartTimeouts(at: time)
        silence.restart(at: time)
    }

    /// Requests the snapshot, and then loads the laps and the bidders.
    ///
    /// Calls `whenDone` after the snapshot.
    func synchronise(_ whenDone: @escaping () -> Void = {}) {
        expireLists()
        requestSnapshot(whenDone)
    }

    /// Requests the snapshot, and then loads what is not known.
    private func requestSnapshot(_ whenDone: @escaping () -> Void = {}) {
        requests.request(.status).observe(in: bag) { [unowned self] _ in
            reconnector.noteAnswer()
            isLive.notify(true)
            if let loss = entry.takeLoss() { roomLosses.notify(loss) }
            whenDone()
            laps.update()
            bidders.update()
        }
    }

    private func expireLists() {
        laps.expire()
        bidders.expire()
    }

    /// Requests the news that was missed, and then the times of the clocks, which it does not have.
    private func resume(after number: Int) {
        sequence.beginResuming()
        requests.request(.resume(after: number)).observe(in: bag) { [unowned self] _ in
            sequence.endResuming()
        } onEnd: { [unowned self] error in
            guard case .refused? = error as? ClientError else { return }
            sequence = NewsSequence()
            expireLists()
            gaps.notify(())
        }
        requestSnapshot()
    }

    private func handle(_ message: ServerMessage, _ stamp: NewsStamp) {
        silence.receive(message)
        if case .hello(let seconds, let step, let serverID, let room, let sale) = message {
            let greeting = Greeting(
                seconds: seconds, step: step, serverID: serverID, room: room, sale: sale)
            return greet((message, greeting))
        }
        guard !entry.isPassing, sequence.accept(stamp) else { return }
        var stamp = stamp
        stamp.isReplay = sequence.isResuming
        news.notify((message, stamp))
        switch message {
        case .skipped: synchronise()
        case .event(.bidderKicked(let kicked, let reason), _) where kicked == claim?.bidder:
            kickReason = reason
        default: break
        }
    }

    /// Handles the greeting of a room, which on a new connection may not be the one to be in.
    private func greet(_ received: RoomEntry.Received) {
        silence.begin()
        if reconnector.isConnecting, entry.pass(received) {
            enter(entry.room)
        } else {
            arrive(with: received)
        }
    }

    /// Requests the room to be in, or follows the sale of the greeting if that is refused.
    ///
    /// Ends if no room was ever entered.
    private func enter(_ room: RoomName) {
        requests.request(.join(room)).observe(in: bag) { _ in
        } onEnd: { [unowned self] error in
            guard case .refused(let error)? = error as? ClientError else { return }
            if error.code == .slowDown { return giveUp(.refused(error)) }
            guard let received = entry.stay(because: error) else {
                return exit(.refused, error.complaint(about: room))
            }
            arrive(with: received)
        }
    }

    /// Follows the news of the room in which the connection is now, and takes the name.
    ///
    /// If the sale is known, the news goes on from where it was lost, else from now on.
    private func arrive(with received: RoomEntry.Received) {
        let isKnown = entry.arrive(with: received.greeting)
        reconnector.succeed()
        news.notify((received.message, NewsStamp()))
        if isKnown, laps.isCurrent, bidders.isCurrent, let number = sequence.newest {
            takeName(on: received.greeting.serverID)
            resume(after: number)
        } else {
            sequence = NewsSequence()
            synchronise()
            // After the snapshot, so that the view knows the lot in which the bidder joins.
            takeName(on: received.greeting.serverID)
        }
        if let key = entry.key { prove(key, of: entry.room) }
    }

    /// Stores the key of the room that the user opened, and becomes its auctioneer.
    func keep(_ key: String, of room: RoomName) {
        entry.keep(key, of: room)
        if room == entry.room { prove(key, of: room) }
    }

    /// Becomes the auctioneer, unless the room with this name is another one now.
    private func prove(_ key: String, of room: RoomName) {
        requests.request(.auctioneer(token: key)).observe(in: bag) { _ in
        } onEnd: { [unowned self] error in
            if case .refused? = error as? ClientError { entry.keep(nil, of: room) }
        }
    }

    /// Takes the name with its token on this server.
    private func takeName(on serverID: Identity?) {
        guard let command = claim?.request(on: serverID) else { return }
        requests.request(command).observe(in: bag) { [unowned self] reply in
            guard case .name(let bidder, let token) = reply.answer else { return }
            claim?.accept(token)
            effects.notify(.keep(token: token, of: bidder, on: serverID))
        } onEnd: { [unowned self] error in
            switch error as? ClientError {
            case .refused(let error)?: handleRefusal(error)
            case .lost?, .closed?: claim?.loseAnswer(at: timeline.now)
            case nil: break
            }
        }
    }

    /// Tries again later if the refusal of the name is temporary.
    private func handleRefusal(_ error: ErrorReply) {
        guard let claim, !claim.isTemporary(error, at: timeline.now) else {
            return giveUp(.refused(error))
        }
        exit(.refused, "\(claim.bidder) cannot play: \(error.reason)")
    }

    /// Ends the connection because of an error that the server or the client found.
    private func giveUp(_ error: ClientError) {
        switch error {
        case .closed(let reason) where reason.exitCode == .refused:
            exit(.refused, error.reason + (kickReason.map { ": \($0)" } ?? ""))
        case .refused, .closed, .lost:
            effects.notify(.disconnect)
            lose(error)
        }
    }

    private func exit(_ code: ExitCode, _ complaint: String) {
        effects.notify(.complain(complaint))
        effects.notify(.exit(code))
    }
}
