import AuctionRules
import Reactive
import Sale
import Wire

/// A connection that takes the bidder's name, loads the state of the sale, and is made again.
///
/// After each failure it waits for a backoff, and connects again.
final class LiveConnection {
    /// The time after which the server has surely noticed that an old connection is lost.
    private static let nameDoubt = Duration.seconds(120)

    /// A connection shorter than this does not reset the backoff.
    private static let trialPeriod = Duration.seconds(5)

    /// The requests, and the news as it arrives.
    let requests: RequestClient
    /// The news, each event once and in order.
    let news = Subject<(message: ServerMessage, stamp: NewsStamp)>(remembering: 0)
    /// Notifies when missed news is no longer on the server.
    let gaps = Subject<Void>(remembering: 0)
    /// The state of the attempts to connect; an attempt ends with the greeting.
    let state = Subject(LoadState())
    /// Whether the snapshot was received, so that news is shown as it happens.
    let isLive = Subject(false)
    /// When the next attempt to connect begins; nil while none is scheduled.
    let retryAt = Subject<Duration?>(nil)
    /// The accepted bids of the lot.
    let laps: Resource<[Bid]>
    /// The connected bidders.
    let bidders: Resource<[Bidder]>
    /// The standings of the sale.
    let standings: Resource<[StandingsRow]>
    /// The rooms of the server.
    let rooms: Resource<[RoomRow]>
    /// Notifies, in plain words, why another room or sale is shown after a reconnect.
    let roomLosses = Subject<String>(remembering: 0)

    private let bidder: Bidder?
    /// Returns the stored token of the name on a server.
    private let storedToken: (Identity?) -> String?
    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private let lapsLoads = Subject<Signal<[Bid]>>()
    private let biddersLoads = Subject<Signal<[Bidder]>>()
    private let standingsLoads = Subject<Signal<[StandingsRow]>>()
    private let roomsLoads = Subject<Signal<[RoomRow]>>()
    private let bag = SubscriptionBag()
    private var isConnecting = false
    /// The room that this connection and later ones join.
    private var room: RoomName
    /// The greeting of a new connection, until `join` of another room is answered.
    private var firstGreeting: ServerMessage?
    /// Why the room of the last connection cannot be joined again; nil after the user was notified.
    private var roomLoss: String?
    /// The keys of the rooms that the user opened.
    private var keys: [RoomName: String] = [:]
    /// The greeting of the sale whose news is followed, and the numbers of that news.
    private var sale: Greeting?
    private var sequence = NewsSequence()
    /// Whether the name was requested on this connection.
    private var isNamed = false
    /// Whether the laps were loaded since the last gap in the news; `hasBidders`, the bidders.
    private var hasLaps = false
    private var hasBidders = false
    private var backoff: Backoff
    private var retry: Subscription?
    /// Detects that the server is silent; nil before its greeting.
    private var silence: Silence?
    private var silenceCheck: (time: Duration, Subscription)?
    /// When the server first answered on this connection.
    private var workingSince: Duration?
    /// The token of the name, and its server; nil before the first greeting.
    private var claim: (serverID: Identity?, token: String?)?
    /// Until when our own old connection may still own the name, because its answer was lost.
    private var nameDoubtEnd: Duration?
    /// The reason of the auctioneer for kicking the bidder.
    private var kickReason: String?

    /// Makes a connection that is not connected yet; `effects` gets what its owner must do.
    ///
    /// Without a bidder it takes no name. It ends if it cannot enter the room the first time.
    init(
        of bidder: Bidder?, in room: RoomName, storedToken: @escaping (Identity?) -> String?,
        on timeline: Timeline, backoff: Backoff, effects: Subject<ClientEffect>
    ) {
        self.bidder = bidder
        self.room = room
        self.storedToken = storedToken
        self.timeline = timeline
        self.backoff = backoff
        self.effects = effects
        requests = RequestClient(on: timeline, effects: effects)
        laps = Resource(lapsLoads.signal)
        bidders = Resource(biddersLoads.signal)
        standings = Resource(standingsLoads.signal)
        rooms = Resource(roomsLoads.signal)
    }

    /// Begins to connect.
    func begin() {
        requests.news.observe(in: bag) { [unowned self] in handle($0.message, $0.stamp) }
        laps.result.observe(in: bag) { [unowned self] _ in hasLaps = true }
        bidders.result.observe(in: bag) { [unowned self] _ in hasBidders = true }
        requests.errors.observe(in: bag) { [unowned self] in giveUp($0) }
        connect()
    }

    /// Begins the scheduled attempt to connect now; does nothing unless one is scheduled.
    func retryNow() {
        if retry != nil { connect() }
    }

    private func connect() {
        retry = nil
        retryAt.notify(nil)
        isConnecting = true
        report(isLoading: true, lastError: state.value?.lastError)
        effects.notify(.connect)
    }

    /// Begins to talk on a new connection.
    func connected() {
        requests.connect()
        isNamed = false
        requests.request(.format(.json)).observe(in: bag) { [unowned self] _ in
            if silence == nil { giveUp(.lost("the server does not greet")) }
        }
    }

    /// Ends the connection or the attempt, and schedules the next attempt.
    ///
    /// Ignores further errors before the next attempt, such as the end of the stream after `BYE`.
    func lose(_ error: ClientError) {
        isLive.notify(false)
        (silence, silenceCheck, firstGreeting) = (nil, nil, nil)
        requests.disconnect(error)
        guard retry == nil else { return }
        if let start = workingSince.take(), timeline.now - start >= Self.trialPeriod {
            backoff.reset()
        }
        isConnecting = false
        report(isLoading: false, lastError: error.reason)
        let time = timeline.now + backoff.delay()
        retry = timeline.schedule(at: time) { [unowned self] in connect() }
        retryAt.notify(time)
    }

    /// Handles a line of the server, without its line end.
    func receive(_ line: String) {
        silence?.receiveLine(at: timeline.now)
        requests.receive(line)
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    func restartTimeouts(at time: Duration) {
        requests.restartTimeouts(at: time)
        silence?.restart(at: time)
        watchForSilence()
    }

    /// Schedules the next check of the server's silence, unless an earlier one is scheduled.
    private func watchForSilence() {
        guard let deadline = silence?.deadline else { return }
        if let silenceCheck, silenceCheck.time <= deadline { return }
        let check = timeline.schedule(at: deadline) { [unowned self] in checkSilence() }
        silenceCheck = (deadline, check)
    }

    private func checkSilence() {
        silenceCheck = nil
        switch silence?.verdict(at: timeline.now) {
        case .isPingDue?:
            silence?.sendPing(at: timeline.now)
            requests.request(.ping).observe(in: bag) { _ in }
        case .isSilent?: return giveUp(.lost("the server is silent"))
        case .isFine?, nil: break
        }
        watchForSilence()
    }

    private func report(isLoading: Bool, lastError: String?) {
        state.notify(LoadState(isLoading: isLoading, lastError: lastError))
    }

    /// Requests the snapshot, and then loads the laps and the bidders.
    ///
    /// Calls `whenDone` after the snapshot.
    func synchronise(_ whenDone: @escaping () -> Void = {}) {
        (hasLaps, hasBidders) = (false, false)
        requestSnapshot(whenDone)
    }

    /// Requests the snapshot, and then loads what is not known.
    private func requestSnapshot(_ whenDone: @escaping () -> Void = {}) {
        requests.request(.status).observe(in: bag) { [unowned self] _ in
            workingSince = workingSince ?? timeline.now
            isLive.notify(true)
            if let loss = roomLoss.take() { roomLosses.notify(loss) }
            whenDone()
            if !hasLaps { loadLaps() }
            if !hasBidders { loadBidders() }
        }
    }

    /// Requests the news that was missed, and then the times of the clocks, which it does not have.
    private func resume(after number: Int) {
        sequence.beginResuming()
        requests.request(.resume(after: number)).observe(in: bag) { [unowned self] _ in
            sequence.endResuming()
        } onEnd: { [unowned self] error in
            guard case .refused? = error as? ClientError else { return }
            sequence = NewsSequence()
            (hasLaps, hasBidders) = (false, false)
            gaps.notify(())
        }
        requestSnapshot()
    }

    /// Loads the accepted bids of the lot.
    func loadLaps() {
        lapsLoads.notify(requests.laps())
    }

    /// Loads the connected bidders.
    func loadBidders() {
        biddersLoads.notify(requests.request(.who).map(\.bidders))
    }

    /// Loads the standings of the sale.
    func loadStandings() {
        standingsLoads.notify(requests.request(.standings).map(\.standings))
    }

    /// Loads the rooms of the server.
    func loadRooms() {
        roomsLoads.notify(requests.request(.rooms).map(\.rooms))
    }

    private func handle(_ message: ServerMessage, _ stamp: NewsStamp) {
        silence?.receive(message, at: timeline.now)
        watchForSilence()
        if case .hello(let seconds, let step, let serverID, let room, let sale) = message {
            let greeting = Greeting(
                seconds: seconds, step: step, serverID: serverID, room: room, sale: sale)
            return greet(message, greeting)
        }
        guard firstGreeting == nil, sequence.accept(stamp) else { return }
        var stamp = stamp
        stamp.isReplay = sequence.isResuming
        news.notify((message, stamp))
        switch message {
        case .skipped: synchronise()
        case .kicked(let kicked, let reason): if kicked == bidder { kickReason = reason }
        default: break
        }
    }

    /// Handles the greeting of a room, which on a new connection may not be the one to be in.
    private func greet(_ message: ServerMessage, _ greeting: Greeting) {
        silence = Silence(at: timeline.now)
        watchForSilence()
        if isConnecting, firstGreeting == nil, greeting.room != room {
            firstGreeting = message
            enter(room, from: greeting)
        } else {
            arrive(with: message, greeting)
        }
    }

    /// Requests another room than that of the greeting, of which nothing is shown.
    private func enter(_ room: RoomName, from greeting: Greeting) {
        requests.request(.join(room)).observe(in: bag) { _ in
        } onEnd: { [unowned self] error in
            guard case .refused(let error)? = error as? ClientError else { return }
            stay(in: greeting, without: room, error)
        }
    }

    /// Follows the sale of the greeting instead, or ends if no room was ever entered.
    private func stay(in greeting: Greeting, without room: RoomName, _ error: ErrorReply) {
        if error.code == .slowDown { return giveUp(.refused(error)) }
        guard sale != nil, let firstGreeting else {
            return exit(.refused, error.complaint(about: room))
        }
        let reason = error.code == .noRoom ? "has ended" : "cannot be joined: \(error.reason)"
        roomLoss = "room \(room) \(reason); you are in \(greeting.room), rooms lists all"
        arrive(with: firstGreeting, greeting)
    }

    /// Follows the sale of the room in which the connection is now.
    private func arrive(with message: ServerMessage, _ greeting: Greeting) {
        (room, firstGreeting) = (greeting.room, nil)
        if isConnecting {
            isConnecting = false
            report(isLoading: false, lastError: nil)
        }
        news.notify((message, NewsStamp()))
        follow(greeting)
        if let key = keys[room] { prove(key, of: room) }
    }

    /// Stores the key of the room that the user opened, and becomes its auctioneer.
    func keep(_ key: String, of room: RoomName) {
        keys[room] = key
        if room == self.room { prove(key, of: room) }
    }

    /// Becomes the auctioneer, unless the room with this name is another one now.
    private func prove(_ key: String, of room: RoomName) {
        requests.request(.auctioneer(token: key)).observe(in: bag) { _ in
        } onEnd: { [unowned self] error in
            if case .refused? = error as? ClientError { keys[room] = nil }
        }
    }

    /// Takes the name, and follows the news of a sale from where it was lost, or from now on.
    private func follow(_ greeting: Greeting) {
        let isKnown = greeting.serverID != nil && sale?.isOfSameSale(as: greeting) == true
        if let sale, sale.serverID == greeting.serverID, sale.room == greeting.room,
            sale.sale != greeting.sale
        {
            roomLoss = "room \(room) had ended and was opened again"
        }
        sale = greeting
        if isKnown, hasLaps, hasBidders, let number = sequence.newest {
            takeName(on: greeting.serverID)
            resume(after: number)
        } else {
            sequence = NewsSequence()
            synchronise()
            // After the snapshot, so that the view knows the lot in which the bidder joins.
            takeName(on: greeting.serverID)
        }
    }

    /// Takes the name with its token on this server; it holds in all rooms.
    private func takeName(on serverID: Identity?) {
        guard let bidder, !isNamed else { return }
        isNamed = true
        let token =
            if let claim, claim.serverID == serverID { claim.token } else { storedToken(serverID) }
        claim = (serverID, token)
        requests.request(.name(bidder, token: token)).observe(in: bag) { [unowned self] reply in
            guard case .name(let bidder, let token) = reply.answer else { return }
            claim?.token = token
            effects.notify(.keep(token: token, of: bidder, on: serverID))
        } onEnd: { [unowned self] error in
            switch error as? ClientError {
            case .refused(let error)?: handleRefusal(of: bidder, error)
            case .lost?, .closed?:
                if claim?.token == nil { nameDoubtEnd = timeline.now + Self.nameDoubt }
            case nil: nameDoubtEnd = nil
            }
        }
    }

    /// Tries again later if the name was requested too often, or if our old connection may own it.
    private func handleRefusal(of bidder: Bidder, _ error: ErrorReply) {
        let isInDoubt = nameDoubtEnd.map { timeline.now < $0 } ?? false
        if error.code == .slowDown || error.code == .nameTaken && isInDoubt {
            return giveUp(.refused(error))
        }
        exit(.refused, "\(bidder) cannot play: \(error.reason)")
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
