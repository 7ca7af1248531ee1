import Auction
import Bidder
import Wire

/// The content of a bidder's screen at one instant.
package struct Model: Equatable, Sendable {
    /// A list that the user asked for, and that is shown in place of the lot.
    package enum AskedList: Equatable, Sendable { case standings, rooms }

    /// The most standings that are kept, which is what a server lists, the most rooms and lots.
    private static let (mostStandings, mostRooms, mostPastLots) = (100, 1_000, 100)

    /// The name of the user; nil for an observer.
    package let bidder: Bidder?
    /// The address of the server, for display.
    package let server: String
    /// The attempts to connect.
    package internal(set) var connection = LoadState()
    /// The state of the sale.
    package private(set) var sale: FollowedSale
    /// The load of the laps.
    package internal(set) var lapsLoad = LoadState()
    /// The ages of the newest laps, by their numbers.
    package internal(set) var ages: [Int: String] = [:]
    /// The number of bids in the last five seconds, once a second while the lot is open.
    package private(set) var recentBids = 0
    /// The newest events, except for bids.
    package private(set) var log = NewsLog()
    /// The list that the user asked for, and has not closed.
    package private(set) var askedList: AskedList?
    /// The connected bidders; nil before they are loaded.
    package private(set) var bidders: [Bidder]?
    /// The standings of the sale, best first; empty before they are loaded.
    package private(set) var standings: [StandingsRow] = []
    /// The newest lots that have ended, in their order, as far as they were told.
    package private(set) var pastLots: [PastLot] = []
    /// The rooms of the server, as they were listed last.
    package private(set) var rooms: [RoomRow] = []
    /// The number of lines that could not be parsed since the start.
    package private(set) var unreadableLines = 0
    /// The load of the bidders.
    package internal(set) var biddersLoad = LoadState()
    /// The picture number of the spinner; nil while nothing loads.
    package internal(set) var spinner: Int?
    /// The command line, and the answer beside it.
    package internal(set) var prompt = CommandPrompt()

    private var status = LiveStatus()
    private var history = LapHistory()
    private var clock = NewsClock()
    /// The time that the clocks of the sale show; it stands while the connection is lost.
    private var now = Duration.zero
    /// When the lot opened whose news arrives as it happens; nil if there is none.
    private var liveSince: Duration?
    /// How often the standings became out of date.
    private var standingsChanges = 0

    /// Makes the model before a connection is made.
    package init(bidder: Bidder?, server: String) {
        self.bidder = bidder
        self.server = server
        sale = FollowedSale(of: bidder)
    }

    /// What only the user may know; nil for an observer.
    package var own: OwnState? { sale.own }

    /// The accepted bids of the lot.
    package var laps: Laps { history.laps }

    /// The price and the rate of bids over the time of the lot.
    package var series: Series { history.series }

    /// The newest accepted bid of the user on the lot; nil if there is none.
    package var ownBid: Bid? { history.ownBid }

    /// The newest news as a sentence.
    package var ticker: String { log.ticker }

    /// The room that is shown; nil before the greeting.
    package var room: RoomName? { sale.greeting?.room }

    /// The time since the lot opened.
    package var elapsed: Duration? { sale.elapsed(at: now) }

    /// The time left of the countdown; nil if none runs.
    package var countdown: TimeLeft? { sale.timeLeft(at: now) }

    /// The state of the sale in one sentence.
    var summary: String { sale.summary(at: now) }

    /// Whether the view is connected and up to date.
    package var isConnected: Bool {
        sale.greeting != nil && connection.lastError == nil && !connection.isLoading
    }

    /// Whether what is shown of the sale may be out of date, because no connection is up to date.
    package var isStale: Bool { sale.greeting != nil && !status.isLive }

    /// The whole seconds until the next attempt to connect, at least 1; nil if none is scheduled.
    package var secondsToRetry: Int64? { status.retryAt.map(status.seconds) }

    /// The whole seconds until the next lot opens, at least 1; nil if that is unknown.
    package var secondsToNextLot: Int64? {
        status.isLive ? sale.nextOpening.map(status.seconds) : nil
    }

    /// The instant to which the seconds are counted on the screen; nil if there is none.
    var awaitedInstant: Duration? {
        status.retryAt ?? (status.isLive ? sale.nextOpening : nil)
    }

    /// A number that changes when the standings must be loaded again; nil while they cannot be.
    ///
    /// They change with the end of a lot, and when a bidder joins.
    package var standingsVersion: Int? { status.isLive ? standingsChanges : nil }

    /// Whether anything loads.
    var isLoading: Bool {
        connection.isLoading || lapsLoad.isLoading || biddersLoad.isLoading
    }
}

// MARK: - News, loads and time

extension Model {
    /// Updates the content after a message that was received at `now`.
    ///
    /// What a snapshot repeats is no news.
    package mutating func receive(
        _ message: ServerMessage, _ stamp: NewsStamp = NewsStamp(), at now: Duration
    ) {
        let (former, greeting, isRepeated) = (lot, sale.greeting, repeatsLeader(message))
        sale.follow(message, at: now)
        self.now = now
        status.advance(to: now)
        if let greeting, sale.greeting?.isOfSameSale(as: greeting) == false { return leaveSale() }
        clock.follow(message, stamp)
        let isChampion = if case .championNamed = message.event { true } else { false }
        if !stamp.isSnapshot, !isRepeated, isCrowned || !isChampion {
            let isInLot = clock.isInLot || message.endsLot
            log.receive(
                message, elapsed: isInLot ? elapsed(of: stamp) : nil, user: bidder)
        }
        if let bidder {
            prompt.follow(from: former, to: lot, bidder: bidder, maximum: own?.maximum)
        }
        follow(message.event, stamp)
        // No event tells the first asking price.
        if lot.isFalling, lot.leader == nil, let price = lot.price, series.prices == nil,
            let elapsed
        {
            history.ask(price, at: elapsed)
        }
    }

    /// Updates the lists and the chart after an event.
    private mutating func follow(_ event: SaleEvent?, _ stamp: NewsStamp) {
        if let past = PastLot(event) { add(past) }
        switch event {
        case .bidPlaced(let bid): history.add(bid, isOwn: bid.bidder == bidder)
        case .bidVoided(let bid): history.void(bid, user: bidder)
        case .bidderJoined(let bidder, _):
            leave(bidder)
            bidders?.append(bidder)
            standingsChanges += 1
            if clock.isInLot, let elapsed = elapsed(of: stamp) { history.join(at: elapsed) }
        case .bidderLeft(let bidder): leave(bidder)
        case .lotOpened(let lot): if history.begin(lot: lot.number) { askedList = nil }
        case .askFell(let price):
            if let elapsed = elapsed(of: stamp) { history.ask(price, at: elapsed) }
        case .lotSold(let sold):
            if let number = sold.number { history.begin(lot: number) }
            standingsChanges += 1
        case .lotPassed(let lot, _, _):
            history.begin(lot: lot.number)
            standingsChanges += 1
        case .ended: standingsChanges += 1
        default: break
        }
    }

    /// Adds a lot that has ended; one that a snapshot repeats replaces itself.
    private mutating func add(_ past: PastLot) {
        pastLots.removeAll { $0.lot.number >= past.lot.number }
        pastLots.append(past)
        if pastLots.count > Self.mostPastLots { pastLots.removeFirst() }
    }

    private mutating func leave(_ bidder: Bidder) {
        bidders = (bidders ?? []).filter { $0 != bidder }
    }

    /// Forgets all of a sale but the new greeting; the connection, the clocks and the prompt go on.
    private mutating func leaveSale() {
        var next = Model(bidder: bidder, server: server)
        next.sale = sale
        (next.connection, next.status) = (connection, status)
        (next.now, next.liveSince) = (now, liveSince)
        (next.lapsLoad.isLoading, next.biddersLoad.isLoading, next.spinner) =
            (lapsLoad.isLoading, biddersLoad.isLoading, spinner)
        (next.rooms, next.unreadableLines) = (rooms, unreadableLines)
        next.standingsChanges = standingsChanges + 1
        next.prompt = prompt
        next.prompt.leaveSale()
        self = next
    }

    /// Whether a message repeats the price of the leading bid, as after a void.
    private func repeatsLeader(_ message: ServerMessage) -> Bool {
        guard case .bidPlaced(let bid) = message.event else { return false }
        return history.laps.last == bid
    }

    /// Records that the connection is up to date from now on, or no longer.
    package mutating func follow(isLive: Bool, at now: Duration) {
        guard isLive != status.isLive else { return }
        let event = status.follow(isLive: isLive, at: now)
        if isLive { prompt.feedbackLine.reconnected() } else { prompt.feedbackLine.disconnected() }
        if let event { log.add(isLive ? .reconnection : .loss, event, elapsed: nil) }
    }

    /// Adds to the log that news is missing, because the server no longer has it.
    mutating func missNews() {
        log.add(.loss, "some news was missed while the connection was lost", elapsed: nil)
    }

    /// Tells the user something about the room that is no news of the server.
    mutating func tell(_ text: String, isRefusal: Bool) {
        log.tell(isRefusal ? .loss : .room, text)
        prompt.feedbackLine.show(text, isRefusal: isRefusal)
    }

    /// Sets the number of lines that could not be parsed; the log has the first one.
    mutating func countUnreadable(_ count: Int) {
        if unreadableLines == 0 {
            log.add(.loss, "a line of the server cannot be read", elapsed: nil)
        }
        unreadableLines = count
    }

    /// Sets when the next attempt to connect begins; nil if none is scheduled.
    package mutating func awaitRetry(at time: Duration?, now: Duration) {
        status.awaitRetry(at: time, now: now)
    }

    /// Counts the seconds of waiting from `now`.
    package mutating func wait(at now: Duration) {
        status.advance(to: now)
    }

    /// When an event happened, since the lot opened: by the server's clock, else at its arrival.
    private func elapsed(of stamp: NewsStamp) -> Duration? {
        sale.elapsed(at: now).map { clock.elapsed(of: stamp, arrival: $0) }
    }

    /// Replaces the laps, and fills in the chart, with bids that were loaded at `now`.
    package mutating func load(_ bids: [Bid], at now: Duration) {
        history.load(
            bids, user: bidder, isFalling: lot.isFalling,
            elapsed: liveSince.map { now - $0 })
    }

    /// Replaces the standings, of which as many are kept as a server lists.
    package mutating func load(_ standings: [StandingsRow]) {
        self.standings = Array(standings.prefix(Self.mostStandings))
    }

    /// Replaces the list of rooms.
    package mutating func load(_ rooms: [RoomRow]) {
        self.rooms = Array(rooms.prefix(Self.mostRooms))
        prompt.complete(self.rooms.map(\.name))
    }

    /// Shows a list in place of the lot, until the next lot opens; no longer if it is nil.
    mutating func show(_ list: AskedList?) {
        askedList = list
    }

    /// Replaces the connected bidders.
    package mutating func load(_ bidders: [Bidder]) {
        self.bidders = bidders
    }

    /// Starts the clock of a lot that opened at `start`, or stops it if that is nil.
    package mutating func run(since start: Duration?, at now: Duration) {
        if (start == nil) != (liveSince == nil) { recentBids = 0 }
        liveSince = start
        self.now = now
    }

    /// Moves the clocks to `now`.
    package mutating func advance(to now: Duration) {
        self.now = now
    }

    /// Adds the point of the tick of the chart that ends at `now`.
    package mutating func endTick(at now: Duration) {
        if let liveSince { recentBids = history.endTick(at: now - liveSince) }
    }

    /// Shows laps that are older by a number, or newer if it is negative, in `rows` of the screen.
    mutating func scrollLaps(by count: Int, rows: Int) {
        history.scrollLaps(by: count, rows: rows)
    }
}

/// Whether the news is up to date, and the seconds for which the view waits.
struct LiveStatus: Equatable, Sendable {
    /// Whether the news is up to date, from the snapshot to the end of the connection.
    private(set) var isLive = false
    /// When the next attempt to connect begins; nil if none is scheduled.
    private(set) var retryAt: Duration?
    /// Whether the connection was lost, and not made again since.
    private var wasLost = false
    /// The time from which the seconds of waiting are counted.
    private var now = Duration.zero

    /// Records whether the news is up to date, and returns the event for the log, if it is one.
    mutating func follow(isLive: Bool, at now: Duration) -> String? {
        self.isLive = isLive
        self.now = now
        guard !isLive || wasLost else { return nil }
        wasLost = !isLive
        return isLive ? "connected again" : "the connection was lost"
    }

    /// Sets when the next attempt to connect begins.
    mutating func awaitRetry(at time: Duration?, now: Duration) {
        retryAt = time
        self.now = now
    }

    /// Counts the seconds of waiting from `now`.
    mutating func advance(to now: Duration) {
        self.now = now
    }

    /// The whole seconds until a time, at least 1.
    func seconds(until time: Duration) -> Int64 {
        max(1, TimeLeft(remaining: time - now, warning: nil).seconds)
    }
}
