import Auction
import Bidder
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
        if let greeting = message.greeting { return greet((message, greeting)) }
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

/// The claim of a bidder to its name: the token that proves it, on one server at a time.
struct NameClaim {
    /// The time after which the server has surely noticed that an old connection is lost.
    private static let doubtTime = Duration.seconds(120)

    /// The name.
    let bidder: Bidder
    /// Returns the stored token of the name on a server.
    private let storedToken: (Identity?) -> String?
    /// The token, and its server; nil before the first greeting.
    private var proof: (serverID: Identity?, token: String?)?
    /// Whether the name was requested on this connection.
    private var isRequested = false
    /// Until when our own old connection may still own the name, because its answer was lost.
    private var doubtEnd: Duration?

    init(of bidder: Bidder, storedToken: @escaping (Identity?) -> String?) {
        self.bidder = bidder
        self.storedToken = storedToken
    }

    /// Begins on a new connection.
    mutating func connect() {
        isRequested = false
    }

    /// Makes the request for the name, which holds in all rooms; nil if this connection has sent it.
    mutating func request(on serverID: Identity?) -> Request.Command? {
        guard !isRequested else { return nil }
        isRequested = true
        let token =
            if let proof, proof.serverID == serverID { proof.token } else { storedToken(serverID) }
        proof = (serverID, token)
        return .name(bidder, token: token)
    }

    /// Records the token with which the server gave the name.
    mutating func accept(_ token: String) {
        proof?.token = token
        doubtEnd = nil
    }

    /// Records that the answer was lost, so that the name may be taken without a known token.
    mutating func loseAnswer(at now: Duration) {
        if proof?.token == nil { doubtEnd = now + Self.doubtTime }
    }

    /// Whether a refusal is temporary: too many requests, or our own old connection has the name.
    func isTemporary(_ refusal: ErrorReply, at now: Duration) -> Bool {
        switch refusal.code {
        case .slowDown: true
        case .nameTaken: doubtEnd.map { now < $0 } ?? false
        default: false
        }
    }
}

/// The room that connections enter, the sale that is followed there, and the keys of own rooms.
struct RoomEntry {
    /// A greeting, as it was received.
    typealias Received = (message: ServerMessage, greeting: Greeting)

    /// The room that this connection and later ones enter.
    private(set) var room: RoomName
    /// The first greeting of a connection that passes through its room, until `join` is answered.
    private var passed: Received?
    /// The greeting of the sale whose news is followed.
    private var sale: Greeting?
    /// Why the room or the sale is another one than on the last connection.
    private var loss: String?
    /// The keys of the rooms that the user opened.
    private var keys: [RoomName: String] = [:]

    init(to room: RoomName) {
        self.room = room
    }

    /// Whether the connection is only passing through a room, of which nothing is shown.
    var isPassing: Bool { passed != nil }

    /// Begins to pass through the room of a first greeting; false if it is the room to be in.
    mutating func pass(_ received: Received) -> Bool {
        guard passed == nil, received.greeting.room != room else { return false }
        passed = received
        return true
    }

    /// Stays in the room of the first greeting; nil if no room was ever entered.
    mutating func stay(because error: ErrorReply) -> Received? {
        guard sale != nil, let passed else { return nil }
        let reason = error.code == .noRoom ? "has ended" : "cannot be joined: \(error.reason)"
        loss = "room \(room) \(reason); you are in \(passed.greeting.room), rooms lists all"
        return passed
    }

    /// Enters the room of a greeting, and returns whether it is that of the sale before.
    mutating func arrive(with greeting: Greeting) -> Bool {
        let former = sale
        (room, passed, sale) = (greeting.room, nil, greeting)
        guard let former else { return false }
        if former.serverID == greeting.serverID, former.room == greeting.room,
            former.sale != greeting.sale
        {
            loss = "room \(room) had ended and was opened again"
        }
        return greeting.serverID != nil && former.isOfSameSale(as: greeting)
    }

    /// Forgets a greeting of the connection, which has ended.
    mutating func disconnect() {
        passed = nil
    }

    /// Takes the reason, in plain words, why another room or sale is followed than before.
    mutating func takeLoss() -> String? { loss.take() }

    /// The key of the room; nil if the user did not open it.
    var key: String? { keys[room] }

    /// Stores the key of a room, or removes it if it is nil.
    mutating func keep(_ key: String?, of room: RoomName) {
        keys[room] = key
    }
}
