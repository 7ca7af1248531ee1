import Auction
import Bidder
import Transport
import Wire

/// A list of the server, which the view loads, and which the user can load again.
package enum List: CaseIterable, Sendable {
    case laps, bidders, standings, results, rooms
}

/// A lot that has ended.
package struct PastLot: Equatable, Sendable {
    /// The number and the title.
    package let lot: Lot
    /// The winner; nil if it was not sold.
    package let winner: Bidder?
    /// The price; nil if it was not sold.
    package let price: Price?
}

/// The content of a bidder's screen at one instant.
package struct Model: Equatable, Sendable {
    /// The most standings that are kept, which is what a server lists, the most rooms and lots.
    private static let (mostStandings, mostRooms, mostPastLots) = (100, 1_000, 100)

    /// The name of the user; nil for an observer.
    package let bidder: Bidder?
    /// The address of the server.
    package let server: ServerAddress
    /// The attempts to connect.
    package internal(set) var connection = LoadState()
    /// The state of the sale.
    package private(set) var sale: FollowedSale
    /// The loads of the lists.
    package internal(set) var loads: [List: LoadState] = [:]
    /// The accepted bids of the lot.
    package private(set) var laps = Laps()
    /// The price and the rate of bids over the time of the lot.
    package private(set) var series = Series()
    /// The newest accepted bid of the user on the lot; nil if there is none.
    package private(set) var ownBid: Bid?
    /// The ages of the newest laps, by their numbers.
    package internal(set) var ages: [Int: String] = [:]
    /// The number of bids in the last five seconds, once a second while the lot is open.
    package private(set) var recentBids = 0
    /// The newest events, except for bids.
    package internal(set) var log = NewsLog()
    /// The list that the user asked to see in place of the lot, and has not closed.
    package private(set) var askedList: List?
    /// The connected bidders; nil before they are loaded.
    package private(set) var bidders: [Bidder]?
    /// The forms of names for people, of those who have one.
    package private(set) var displayNames: [Bidder: String] = [:]
    /// The standings of the sale, best first; empty before they are loaded.
    package private(set) var standings: [StandingsRow] = []
    /// The newest lots that have ended, in their order.
    package private(set) var pastLots: [PastLot] = []
    /// The rooms of the server, as they were listed last.
    package private(set) var rooms: [RoomRow] = []
    /// The number of lines that could not be parsed since the start.
    package private(set) var unreadableLines = 0
    /// The picture number of the spinner; nil while nothing loads.
    package internal(set) var spinner: Int?
    /// The command line, and the answer beside it.
    package internal(set) var prompt = CommandPrompt()

    private var clock = NewsClock()
    /// The time up to which the seconds of waiting are counted.
    private var now = Duration.zero
    /// Whether the news is up to date, from the snapshot to the end of the connection.
    private var isLive = false
    /// When the connection was lost, at which the clocks of the sale stand until it is made again.
    private var lostAt: Duration?
    /// When the next attempt to connect begins; nil if none is scheduled.
    private var retryAt: Duration?
    /// The lot of the laps and the chart.
    private var lapsLot = 0
    /// How often the standings became out of date.
    private var standingsChanges = 0

    /// Makes the model before a connection is made.
    package init(bidder: Bidder?, server: ServerAddress) {
        self.bidder = bidder
        self.server = server
        sale = FollowedSale(of: bidder)
    }

    /// The newest state of the lot.
    package var lot: LotState { sale.state }

    /// What only the user may know; nil for an observer.
    package var own: OwnState? { sale.own }

    /// The room that is shown; nil before the greeting.
    package var room: RoomName? { sale.greeting?.room }

    /// The time since the lot opened.
    package var elapsed: Duration? { sale.elapsed(at: lostAt ?? now) }

    /// The time left of the countdown; nil if none runs.
    package var countdown: TimeLeft? { sale.timeLeft(at: lostAt ?? now) }

    /// The state of the sale in one sentence.
    var summary: String { sale.summary(at: lostAt ?? now) }

    /// Whether the state of the sale is known.
    var isKnown: Bool { sale.greeting != nil }

    /// Whether the view is connected and up to date.
    package var isConnected: Bool {
        isKnown && connection.lastError == nil && !connection.isLoading
    }

    /// Whether what is shown of the sale may be out of date, because no connection is up to date.
    package var isStale: Bool { isKnown && !isLive }

    /// When the lot opened, as far as its news arrives as it happens; nil if it does not.
    var runningSince: Duration? { isLive ? sale.runningSince : nil }

    /// The whole seconds until the next attempt to connect, at least 1; nil if none is scheduled.
    package var secondsToRetry: Int64? { retryAt.map(seconds) }

    /// The whole seconds until the next lot opens, at least 1; nil if that is unknown.
    package var secondsToNextLot: Int64? { isLive ? sale.nextOpening.map(seconds) : nil }

    private func seconds(until time: Duration) -> Int64 {
        max(1, TimeLeft(remaining: time - now, warning: nil).seconds)
    }

    /// The instant to which the seconds are counted on the screen; nil if there is none.
    var awaitedInstant: Duration? { retryAt ?? (isLive ? sale.nextOpening : nil) }

    /// A number that changes when the standings must be loaded again; nil while they cannot be.
    ///
    /// They change with the end of a lot, and when a bidder joins.
    package var standingsVersion: Int? { isLive ? standingsChanges : nil }

    /// Whether anything loads that has a spinner.
    var isLoading: Bool {
        connection.isLoading || [.laps, .bidders].contains { loads[$0]?.isLoading == true }
    }
}

// MARK: - News

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
        if let event = message.event { follow(event, stamp) }
        // No event tells the first asking price.
        if lot.isFalling, lot.leader == nil, series.prices == nil { ask(lot.price, elapsed) }
        if former.stage != lot.stage { standingsChanges += 1 }
    }

    /// Updates the lists and the chart after an event.
    private mutating func follow(_ event: SaleEvent, _ stamp: NewsStamp) {
        if case .bidPlaced(let bid) = event {
            add(bid)
        } else if case .bidVoided(let bid) = event {
            series.void(bid.price)
            laps.void(bid.number)
            if let ownBid, ownBid.number >= bid.number { self.ownBid = laps.newest(of: bidder) }
        } else if case .askFell(let price) = event {
            ask(price, elapsed(of: stamp))
        } else if case .lotOpened(let lot) = event {
            if begin(lot: lot.number) { askedList = nil }
        } else if case .lotSold(let sold) = event, let number = sold.number {
            end(
                PastLot(
                    lot: Lot(number: number, title: sold.title), winner: sold.bidder,
                    price: sold.price))
        } else if case .lotPassed(let lot, _, _) = event {
            end(PastLot(lot: lot, winner: nil, price: nil))
        } else if case .bidderJoined(let bidder, let display) = event {
            bidders = (bidders ?? []).filter { $0 != bidder } + [bidder]
            displayNames[bidder] = display
            standingsChanges += 1
            guard clock.isInLot, let elapsed = elapsed(of: stamp) else { return }
            series.add(Series.Point(hasJoin: true), at: Series.tick(at: elapsed))
        } else if case .bidderLeft(let bidder) = event {
            bidders?.removeAll { $0 == bidder }
        } else if case .displayNameSet(let bidder, let text) = event {
            displayNames[bidder] = text.isEmpty ? nil : text
        }
    }

    /// Begins the laps and the chart of a lot; false if they are of that lot already.
    @discardableResult
    private mutating func begin(lot number: Int) -> Bool {
        guard number != lapsLot else { return false }
        (laps, series, ownBid, recentBids, lapsLot) = (Laps(), Series(), nil, 0, number)
        return true
    }

    private mutating func end(_ past: PastLot) {
        begin(lot: past.lot.number)
        add(past)
    }

    /// Adds a lot that has ended, in place of what was known of it.
    private mutating func add(_ past: PastLot) {
        pastLots.removeAll { $0.lot.number == past.lot.number }
        let place = pastLots.firstIndex { $0.lot.number > past.lot.number } ?? pastLots.endIndex
        pastLots.insert(past, at: place)
        if pastLots.count > Self.mostPastLots { pastLots.removeFirst() }
    }

    /// Adds a bid; a known one, as in a snapshot, changes nothing.
    private mutating func add(_ bid: Bid) {
        let count = laps.count
        laps.lead(by: bid)
        if bid.bidder == bidder { ownBid = bid }
        if bid.number > count { series.add(bid, isNext: bid.number == count + 1) }
    }

    private mutating func ask(_ price: Price?, _ elapsed: Duration?) {
        guard let price, let elapsed else { return }
        series.ask(price, at: Series.tick(at: elapsed))
    }

    /// Forgets all of a sale but the new greeting; the connection, the clocks and the prompt go on.
    private mutating func leaveSale() {
        var next = Model(bidder: bidder, server: server)
        (next.sale, next.now, next.standingsChanges) = (sale, now, standingsChanges + 1)
        (next.connection, next.isLive, next.lostAt, next.retryAt) = (
            connection, isLive, lostAt, retryAt
        )
        (next.loads, next.spinner) = (
            loads.mapValues { LoadState(isLoading: $0.isLoading) }, spinner
        )
        (next.rooms, next.unreadableLines, next.prompt) = (rooms, unreadableLines, prompt)
        next.prompt.leaveSale()
        self = next
    }

    /// Whether a message repeats the price of the leading bid, as after a void.
    private func repeatsLeader(_ message: ServerMessage) -> Bool {
        guard case .bidPlaced(let bid) = message.event else { return false }
        return laps.last == bid
    }

    /// When an event happened, since the lot opened: by the server's clock, else at its arrival.
    private func elapsed(of stamp: NewsStamp) -> Duration? {
        sale.elapsed(at: now).map { clock.elapsed(of: stamp, arrival: $0) }
    }
}

// MARK: - The connection and time

extension Model {
    /// Records that the connection is up to date from now on, or no longer.
    package mutating func follow(isLive: Bool, at now: Duration) {
        guard isLive != self.isLive else { return }
        (self.isLive, self.now) = (isLive, now)
        if isLive {
            prompt.feedbackLine.reconnected()
            if lostAt.take() != nil { log.setConnection(isLost: false) }
        } else {
            (lostAt, recentBids) = (now, 0)
            prompt.feedbackLine.disconnected()
            log.setConnection(isLost: true)
        }
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
        (retryAt, self.now) = (time, now)
    }

    /// Moves the clocks to `now`.
    package mutating func advance(to now: Duration) {
        self.now = now
    }

    /// Adds the point of the tick of the chart that ends at `now`.
    package mutating func endTick(at now: Duration) {
        guard let runningSince else { return }
        let tick = Series.tick(at: now - runningSince)
        recentBids = series.recentBids(before: tick / 2)
        if tick > 0 { series.endTick(tick - 1) }
    }
}

// MARK: - Lists

extension Model {
    /// Replaces a list by the one that was loaded at `now`, and tells that to a user who asked.
    package mutating func load(
        _ list: List, _ answer: Answer, _ data: [ServerMessage], at now: Duration
    ) {
        switch list {
        case .laps: load(data.bids, at: now)
        case .bidders:
            let people = data.people
            bidders = people.map(\.bidder)
            for (bidder, display) in people { displayNames[bidder] = display }
        case .standings: standings = Array(data.standings.prefix(Self.mostStandings))
        case .results:
            for case .result(let lot, let winner, let price, _) in data {
                add(PastLot(lot: lot, winner: winner, price: price))
            }
        case .rooms:
            rooms = Array(data.rooms.prefix(Self.mostRooms))
            prompt.complete(rooms.map(\.name))
        }
        prompt.feedbackLine.showLoad(of: list, answer.text(), isRefusal: false)
    }

    /// Replaces the laps, and fills in the chart with the bids up to `now`.
    ///
    /// The chart of a falling price has the asking prices, which are no bids.
    private mutating func load(_ bids: [Bid], at now: Duration) {
        let known = bids.first.flatMap { laps.last(before: $0.number) }
        laps = laps.replaced(with: bids)
        ownBid = laps.newest(of: bidder) ?? ownBid
        guard !lot.isFalling else { return }
        series.fill(
            with: bids, after: known, at: runningSince.map { Series.tick(at: now - $0) })
    }

    /// Records why a list was not loaded, or that it was if the reason is nil.
    mutating func noteError(_ reason: String?, of list: List) {
        loads[list, default: LoadState()].lastError = reason
        if let reason { prompt.feedbackLine.showLoad(of: list, reason, isRefusal: true) }
    }

    /// Shows a list in place of the lot, until the next lot opens; no longer if it is nil.
    mutating func show(_ list: List?) {
        askedList = list
    }

    /// Shows laps that are older by a number, or newer if it is negative, in `rows` of the screen.
    mutating func scrollLaps(by count: Int, rows: Int) {
        laps.scroll(by: count, rows: rows)
    }
}
