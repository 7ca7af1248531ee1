import AuctionRules
import Reactive
import Sale
import Wire

/// A connection that takes the bidder's name, loads the state of the sale, and is made again.
final class LiveConnection {
    /// The time after which the server has surely noticed that an old connection is lost.
    private static let nameDoubt = Duration.seconds(120)

    /// Whether the snapshot was received, so that news is shown as it happens.
    let isLive = Subject(false)
    /// The accepted bids of the lot.
    let laps: Resource<[Bid]>
    /// The connected bidders.
    let bidders: Resource<[Bidder]>

    private let bidder: Bidder?
    /// Returns the stored token of the name in a game.
    private let storedToken: (GameID?) -> String?
    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private let client: RequestClient
    private let reconnector: Reconnector
    private let lapsLoads = Subject<Signal<[Bid]>>()
    private let biddersLoads = Subject<Signal<[Bidder]>>()
    private let bag = SubscriptionBag()
    /// The token of the name, and its game; nil before the first greeting.
    private var claim: (game: GameID?, token: String?)?
    /// Until when our own old connection may still own the name, because its answer was lost.
    private var nameDoubtEnd: Duration?
    /// The reason of the auctioneer for kicking the bidder.
    private var kickReason: String?

    /// Makes a connection that is not connected yet; `effects` gets what its owner must do.
    ///
    /// Without a bidder it takes no name.
    init(
        of bidder: Bidder?, storedToken: @escaping (GameID?) -> String?, on timeline: Timeline,
        backoff: Backoff, effects: Subject<ClientEffect>
    ) {
        self.bidder = bidder
        self.storedToken = storedToken
        self.timeline = timeline
        self.effects = effects
        client = RequestClient(on: timeline, effects: effects)
        reconnector = Reconnector(on: timeline, backoff: backoff, effects: effects)
        laps = Resource(lapsLoads.signal)
        bidders = Resource(biddersLoads.signal)
    }

    /// The greeting and the news.
    var news: Signal<ServerMessage> { client.news.signal }

    /// The state of the connection.
    var server: Resource<Void> { reconnector.connection }

    /// Begins to connect.
    func begin() {
        client.news.observe(in: bag) { [unowned self] in handle($0) }
        client.errors.observe(in: bag) { [unowned self] in giveUp($0) }
        reconnector.begin()
    }

    /// Begins to talk on a new connection.
    func connected() {
        client.connect()
        client.request(.format(.json)).observe(in: bag) { [unowned self] _ in
            if reconnector.isConnecting { giveUp(.lost("the server does not greet")) }
        }
    }

    /// Ends the connection or the attempt, and schedules the next attempt.
    func lose(_ error: ClientError) {
        isLive.notify(false)
        client.disconnect(error)
        reconnector.fail(error)
    }

    /// Handles a line of the server.
    func receive(_ text: String) {
        client.receive(text)
    }

    /// The reply to a command; fails with a `ClientError`.
    func request(_ command: Request.Command) -> Signal<RequestClient.Reply> {
        client.request(command)
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    func restartTimeouts(at time: Duration) {
        client.restartTimeouts(at: time)
    }

    /// Requests the snapshot, and then loads the laps and the bidders.
    func synchronise() {
        client.request(.status).observe(in: bag) { [unowned self] _ in
            reconnector.startTrial()
            isLive.notify(true)
            loadLaps()
            loadBidders()
        }
    }

    /// Loads the accepted bids of the lot.
    func loadLaps() {
        lapsLoads.notify(client.laps())
    }

    /// Loads the connected bidders.
    func loadBidders() {
        biddersLoads.notify(client.request(.who).map(\.bidders))
    }

    private func handle(_ message: ServerMessage) {
        switch message {
        case .hello(_, _, let game):
            reconnector.succeed()
            if let bidder { takeName(bidder, in: game) }
            synchronise()
        case .skipped: synchronise()
        case .kicked(let kicked, let reason): if kicked == bidder { kickReason = reason }
        default: break
        }
    }

    /// Takes the name with its token in this game.
    private func takeName(_ bidder: Bidder, in game: GameID?) {
        let token = if let claim, claim.game == game { claim.token } else { storedToken(game) }
        claim = (game, token)
        client.request(.name(bidder, token: token)).observe(in: bag) { [unowned self] reply in
            guard case .name(let bidder, let token) = reply.answer else { return }
            claim?.token = token
            effects.notify(.keep(token: token, of: bidder, in: game))
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
        case .closed(.replaced): exit(.refused, error.reason)
        case .closed(.kicked):
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

extension RequestClient {
    /// Loads the accepted bids: the newest 20, or the newest 1,000 if there are more.
    fileprivate func laps(attempts: Int = 3) -> Signal<[Bid]> {
        request(.laps(nil)).map { [self] reply in
            guard case .laps(let count) = reply.answer, count > reply.data.count,
                let range = ListRange(
                    first: max(1, count - ListRange.longest + 1), count: ListRange.longest)
            else { return .of(reply.bids) }
            return request(.laps(range)).map { [self] reply in
                // Fewer bids than before are those of the next lot. The attempts are limited, in
                // case the server sends wrong numbers.
                guard attempts > 1, case .laps(let count) = reply.answer, count < range.first else {
                    return .of(reply.bids)
                }
                return laps(attempts: attempts - 1)
            }
            .switchToLatest()
        }
        .switchToLatest()
    }
}

extension RequestClient.Reply {
    fileprivate var bids: [Bid] {
        data.compactMap { if case .lap(let bid) = $0 { bid } else { nil } }
    }

    fileprivate var bidders: [Bidder] {
        data.compactMap { if case .who(let bidder) = $0 { bidder } else { nil } }
    }
}
