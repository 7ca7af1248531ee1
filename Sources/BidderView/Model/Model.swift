import AuctionRules
import Sale
import Wire

/// The content of a bidder's screen at one instant.
public struct Model: Equatable, Sendable {
    /// The maximum number of stored standings.
    private static let maximumStandings = 100

    /// The maximum number of stored rooms.
    private static let maximumRooms = 1_000

    /// A list that the user asked for, and that is shown in place of the lot.
    public enum AskedList: Equatable, Sendable { case standings, rooms }

    /// The name of the user; nil for an observer.
    public let bidder: Bidder?
    /// The address of the server, for display.
    public let server: String
    /// The attempts to connect.
    public internal(set) var connection = LoadState()
    /// The state of the sale.
    public private(set) var sale = SaleState()
    /// The accepted bids of the lot.
    public private(set) var laps = Laps()
    /// The load of the laps.
    public internal(set) var lapsLoad = LoadState()
    /// The ages of the newest laps, by their numbers.
    public internal(set) var ages: [Int: String] = [:]
    /// The number of bids in the last five seconds, once a second while the lot is open.
    public private(set) var recentBids = 0
    /// The price and the rate of bids over the time of the lot.
    public private(set) var series = Series()
    /// The newest news as a sentence.
    public private(set) var ticker = ""
    /// The newest events, except for bids.
    public private(set) var log = NewsLog()
    /// The newest accepted bid of the user on the lot; nil if there is none.
    public private(set) var ownBid: Bid?
    /// What the server tells the user alone.
    public private(set) var own = PrivateState()
    /// The list that the user asked for, and has not closed.
    public private(set) var askedList: AskedList?
    /// The standings of the sale, best first; empty before they are loaded.
    public private(set) var standings: [StandingsRow] = []
    /// The rooms of the server, as they were listed last.
    public private(set) var rooms: [RoomRow] = []
    /// The number of lines that could not be parsed since the start.
    public private(set) var unreadableLines = 0
    /// The connected bidders; nil before they are loaded.
    public private(set) var bidders: [Bidder]?
    /// The load of the bidders.
    public internal(set) var biddersLoad = LoadState()
    /// The picture number of the spinner; nil while nothing loads.
    public internal(set) var spinner: Int?
    /// The command line, and the answer beside it.
    public internal(set) var prompt = CommandPrompt()

    /// When the next attempt to connect begins; nil if none is scheduled.
    private var retryAt: Duration?
    /// Whether the news is up to date, from the snapshot to the end of the connection.
    private var isLive = false
    /// Whether the connection was lost, and not made again since.
    private var wasLost = false
    /// The time that the clocks of the sale show; it stands while the connection is lost.
    private var now = Duration.zero
    /// The time from which the seconds of waiting are counted.
    private var present = Duration.zero
    /// When the lot opened whose news arrives as it happens; nil if there is none.
    private var liveSince: Duration?
    /// When the lot opened by the server's clock; nil if that is unknown.
    private var serverOpening: Duration?
    /// How often the standings became out of date: at the end of a lot, or in another room.
    private var standingsChanges = 0
    /// The time of the lot that missed news has reached, by its bids and seconds.
    ///
    /// No missed event that follows is earlier. Its own time may be early by a second, and an older
    /// server sends none.
    private var replayClock = Duration.zero

    /// Makes the model before a connection is made.
    package init(bidder: Bidder?, server: String) {
        self.bidder = bidder
        self.server = server
    }

    /// The room that is shown; nil before the greeting.
    public var room: RoomName? { sale.greeting?.room }

    /// The time since the lot opened.
    public var elapsed: Duration? { sale.elapsed(at: now) }

    /// The time left of the countdown; nil if none runs.
    public var countdown: TimeLeft? { sale.timeLeft(at: now) }

    /// Whether the view is connected and up to date.
    public var isConnected: Bool {
        sale.greeting != nil && connection.lastError == nil && !connection.isLoading
    }

    /// Whether what is shown of the sale may be out of date, because no connection is up to date.
    public var isStale: Bool { sale.greeting != nil && !isLive }

    /// The whole seconds until the next attempt to connect, at least 1; nil if none is scheduled.
    public var secondsToRetry: Int64? { seconds(until: retryAt) }

    /// The whole seconds until the next lot opens, at least 1; nil if that is unknown.
    public var secondsToNextLot: Int64? { isLive ? seconds(until: sale.nextOpening) : nil }

    private func seconds(until time: Duration?) -> Int64? {
        time.map { max(1, TimeLeft(remaining: $0 - present, warning: nil).seconds) }
    }

    /// A number that changes when the standings must be loaded again; nil while they cannot be.
    ///
    /// They change with the end of a lot.
    public var standingsVersion: Int? { isLive ? standingsChanges : nil }

    /// Whether anything loads.
    var isLoading: Bool {
        connection.isLoading || lapsLoad.isLoading || biddersLoad.isLoading
    }
}

/// The state of a load, whose error is shown beside the last result.
public struct LoadState: Equatable, Sendable {
    /// Whether a load is under way.
    public internal(set) var isLoading = false
    /// Why the newest load failed; nil once one has succeeded.
    public internal(set) var lastError: String?
}

// MARK: - News, loads and time

extension Model {
    /// Updates the content after a message that was received at `now`.
    ///
    /// What a snapshot repeats is no news.
    package mutating func receive(
        _ message: ServerMessage, _ stamp: NewsStamp = NewsStamp(), at now: Duration
    ) {
        let (lot, greeting, isRepeated) = (sale.lot, sale.greeting, repeatsLeader(message))
        sale = sale.applying(message, at: now)
        (self.now, present) = (now, now)
        if let greeting, sale.greeting?.isOfSameSale(as: greeting) == false { leaveSale() }
        let isSameLot = sale.lot == lot
        if !isSameLot { (laps, series, ownBid) = (Laps(), Series(), nil) }
        own.receive(message, isReplay: stamp.isReplay, isSameLot: isSameLot, bidder: bidder)
        followClock(of: message, stamp)
        if !stamp.isSnapshot, !isRepeated, isCrowned || !message.isChampion {
            tell(message, stamp)
        }
        prompt.receive(message, in: sale, bidder: bidder, maximum: own.maximum)
        switch message {
        case .price(let bid, _, _): add(bid)
        case .voided(let bid, _):
            series = series.voiding(bid.price)
            laps.void(bid.number)
            if let ownBid, ownBid.number >= bid.number { self.ownBid = laps.newest(of: bidder) }
        case .joined(let bidder):
            bidders = others(than: bidder) + [bidder]
            if sale.isOpen, let elapsed = elapsed(of: stamp) {
                series = series.adding(Series.Point(hasJoin: true), at: Series.tick(at: elapsed))
            }
        case .left(let bidder): bidders = others(than: bidder)
        case .lot: if !isSameLot { askedList = nil }
        case .ask(let price, _): addAsk(price, stamp)
        case .winner, .passed, .over: standingsChanges += 1
        default: break
        }
    }

    /// Forgets all of a sale but the new greeting; the connection, the clocks and the prompt go on.
    private mutating func leaveSale() {
        var next = Model(bidder: bidder, server: server)
        next.sale = sale
        (next.connection, next.retryAt) = (connection, retryAt)
        (next.isLive, next.wasLost) = (isLive, wasLost)
        (next.now, next.present, next.liveSince) = (now, present, liveSince)
        (next.lapsLoad.isLoading, next.biddersLoad.isLoading, next.spinner) =
            (lapsLoad.isLoading, biddersLoad.isLoading, spinner)
        (next.rooms, next.unreadableLines) = (rooms, unreadableLines)
        next.standingsChanges = standingsChanges + 1
        next.prompt = prompt
        next.prompt.leaveSale()
        self = next
    }

    /// Adds an asking price to the chart.
    private mutating func addAsk(_ price: Price, _ stamp: NewsStamp) {
        guard let elapsed = elapsed(of: stamp) else { return }
        series = series.asking(price, at: Series.tick(at: elapsed))
    }

    /// Whether a message repeats the price of the leading bid, as after a void.
    private func repeatsLeader(_ message: ServerMessage) -> Bool {
        guard case .price(let bid, _, _) = message else { return false }
        return sale.leading == bid
    }

    /// Puts a message into the log and the ticker.
    ///
    /// A bidder who leaves because of a kick, and the winner by the hammer, do not hide the reason.
    private mutating func tell(_ message: ServerMessage, _ stamp: NewsStamp) {
        let isHammered = log.endsWithHammer
        let isInLot = sale.isOpen || message.endsLot
        let isEvent = log.receive(message, elapsed: isInLot ? elapsed(of: stamp) : nil)
        guard isEvent, !message.isPartOfPicture, let sentence = message.sentence else { return }
        if case .winner = message, isHammered {
            ticker = "by the hammer, \(sentence)"
        } else {
            ticker = sentence
        }
    }

    /// Records that the connection is up to date from now on, or no longer.
    package mutating func follow(isLive: Bool, at now: Duration) {
        guard isLive != self.isLive else { return }
        self.isLive = isLive
        present = now
        if isLive { prompt.reconnected() } else { prompt.disconnected() }
        guard !isLive || wasLost else { return }
        wasLost = !isLive
        log.add(
            .connection, isLive ? "connected again" : "the connection was lost", elapsed: nil)
    }

    /// Adds to the log that news is missing, because the server no longer has it.
    mutating func missNews() {
        log.add(.connection, "some news was missed while the connection was lost", elapsed: nil)
    }

    /// Tells the user something about the room that is no news of the server.
    mutating func tell(_ text: String, isRefusal: Bool) {
        log.add(isRefusal ? .connection : .room, text, elapsed: nil)
        ticker = text
        prompt.show(text, isRefusal: isRefusal)
    }

    /// Sets the number of lines that could not be parsed; the log has the first one.
    mutating func countUnreadable(_ count: Int) {
        if unreadableLines == 0 {
            log.add(.connection, "a line of the server cannot be read", elapsed: nil)
        }
        unreadableLines = count
    }

    /// Sets when the next attempt to connect begins; nil if none is scheduled.
    package mutating func awaitRetry(at time: Duration?, now: Duration) {
        retryAt = time
        present = now
    }

    /// Counts the seconds of waiting from `now`.
    package mutating func wait(at now: Duration) {
        present = now
    }

    /// The instant to which the seconds are counted on the screen; nil if there is none.
    var awaitedInstant: Duration? { retryAt ?? (isLive ? sale.nextOpening : nil) }

    /// Adds a bid; a known one, as in a snapshot, changes nothing.
    private mutating func add(_ bid: Bid) {
        let count = laps.count
        laps.lead(by: bid)
        if bid.bidder == bidder { ownBid = bid }
        if bid.number > count { series.add(bid, isNext: bid.number == count + 1) }
    }

    /// Follows the server's clock, and the clock of the lot while missed news is repeated.
    private mutating func followClock(of message: ServerMessage, _ stamp: NewsStamp) {
        switch message {
        case .lot(_, _, let elapsed):
            serverOpening = stamp.time.map { $0 - (elapsed ?? .zero) }
            if stamp.isReplay { replayClock = elapsed ?? .zero }
        case .price(let bid, _, _): replayClock = bid.elapsed
        case .countdown(let seconds, _) where stamp.isReplay:
            guard let bid = sale.leading, let full = sale.greeting?.seconds else { break }
            replayClock = max(replayClock, bid.elapsed + .seconds(max(0, full - seconds)))
        default: break
        }
    }

    /// When an event happened, since the lot opened: by the server's clock, else at its arrival.
    private func elapsed(of stamp: NewsStamp) -> Duration? {
        guard let arrival = sale.elapsed(at: now) else { return nil }
        let earliest = stamp.isReplay ? replayClock : .zero
        guard let time = stamp.time, let serverOpening else {
            return stamp.isReplay ? min(earliest, arrival) : arrival
        }
        return min(max(earliest, time - serverOpening), arrival)
    }

    private func others(than bidder: Bidder) -> [Bidder] {
        (bidders ?? []).filter { $0 != bidder }
    }

    /// Replaces the laps, and fills in the chart, with bids that were loaded at `now`.
    package mutating func load(_ bids: [Bid], at now: Duration) {
        let known = bids.first.flatMap { laps.last(before: $0.number) }
        laps = laps.replaced(with: bids)
        ownBid = laps.newest(of: bidder) ?? ownBid
        // The chart of a Dutch lot has the asking prices, which are no bids.
        guard sale.format != .dutch else { return }
        series = series.filled(
            with: bids, after: known, at: liveSince.map { Series.tick(at: now - $0) })
    }

    /// Replaces the standings, of which as many are kept as a server lists.
    package mutating func load(_ standings: [StandingsRow]) {
        self.standings = Array(standings.prefix(Self.maximumStandings))
    }

    /// Replaces the list of rooms.
    package mutating func load(_ rooms: [RoomRow]) {
        self.rooms = Array(rooms.prefix(Self.maximumRooms))
        prompt.complete(self.rooms.map(\.name))
    }

    /// Shows a list in place of the lot, until the next lot opens; no longer if it is nil.
    mutating func show(_ list: AskedList?) {
        askedList = list
    }

    /// Records what an accepted command of the user has changed.
    package mutating func accept(_ answer: Answer) {
        own.accept(answer, isSealed: sale.isOpen && sale.format.isSealed && sale.leading == nil)
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
        guard let liveSince else { return }
        let tick = Series.tick(at: now - liveSince)
        recentBids = series.recentBids(before: tick / 2)
        if tick > 0 { series.endTick(tick - 1) }
    }

    /// Shows laps that are older by a number, or newer if it is negative, in `rows` of the screen.
    mutating func scrollLaps(by count: Int, rows: Int) {
        laps.scroll(by: count, rows: rows)
    }
}
