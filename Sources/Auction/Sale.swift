import Basics

/// A sale: many lots in a row, and everything that its journal records.
///
/// `apply` records an event in the same way live, on recovery and in tests. The deadline of the
/// countdown is not recorded; a sale that is recovered gives the full seconds again.
///
/// A copy shares its collections until one of the two changes. So it is made in O(1), and another
/// thread can read it while this one changes the original.
public struct Sale: Sendable {
    /// The most earlier lots and results that are kept; up to twice as many until old ones are cut.
    public static let mostKept = 10_000

    /// The most results and tallies that are kept of a room, and lots that can be added to it.
    ///
    /// Anybody can open rooms, so all except the main one keep less; this also bounds their names.
    public static func mostKept(in room: RoomName) -> Int { room == .main ? mostKept : 1_000 }

    /// The rules of a lot without terms of its own.
    @Indirect public private(set) var rules: Rules

    /// The options of the game; nil for a sale without purses and values.
    public private(set) var options: GameOptions?

    /// The identity of the server; nil before the first event.
    public private(set) var serverID: Identity?

    /// The number of the last public event; 0 before the first.
    public private(set) var eventNumber = 0

    /// The newest lot; lot 0, which is closed, before the first.
    public private(set) var auction: Auction

    /// Whether every lot of the catalogue is done.
    public private(set) var isOver = false

    /// The lots before the newest that have a title of their own, oldest first.
    package private(set) var formerLots: [Lot] = []

    /// How the lots ended, by their numbers.
    public private(set) var results: [LotResult] = []

    /// How the newest lot ended; nil while it is open, and between `hammered` and `lotSold`.
    @Indirect package private(set) var result: LotResult?

    /// The newest news, since the newest segment of the journal began.
    package private(set) var recentNews = RecentNews(after: 0)

    /// The names that are owned, and which of their owners are present.
    package private(set) var names = Names()

    /// The names that were kicked, and when each may be taken again, in milliseconds since 1970.
    package private(set) var bars: [Bidder: Int64] = [:]

    /// The lots added after those of the catalogue, oldest first, including those that opened.
    package private(set) var added: [LotPlan] = []

    /// The titles of lots that were renamed before they opened, by their numbers.
    package private(set) var titles: [Int: String] = [:]

    /// The options that the auctioneer has set; nil for those that the sale was opened with.
    package var setOptions: RoomOptions? { setOptionsBox?.wrappedValue }
    /// An `@Indirect` property would allocate memory also for nil.
    private var setOptionsBox: Indirect<RoomOptions>?

    /// The newest round of the class that the sale leads; nil before the first.
    package private(set) var drawnRound: DrawnRound?

    /// The number of the game, which a rematch raises.
    package private(set) var games = 1

    /// The number of the first lot of the game.
    package private(set) var firstLot = 1

    /// The most games of a series, over which points are added up.
    private static let longestSeries = 5

    /// The number of the game in its series, from 1.
    var gamesOfSeries: Int { (games - 1) % Self.longestSeries + 1 }

    /// Whether the sale waits for its start, which was told.
    ///
    /// Stored, because each event asks this: a call into another module would copy the sale.
    package private(set) var isWaiting = false

    /// How many bidders were present when that was told last.
    package private(set) var toldPeople = 0

    /// The names that cannot say anything.
    package private(set) var muted: Set<Bidder> = []

    /// Whether another name can be muted: at most `mostKept` are.
    package var mayMuteMore: Bool { muted.count < Self.mostKept }

    /// What everybody who takes part has won and paid.
    package private(set) var ledger: Ledger

    /// The champions of an ended sale that were not named yet.
    private(set) var unnamedChampions: ArraySlice<Tally> = []

    /// The awards of the lots that have ended.
    private(set) var awards = Awards()

    /// Whether the profits are told before the end of the sale.
    private var showsProfits = false

    /// What the newest lot is worth.
    package private(set) var valuations = Valuations()

    /// The terms and the reserve of the next lot to open; nil if they are those of the sale.
    @Indirect private var plan: (terms: Terms, reserve: Price?)?

    /// Whether the next lot to open has terms of its own.
    package var hasPlan: Bool { plan != nil }

    /// Whether the newest lot has terms of its own, which are announced.
    @usableFromInline package private(set) var isPlanned = false

    /// The time of day that was noted last, in milliseconds since 1970; nil before the first.
    package private(set) var time: Int64?

    /// The numbers of the events that still hold.
    package private(set) var numbers = Numbers()

    /// The whole seconds that were sent last; nil until some are.
    private(set) var secondsLeft: Int?

    /// The warning that was given in this countdown; nil after a restart of the server.
    private(set) var warning: Warning?

    /// How many results are kept, the newest.
    let mostResults: Int

    /// Begins before the first event.
    ///
    /// If `keepsHistory`, all results are kept; otherwise the newest `mostKept(in: room)`.
    public init(rules: Rules, in room: RoomName = .main, keepsHistory: Bool = false) {
        self.rules = rules.plain
        mostResults = keepsHistory ? .max : Self.mostKept(in: room)
        ledger = Ledger(most: Self.mostKept(in: room))
        auction = Auction(Lot(number: 0), rules: rules, openedAt: Self.restoring)
        auction.apply(auction.passing(reason: .closed, at: Self.restoring), at: Self.restoring)
    }

    /// Whether a lot has opened yet.
    public var hasLot: Bool { auction.lot.number > 0 }

    /// Whether nobody is present, and there is no bid of any kind, nor was there one.
    ///
    /// Names that are kept only until the lot has ended do not count: anybody can leave them.
    package var isUnused: Bool {
        // The standings of a sale that is over keep those who have left without a bid.
        let hasBids =
            isOver ? ledger.hasWinner || names.longestAbsent != nil : !ledger.ranked.isEmpty
        return names.presentCount == 0 && !hasBids
            && (auction.isClosed || auction.sealedCount == 0)
    }

    /// The number of lots that have ended, which is the number of the newest of them.
    package var lotsEnded: Int { results.last?.lot.number ?? 0 }

    /// Whether the auctioneer ordered the hammer and the winner was not announced yet.
    package var isHammered: Bool { hasLot && auction.isClosed && result == nil }

    /// The numbers of the events that still hold, which a snapshot restates.
    package struct Numbers: Equatable {
        var waiting: Int?
        var lot: Int?
        var terms: Int?
        var price: Int?
        var ask: Int?
        var sealed: Int?
        var revealed: Int?
        var countdown: Int?
        var last: Int?
        var reserve: Int?
        var result: Int?
        var value: Int?
        var end: Int?
        var champions: [Champion] = []
        var awards: [Int] = []
        var pause: Int?
    }

    /// A champion as it was named, which a later change of the options does not change.
    struct Champion: Equatable {
        let number: Int
        let bidder: Bidder
        let score: Int64
    }

    /// Records an event.
    ///
    /// Total: an event that was decided once is never refused, so a journal can be replayed.
    package mutating func apply(_ event: SaleEvent, at now: Instant) {
        let isPublic = event.audience == .everyone
        if isPublic { eventNumber += 1 }
        auction.apply(event, at: now)
        switch event {
        case .lotOpened(let lot): open(lot, at: now)
        case .bidPlaced(let bid):
            noteBid(by: bid.bidder)
            numbers.price = eventNumber
            // A later bid of the last round does not reset the countdown.
            if !auction.isLast { warning = nil }
        case .lastReset: numbers.last = eventNumber
        case .secondsLeft(let seconds):
            // After a stall the countdown begins again.
            if seconds > secondsLeft ?? 0 { warning = nil }
            (secondsLeft, numbers.countdown) = (seconds, eventNumber)
        case .lotSold(let sold):
            let changes = tallies(of: sold)
            ledger.add(changes)
            awards.note(changes, from: auction)
            keep(close(with: .sold(sold.ofLot(auction.lot.number))))
        case .lotPassed(_, let reason, let elapsed):
            keep(close(with: .passed(reason: reason, elapsed: elapsed)))
        case .ended: end(at: now)
        case .paused: (numbers.pause, warning) = (eventNumber, nil)
        case .resumed: numbers.pause = nil
        case .bidVoided(let voided):
            numbers.price = voided.leading.map { _ in eventNumber }
            (numbers.countdown, numbers.reserve, warning) = (nil, nil, nil)
            if !auction.isLast { numbers.last = nil }
        case .bidderJoined(let bidder, _): join(bidder)
        case .displayNameSet(let bidder, let text): names.show(text, for: bidder)
        case .bidderLeft(let bidder): leave(bidder)
        case .saleBegan(let serverID): self.serverID = serverID
        case .nameTaken(let bidder, let hash): names.add(bidder, tokenHash: hash)
        case .nameFreed(let bidder):
            names.free(bidder)
            if !isOver { ledger.leave(bidder, isFreed: true) }
            valuations.leave(bidder, isForgotten: true)
        case .nameKept(let bidder): names.postpone(bidder, at: time ?? 0)
        case .nameBarred(let bidder, let end): bars[bidder] = end
        case .barEnded(let bidder): bars[bidder] = nil
        case .timeNoted(let time): self.time = time
        case .warned(let warning): self.warning = warning
        case .lotPlanned(let terms, let reserve): plan = (terms, reserve)
        case .termsAnnounced: numbers.terms = eventNumber
        case .askFell: numbers.ask = eventNumber
        case .bidsSealed: numbers.sealed = eventNumber
        case .bidRevealed(let bid):
            noteBid(by: bid.bidder)
            numbers.revealed = eventNumber
        // It bids at once, or after the restart if the server ends before that.
        case .maximumSet(let bidder, let maximum): if maximum != nil { noteBid(by: bidder) }
        case .reserveMet: numbers.reserve = eventNumber
        case .gameSet(let options): set(options)
        case .lotAdded(let plan): added.append(plan)
        case .lotRenamed(let lot): titles[lot.number] = lot.title
        case .optionsSet(let options): setOptionsBox = Indirect(wrappedValue: options)
        case .roundBegan(let round, let members):
            drawnRound = DrawnRound(round, members: members, after: drawnRound)
            (isWaiting, numbers.waiting) = (false, nil)
        case .memberDrawn(let bidder, let place):
            drawnRound?.draw(bidder, for: place)
            names.noteDraw(of: bidder)
        case .memberEarned(let tally):
            drawnRound?.noteResult(of: tally.bidder)
            if drawnRound?.round.isPractice == false { ledger.add([tally]) }
        case .waiting(let people):
            (toldPeople, numbers.waiting, isWaiting) = (people, eventNumber, true)
        case .rematchBegan(let games, let first): beginGame(games, firstLot: first)
        case .valueDrawn(let value): valuations.setCommon(value)
        case .worthDrawn(let worth): valuations.add(worth)
        case .valueRevealed:
            valuations.reveal()
            numbers.value = eventNumber
        case .championNamed(let bidder, let score):
            numbers.champions.append(Champion(number: eventNumber, bidder: bidder, score: score))
            unnamedChampions = unnamedChampions.dropFirst()
        case .awardGiven: numbers.awards.append(eventNumber)
        case .bidderMuted(let bidder): muted.insert(bidder)
        case .bidderUnmuted(let bidder): muted.remove(bidder)
        case .nextAnnounced, .hammered, .bidSealed, .bidderKicked, .stopped, .messageSaid, .reacted:
            break
        }
        guard isPublic else { return }
        if case .bidderJoined(let bidder, nil) = event {
            // The journal has the display name in another line.
            let display = names.display(of: bidder)
            recentNews.append(.bidderJoined(bidder, display: display), time: time)
        } else {
            recentNews.append(event, time: time)
        }
    }

    /// Whether `apply` can record an event: the subject of the event exists and has not ended.
    ///
    /// True for every decided event, which is asserted where events are committed. A line of a
    /// journal gets no other check, because it was decided before it was written. O(1).
    package func canApply(_ event: SaleEvent) -> Bool {
        switch event {
        case .lotOpened(let lot): lot.number > auction.lot.number
        case .lotPlanned(let terms, let reserve):
            Rules.problem(of: terms, reserve: reserve) == nil
        case .bidPlaced, .bidVoided: !auction.isClosed
        case .lotSold, .lotPassed: hasLot && result == nil
        case .nameTaken(let bidder, _): names[bidder]?.isPresent != true
        case .displayNameSet(let bidder, _): names[bidder] != nil
        case .rematchBegan(let games, let first): games > self.games && first > auction.lot.number
        case .valueDrawn(let value), .valueRevealed(let value): Valuations.amounts.contains(value)
        case .worthDrawn(let worth): Valuations.amounts.contains(worth.amount)
        case .lastReset, .secondsLeft, .warned, .nextAnnounced, .ended, .paused, .resumed,
            .hammered, .bidderKicked, .stopped, .bidderJoined, .bidderLeft, .termsAnnounced,
            .askFell, .bidsSealed, .bidRevealed, .reserveMet, .championNamed, .awardGiven,
            .messageSaid, .reacted, .waiting, .lotRenamed, .optionsSet, .roundBegan, .memberDrawn,
            .memberEarned, .saleBegan, .nameFreed,
            .nameKept,
            .nameBarred, .barEnded,
            .timeNoted, .gameSet, .lotAdded, .bidSealed, .maximumSet, .bidderMuted,
            .bidderUnmuted:
            true
        }
    }

    private mutating func set(_ options: GameOptions) {
        self.options = options
        ledger.keepsPayers = options.purse != nil
        let countsLeftover = options.countsLeftover && options.values != nil
        ledger.countedPurse = countsLeftover ? options.purse?.amount : nil
        updateRanking()
        if options.values != nil, hasLot, !auction.isClosed, valuations == Valuations() {
            valuations = Valuations(of: presentBidders)
        }
    }

    private var presentBidders: [Bidder] {
        options?.values == nil ? [] : names.presentBidders
    }

    private mutating func join(_ bidder: Bidder) {
        names.join(bidder)
        // The standings of a sale that is over do not change.
        if !isOver { ledger.enter(bidder) }
        if options?.values != nil, !auction.isClosed { valuations.join(bidder) }
    }

    private mutating func leave(_ bidder: Bidder) {
        let hasBid = names[bidder]?.hasBid == true
        names.leave(bidder, at: time ?? 0, isKept: keepsName(of: bidder))
        if !isOver, !hasBid { ledger.leave(bidder) }
        valuations.leave(bidder, isForgotten: names[bidder] == nil)
    }

    /// Whether a name stays owned when its owner leaves.
    package func keepsName(of bidder: Bidder) -> Bool {
        keepsNames || names[bidder]?.hasBid == true
    }

    /// Whether all names are kept until the lot has ended.
    ///
    /// Any of them may have a sealed bid, and a name that becomes free would tell that it has none.
    /// And a value of the lot belongs to its bidder: the next owner of the name would get the same.
    package var keepsNames: Bool {
        !auction.isClosed && (auction.rules.format.isSealed || options?.values != nil)
    }

    private mutating func updateRanking() {
        ledger.ranksByProfit = options?.values != nil && tellsProfits
    }

    /// Whether everybody may know the profits, from which the values of the winners follow.
    package var tellsProfits: Bool { isOver || showsProfits }

    /// Chooses whether the profits are told before the end of the sale.
    package mutating func showProfits(_ shows: Bool) {
        showsProfits = shows
        updateRanking()
    }

    /// Whether a bidder has bid on the newest lot; this also tells of secret bids.
    package func hasOffered(_ bidder: Bidder) -> Bool {
        names[bidder]?.lot == auction.lot.number || auction.sealedBid(of: bidder) != nil
    }

    private mutating func noteBid(by bidder: Bidder) {
        let isFirst = names.noteBid(by: bidder, in: auction.lot.number)
        if isFirst { ledger.enter(bidder) }
    }

    private mutating func open(_ lot: Lot, at now: Instant) {
        begin(lot, at: now)
        valuations = Valuations(of: presentBidders)
        if isOver { reopen() }
        numbers = Numbers(lot: eventNumber)
    }

    /// Makes a lot the newest.
    private mutating func begin(_ lot: Lot, at now: Instant) {
        noteFormerLot()
        isPlanned = plan != nil
        let own = plan.take().map { rules.with($0.terms, reserve: $0.reserve) }
        auction = Auction(lot, rules: own ?? rules, openedAt: now)
        (result, secondsLeft, isWaiting) = (nil, nil, false)
    }

    /// Reopens the sale for lots added after its end.
    ///
    /// Everybody who is present takes part, and nobody who has left after the end without a bid. The
    /// names of those who have paid could be freed since the end, so there may be too many of these.
    private mutating func reopen() {
        (isOver, unnamedChampions) = (false, [])
        ledger.keep { [names] in names[$0].map { $0.isPresent || $0.hasBid } ?? false }
        for bidder in names.presentBidders { ledger.enter(bidder) }
        updateRanking()
    }

    /// Begins a game of the series, or after its last game another series.
    private mutating func beginGame(_ number: Int, firstLot first: Int) {
        var points = earnedPoints
        // The next game has the same lots, but not those that were added.
        (titles, added) = ([:], [])
        for tally in ledger.ranked { points[tally.bidder, default: 0] += tally.points }
        (games, firstLot) = (number, first)
        if gamesOfSeries == 1 { points = [:] }
        (isOver, unnamedChampions) = (false, [])
        (numbers.end, numbers.champions, numbers.awards) = (nil, [], [])
        awards = Awards()
        ledger.begin(points: points) { [names] in names[$0]?.isPresent == true }
        for bidder in names.presentBidders { ledger.enter(bidder) }
        updateRanking()
    }

    private mutating func noteFormerLot() {
        guard auction.lot != Lot(number: auction.lot.number) else { return }
        if formerLots.count >= 2 * Self.mostKept { formerLots.removeFirst(Self.mostKept) }
        formerLots.append(auction.lot)
    }

    /// Ends the newest lot, and returns its result.
    private mutating func close(with outcome: LotResult.Outcome) -> LotResult {
        numbers = Numbers(result: eventNumber, pause: numbers.pause)
        warning = nil
        let ended = LotResult(auction.lot, outcome, number: eventNumber, time: time ?? 0)
        result = ended
        return ended
    }

    private mutating func keep(_ ended: LotResult) {
        if results.count / 2 >= mostResults { results.removeFirst(mostResults) }
        results.append(ended)
    }

    /// What the newest lot has brought its bidders; empty if it was not sold, or has not ended.
    package var newestTallies: [Tally] {
        guard case .sold(let sold)? = result?.outcome else { return [] }
        return tallies(of: sold)
    }

    /// What the lot has brought its bidders: the winner, and if others pay as well all of them.
    private func tallies(of sold: SoldLot) -> [Tally] {
        func tally(_ bidder: Bidder, lots: Int, pays price: Int64) -> Tally {
            let value = valuations.value(for: bidder).map { lots > 0 ? $0 : 0 }
            let profit = value.map { $0.addingClamped(-price) }
            return Tally(bidder: bidder, lots: lots, spent: price, profit: profit ?? 0)
        }
        let others = auction.payments.filter { $0.bidder != sold.bidder }
        return [tally(sold.bidder, lots: 1, pays: sold.price.amount)]
            + others.map { tally($0.bidder, lots: 0, pays: $0.price.amount) }
    }

    private mutating func end(at now: Instant) {
        isOver = true
        updateRanking()
        unnamedChampions = best[...]
        if auction.isPaused { auction.apply(.resumed, at: now) }
        (numbers.end, numbers.pause) = (eventNumber, nil)
    }

    /// Continues after a restart, with these rules.
    ///
    /// Nobody could bid meanwhile, so an open lot with a leader gets the full seconds.
    package mutating func resume(with rules: Rules, at now: Instant) {
        self.rules = rules.plain
        warning = nil
        let own = auction.rules
        auction.resume(
            with: isPlanned ? self.rules.with(own.terms, reserve: own.reserve) : self.rules,
            at: now)
    }

    /// Starts the countdown of a lot that begins with its opening, because a bidder is present.
    package mutating func startCountdown(at now: Instant) {
        auction.start(at: now)
    }

    /// Sets the countdown to the seconds that were announced by the server that decides the lot.
    package mutating func follow(secondsLeft seconds: Int, at now: Instant) {
        auction.follow(secondsLeft: seconds, at: now)
    }

    /// Moves the deadline so that at least `remaining` is left at an instant.
    package mutating func postponeDeadline(toLeave remaining: Duration, at now: Instant) {
        auction.postponeDeadline(toLeave: remaining, at: now)
    }

    /// The sale without its recent news, of which `state` has nothing.
    ///
    /// Nearly every event adds news, so the first one after a plain copy would copy all of it.
    package var withoutRecentNews: Sale {
        var sale = self
        sale.recentNews = RecentNews(after: eventNumber)
        return sale
    }
}

/// Reads the state at the beginning of a segment of the journal, which `state` writes.
extension Sale {
    /// Reads the next line of a state; false if it is invalid there.
    ///
    /// Most lines are events that still hold. They are applied again, under their numbers.
    mutating func restore(_ record: Record, number: Int?) -> Bool {
        switch record {
        case .event(let event): return restore(event, number: number)
        case .name(let bidder, let hash, let used, let hasBid):
            guard names[bidder] == nil else { return false }
            names.add(bidder, tokenHash: hash)
            names.restoreAbsent(bidder, used: used ?? time ?? 0, hasBid: hasBid)
        case .present(let bidder): names.join(bidder)
        case .tally(let tally):
            guard tally.isPossible else { return false }
            ledger.set(tally)
        case .award(let award): awards.enter(award)
        case .bid(let bid):
            auction.apply(.bidPlaced(bid), at: Self.restoring)
            // After the lot has ended, the name may be free or have another owner.
            if numbers.lot != nil { names.noteBid(by: bid.bidder, in: auction.lot.number) }
        case .result(let ended):
            if ended.lot.number == result?.lot.number { result = ended }
            keep(ended)
        case .room, .roomOpened, .roomEnded, .roomState: return false
        }
        return true
    }

    private mutating func restore(_ event: SaleEvent, number: Int?) -> Bool {
        guard canApply(event) else { return false }
        switch (event, number) {
        // A lot without a number has ended, so nothing that its opening began still holds.
        case (.lotOpened(let lot), nil):
            begin(lot, at: Self.restoring)
            numbers = Numbers()
        case (.displayNameSet(let bidder, let text), nil): names.show(text, for: bidder)
        // The points are in the tallies.
        case (.rematchBegan(let games, let first), nil): (self.games, firstLot) = (games, first)
        // The gains of the bidders are in their tallies, and the result is a line of its own.
        case (.lotSold(let sold), let number?):
            eventNumber = number
            auction.apply(event, at: Self.restoring)
            _ = close(with: .sold(sold.ofLot(auction.lot.number)))
        case (.lotPassed(_, let reason, let elapsed), let number?):
            eventNumber = number
            auction.apply(event, at: Self.restoring)
            _ = close(with: .passed(reason: reason, elapsed: elapsed))
        case (_, let number):
            if let number { eventNumber = number - 1 }
            noteRestatedBid(event)
            apply(event, at: Self.restoring)
        }
        return true
    }

    /// Notes the bidder of an event before it is applied, so that it is not the first bid in the lot.
    ///
    /// The tallies say who takes part. A full ledger may have refused the bidder, and have room now.
    private mutating func noteRestatedBid(_ event: SaleEvent) {
        let lot = auction.lot.number
        if case .maximumSet(let bidder, _?) = event { names.noteBid(by: bidder, in: lot) }
        if case .bidRevealed(let bid) = event { names.noteBid(by: bid.bidder, in: lot) }
    }

    /// Ends the state of a sale that has had this number of news.
    mutating func endState(news: Int) {
        eventNumber = news
        recentNews = RecentNews(after: news)
        valuations.forgetDrawn()
        unnamedChampions = []
    }

    /// Adds the results of earlier segments before those of the state.
    mutating func add(earlierResults: [LotResult]) {
        let first = results.first?.lot.number ?? .max
        results = earlierResults.prefix { $0.lot.number < first } + results
    }

    /// The instant of every recovered event, because a journal has no monotonic time.
    ///
    /// `resume` sets the times.
    static let restoring = Instant(nanoseconds: 0)
}
