import Auction
import Basics
import Wire

/// One room: its sale, which opens and ends its lots by itself, and who follows it.
///
/// It commits what was decided and what follows from it: records it in the `Sale`, and appends it
/// to the effects of the turn. Connections, names and their limits belong to the server.
struct Room {
    /// The number of entries of a list if no range was requested: the newest.
    private static let newestEntries = 20
    /// The fewest bidders for whom a shared purse is computed.
    private static let fewestBidders = 2

    /// Its identity.
    let id: RoomID
    /// Its name.
    let name: RoomName
    /// How it was opened; nil for `main`.
    let opening: Opening?
    /// The recorded state.
    private(set) var sale: Sale
    /// What the sale was opened with; its auctioneer may have set other options.
    private let opened: (rules: Rules, catalogue: Catalogue, seed: Seed?)
    /// The key of the draws if neither the options nor the journal have one.
    private let newSeed: Seed
    /// The options of `main`, with which the server was started; nil for any other room.
    private let mainOptions: Indirect<RoomOptions>?
    /// The rules of a lot without options of its own.
    private var rules: Rules
    private var schedule: LotSchedule
    private var countdown: SentCountdown
    /// Whether a lot has ended, and what follows is not planned yet.
    private var isNextLotDue = false
    /// The number of bids that were voided since the start.
    private(set) var voidCount = 0
    private var lines = PrivateLines()
    private var sent = SentState()
    /// The standings, until something happens.
    private var standings: [StandingsRow]?
    /// The number of bids, purchases and maxima that were accepted in it since the start.
    ///
    /// Secret ones count when their lot has ended.
    private(set) var bidsAccepted = 0

    /// The number of connections that follow its news.
    private(set) var followers = 0
    /// The number of connections that follow its news at other nodes, as far as is known.
    var followersElsewhere = 0 {
        didSet { if followersElsewhere > 0 { departure = nil } }
    }
    /// When the room ends unless somebody enters it; nil while somebody is in it, and for `main`.
    private var end: Instant?
    /// How long nobody may be in it; nil for ever.
    private let idleTime: Duration?
    /// Whether a class opens its lots, instead of the room itself.
    let isLed: Bool
    /// Who decides in it; changes when another node takes it over.
    private(set) var owner: Owner
    /// The number of the departure after which it may give way to a new room; nil if it may not.
    private(set) var departure: Int?

    /// The node that decides what happens in a room; all other nodes follow its log.
    enum Owner: Equatable {
        /// This server, or this node.
        case here
        /// The node with this name.
        case node(String)
        /// No node yet.
        case nobody
    }

    /// How a room was opened.
    struct Opening {
        /// The hash of the key that makes a connection the room's auctioneer.
        let keyHash: TokenHash
        /// The identity of the sale, which distinguishes rooms that had the same name.
        var sale: Identity { Identity(ofSaleWithKey: keyHash) }
        /// Its options, as the journal has them.
        let options: RoomOptions
        /// The address from which it was opened; nil if that is not known any more.
        let origin: PeerAddress?
    }

    /// What a room is made of.
    struct Plan {
        /// Its identity.
        var id = RoomID.main
        /// Its name.
        var name = RoomName.main
        /// How it is opened; nil for `main`.
        var opening: Opening?
        /// The rules of a lot without options.
        let rules: Rules
        /// Its lots.
        let catalogue: Catalogue
        /// Its purses and values.
        let game: GameSettings
        /// The key of the draws if neither the game nor the journal has one.
        let newSeed: Seed
        /// The sale that was recovered from its journal, if there is one.
        let recovered: Sale?
        /// How long nobody may be in it; nil for ever.
        let idleTime: Duration?
        /// Whether a class opens its lots.
        var isLed = false
        /// Who decides in it.
        var owner = Owner.here
    }

    /// Makes a room in which no lot is open yet, or continues one; `start` follows.
    init(_ plan: Plan, at now: Instant) {
        (id, name, opening, rules) = (plan.id, plan.name, plan.opening, plan.rules)
        var game = plan.game
        game.options.lot = LotOptions(of: rules)
        game.options.pause = plan.catalogue.pause
        opened = (plan.rules, plan.catalogue, game.seed)
        mainOptions = opening == nil ? Indirect(wrappedValue: game.options) : nil
        sale = plan.recovered ?? Sale(rules: rules, in: name)
        schedule = LotSchedule(plan.catalogue, in: id)
        countdown = SentCountdown(seconds: plan.rules.seconds)
        (idleTime, isLed, newSeed) = (plan.idleTime, plan.isLed, plan.newSeed)
        owner = plan.owner
        resume(at: now)
        waitForFollowers(at: now)
    }

    /// Continues the sale that was recovered, without a countdown that was sent.
    private mutating func resume(at now: Instant) {
        sale.resume(with: rules, at: now)
        countdown = SentCountdown(seconds: sale.auction.rules.seconds)
        followOptions()
    }

    // What it is like

    /// The state of the sale in one line.
    var row: RoomRow {
        RoomRow(
            name: name, people: followers + followersElsewhere, lot: sale.auction.lot.number,
            format: sale.auction.rules.format,
            title: sale.auction.lot.title)
    }

    /// The state from which it can continue; O(1).
    var state: RoomState { RoomState(self) }

    /// The number of lots of the game; nil if the lots never end.
    private var lotsOfGame: Int? { lastLot.map { $0 - sale.firstLot + 1 } }

    /// The number of the last lot; nil if the lots never end, or a class opens them.
    private var lastLot: Int? { isLed ? nil : schedule.lastLot }

    /// When the next lot opens; nil while one is open, or none is planned.
    var nextOpening: Instant? { schedule.opening }

    /// The titles of the next lots, in order; nil if the lots never end.
    var titlesAhead: [String]? {
        schedule.lastLot.map { schedule.titles(after: sale.auction.lot.number, atMost: $0) }
    }

    // The start

    /// Starts the sale, or continues it after a restart: opens the next lot if it is due.
    ///
    /// No owner of a name is connected yet. A kicked name is barred for `kick` at most, because the
    /// clock may have been changed.
    mutating func start(serverID: Identity, kick: Duration, _ turn: inout Turn) {
        releaseNames(barredFor: kick, &turn)
        if sale.serverID == nil { commit(.saleBegan(serverID), &turn) }
        // A class draws the lots of the room as its rounds say.
        if !isLed || sale.options == nil { setGame(after: sale.options, &turn) }
        schedule.follow(sale)
        continueLots(&turn)
        // The start may have ended the lot, or left it without values.
        freeWaitingNames(&turn)
    }

    // Other nodes

    /// Whether this node decides what happens in it.
    var isOwned: Bool { owner == .here }

    /// Notes that a node decides in it from now on, which is not this one.
    mutating func follow(owner: Owner) {
        self.owner = owner
    }

    /// Notes that another node has taken the room over, which continues it as after a restart.
    mutating func follow(newOwner owner: Owner, at now: Instant) {
        follow(owner: owner)
        resume(at: now)
        schedule.follow(sale)
    }

    /// Takes the room over, as after a restart of the server.
    mutating func takeOver(serverID: Identity, kick: Duration, _ turn: inout Turn) {
        owner = .here
        // As after a restart, people have time to come back.
        waitForFollowers(at: turn.now)
        resume(at: turn.now)
        start(serverID: serverID, kick: kick, &turn)
    }

    /// Applies an event that the owner has decided.
    mutating func follow(_ followed: SaleEvent, _ turn: inout Turn) {
        var event = followed
        // The text of the event does not have the number of the lot.
        if case .lotSold(let sold) = event {
            event = .lotSold(sold.ofLot(sale.auction.lot.number))
        }
        sale.apply(event, at: turn.now)
        standings = nil
        if case .bidVoided = event { voidCount += 1 }
        if case .secondsLeft(let seconds) = event {
            sale.follow(secondsLeft: seconds, at: turn.now)
        }
        if case .optionsSet = event { followOptions() }
        schedule.update(after: sale)
        if case .paused = event { schedule.cancel() }
        if case .nextAnnounced = event, let plan = schedule.plan(after: sale.auction.lot.number) {
            schedule.planOpening(of: plan, afterPauseFrom: turn.now)
        }
        emit(event, &turn)
    }

    private mutating func releaseNames(barredFor kick: Duration, _ turn: inout Turn) {
        for bidder in sale.names.presentBidders { commit(.bidderLeft(bidder), &turn) }
        for bidder in sale.names.pending { commit(.nameFreed(bidder), &turn) }
        freeWaitingNames(&turn)
        let latest = turn.clock.sinceStart(at: turn.now.advanced(by: kick))
        let bars = sale.bars.sorted { $0.key.description < $1.key.description }
        for (bidder, end) in bars where end > latest {
            commit(.nameBarred(bidder, until: latest), &turn)
        }
    }

    /// Frees the names that were kept only until the lot has ended, if it has.
    private mutating func freeWaitingNames(_ turn: inout Turn) {
        guard !sale.keepsNames else { return }
        for bidder in sale.names.allWaiting { commit(.nameFreed(bidder), &turn) }
    }

    // The options

    /// The options with which the sale was opened.
    private var openedOptions: RoomOptions {
        opening?.options ?? mainOptions?.wrappedValue ?? RoomOptions()
    }

    /// The options of the sale, which its auctioneer may have set.
    private var options: RoomOptions { sale.setOptions ?? openedOptions }

    /// Follows the options; `setGame` and `schedule.follow` come next.
    private mutating func followOptions() {
        let options = options
        // Those that a journal has were checked when they were chosen, against the flags of then.
        rules = (try? options.rules(opened.rules)) ?? opened.rules
        schedule.replace(with: catalogue(of: options), namesLots: options.isNamed)
        sale.showProfits(options.showsProfits)
    }

    /// The lots with these options: those with which the sale was opened, unless their number changes.
    private func catalogue(of options: RoomOptions) -> Catalogue {
        var catalogue = opened.catalogue
        if options.lots != openedOptions.lots { catalogue = options.catalogue }
        catalogue.pause = options.pause ?? catalogue.pause
        return catalogue
    }

    /// Sets the purses and values of the options; `former` are those of before.
    private mutating func setGame(after former: GameOptions?, _ turn: inout Turn) {
        let (options, seed) = (options, opened.seed ?? former?.seed)
        guard options.isGame || options.isNamed || former != nil else { return }
        let game = GameOptions(
            purse: options.sharesPurse ? former?.purse : options.purse, values: options.values,
            seed: seed ?? newSeed, countsLeftover: options.countsLeftover)
        if game != sale.options { commit(.gameSet(game), &turn) }
    }

    /// Returns the options with these changes.
    ///
    /// - Throws: Why the options are not allowed.
    func options(after changes: OptionChanges) throws(OptionProblem) -> RoomOptions {
        let changed = try changes.applied(to: options)
            .resolved(with: opened.rules, pause: opened.catalogue.pause)
        _ = try changed.rules(opened.rules)
        let hasEnd = !catalogue(of: changed).isEndless
        if let problem = changed.conflictOfPurse(hasEnd: hasEnd) { throw problem }
        return changed
    }

    /// Sets options that `options(after:)` returned, while the sale waits for its start.
    mutating func set(_ options: RoomOptions, _ turn: inout Turn) {
        commit(.optionsSet(options), &turn)
        followOptions()
        // A purse of before must not stay when the purse is computed from now on.
        let former = sale.options
        setGame(after: former.map { GameOptions(values: $0.values, seed: $0.seed) }, &turn)
        schedule.follow(sale)
        tellBidders(&turn)
    }

    /// Continues with the lots of a recovered sale, or opens the first.
    private mutating func continueLots(_ turn: inout Turn) {
        guard sale.hasLot else {
            // A new journal, or one that ended before the first lot opened.
            if options.waits {
                if !sale.isWaiting, sale.drawnRound == nil { tellBidders(&turn) }
            } else if !isLed {
                openNextLot(&turn)
            }
            return
        }
        if sale.isHammered { showCountdown(after: turn.now, &turn) }
        let wasOver = sale.isOver
        isNextLotDue = sale.auction.isClosed && !sale.isHammered && !sale.isOver
        settle(&turn)
        if sale.auction.deadline != nil {
            beginCountdown(after: sale.eventNumber, &turn)
        } else if wasOver, !isLed, schedule.plan(after: sale.auction.lot.number) != nil {
            openNextLot(&turn)
        }
    }

    // Time

    /// When `expire` is next due; nil if only input can change anything.
    ///
    /// Mutating, so that it is asked where it is stored: a getter would copy the room out of there.
    mutating func nextDeadline() -> Instant? {
        guard isOwned else { return nil }
        guard let hammer = sale.auction.deadline else {
            return Instant.earliest(schedule.opening, end)
        }
        guard let change = countdown.nextChange(before: hammer) else { return end }
        return Instant.earliest(Instant.earliest(change, sale.auction.nextFall), end)
    }

    /// Does what is due, and returns whether the room ends.
    ///
    /// It ends if nobody has been in it for its idle time and no countdown runs. While one runs,
    /// the room is checked again later. Sealed bids that have waited since a restart for a bidder
    /// get their countdown now: bids that were confirmed are not lost.
    mutating func expire(_ turn: inout Turn) -> Bool {
        guard isOwned else { return false }
        expireLots(&turn)
        guard let end, end <= turn.handledUntil else { return false }
        decideSealedBids(&turn)
        guard sale.auction.deadline != nil || followersElsewhere > 0 else { return true }
        waitForFollowers(at: turn.now)
        return false
    }

    private mutating func expireLots(_ turn: inout Turn) {
        if let deadline = sale.auction.deadline {
            guard countdown.isRunning else { return }
            guard !countdown.hasMissed(at: turn.handledUntil, before: deadline) else {
                return restartCountdown(before: deadline, &turn)
            }
            tellDueTimes(&turn)
            if let event = try? sale.auction.decide(.expire, at: turn.handledUntil) {
                commitAndSettle(event, &turn)
            }
        } else if !isLed, let opening = schedule.opening, opening <= turn.handledUntil {
            openNextLot(&turn)
        }
    }

    /// Commits the asking price and the second that are due.
    ///
    /// At most one of each: the next begins only when this one is published. The asking price
    /// comes first, because it can move the deadline to which the seconds count down.
    private mutating func tellDueTimes(_ turn: inout Turn) {
        if let fall = sale.auction.nextFall, fall <= turn.handledUntil,
            let deadline = sale.auction.deadline,
            let price = sale.auction.nextAsk
        {
            tell(.askFell(price), leaving: fall.duration(to: deadline), &turn)
        }
        guard let deadline = sale.auction.deadline else { return }
        let due = countdown.shownEnd(before: deadline)
        guard due <= turn.handledUntil else { return }
        if let number = showCountdown(after: turn.handledUntil, &turn) {
            countdown.note(number, due: due)
        }
    }

    /// Commits an event that tells the remaining time, and returns its number.
    ///
    /// At least that time, less the tolerance, is left now and again when the event is published.
    @discardableResult
    private mutating func tell(
        _ event: SaleEvent, leaving remaining: Duration, _ turn: inout Turn
    ) -> Int {
        let least = remaining - SentCountdown.tolerance
        guard least > .zero else { return commit(event, &turn) }
        sale.postponeDeadline(toLeave: least, at: turn.now)
        let number = commit(event, &turn)
        countdown.tell(least, in: number)
        return number
    }

    /// Starts the clock for the times that the news up to this number tells, which was published.
    mutating func startClock(ofNewsUpTo seq: Int, _ turn: inout Turn) {
        if let due = countdown.popSecond(publishedUpTo: seq) {
            turn.metrics.countdownLateness.record(turn.now.nanoseconds - due.nanoseconds)
        }
        if let remaining = countdown.popTime(publishedUpTo: seq) {
            sale.postponeDeadline(toLeave: remaining, at: turn.now)
        }
    }

    /// Starts the countdown of a lot that begins at its opening, once a bidder is present.
    private mutating func startCountdown(_ turn: inout Turn) {
        // Each bid comes here, so what rules most of them out is first.
        guard sale.auction.deadline == nil, !sale.auction.isStarted, !sale.auction.isClosed,
            sale.auction.rules.format.beginsAtOpening, sale.names.presentCount > 0
        else { return }
        start(&turn)
    }

    /// Starts the countdown of a lot with sealed bids that waits for a bidder after a restart.
    private mutating func decideSealedBids(_ turn: inout Turn) {
        guard sale.auction.sealedCount > 0, !sale.auction.isStarted, !sale.auction.isClosed,
            !sale.auction.isPaused
        else { return }
        start(&turn)
    }

    private mutating func start(_ turn: inout Turn) {
        sale.startCountdown(at: turn.now)
        beginCountdown(after: sale.eventNumber, &turn)
    }

    /// Lets the countdown begin when the event of this number is published, if one can run.
    ///
    /// Returns the number of the event with its seconds, unless they were sent last.
    @discardableResult
    private mutating func beginCountdown(after number: Int, _ turn: inout Turn) -> Int? {
        guard let remaining = sale.auction.remaining(at: turn.now) else { return nil }
        countdown.tell(remaining, in: number)
        return showCountdown(after: turn.now, &turn)
    }

    /// Commits the whole seconds that are left if they have changed, and returns the event's
    /// number.
    ///
    /// `instant` determines the seconds: it is in the past if a late server must not skip any. The
    /// remaining time is that of now.
    @discardableResult
    private mutating func showCountdown(after instant: Instant, _ turn: inout Turn) -> Int? {
        let remaining = sale.auction.remaining(at: instant) ?? .zero
        guard let seconds = countdown.show(remaining: remaining) else { return nil }
        let number = tell(
            .secondsLeft(seconds), leaving: .seconds(seconds), &turn)
        // Only where the price rises can a leader win by waiting.
        if sale.auction.rules.format.isRising, let warning = countdown.warning(at: seconds) {
            commit(.warned(warning), &turn)
        }
        return number
    }

    /// Restarts the countdown after a stall in which some of its seconds were not sent.
    private mutating func restartCountdown(before deadline: Instant, _ turn: inout Turn) {
        let missed = countdown.shownEnd(before: deadline)
        sale.postponeDeadline(toLeave: sale.auction.countdownLeft, at: turn.now)
        countdown.stop()
        if let number = beginCountdown(after: sale.eventNumber, &turn) {
            countdown.note(number, due: missed)
        }
    }

    // Commands

    /// Lets the rules decide an offer; the reply to its bidder precedes the news.
    ///
    /// With `lot` it is for the lot of that number only.
    mutating func offer(
        _ offer: Request.Offer, onLot lot: Int?, by sender: Sender, _ turn: inout Turn
    ) {
        // Whether nobody else may know of it before the lot has ended.
        let isSecret =
            switch offer {
            case .bid: !sale.isQuiet && sale.auction.rules.format.isSealed
            case .maximum: true
            case .take, .buy: false
            }
        if isSecret { turn.beginSecret(in: id) }
        defer { turn.endSecret() }
        guard let bidder = sender.bidder else { return turn.refuseBid(.notNamed, to: sender) }
        let command = offer.command(by: bidder)
        do throws(Auction.Refusal) {
            if let lot { try sale.auction.require(lot: lot) }
            let event = try decide(command, &turn)
            if !isSecret { bidsAccepted += 1 }
            // What buys the lot is answered as a purchase, with the price paid, and a maximum with
            // what is kept: one above the buy price counts as the buy price.
            let purchase = event.flatMap { sale.auction.purchase(by: $0, at: turn.now) }
            let answer: Answer
            if let purchase {
                answer = sale.auction.rules.format.verb == .take ? .take(purchase) : .buy(purchase)
            } else if case .bid(let price) = offer {
                answer = .bid(price)
            } else {
                // Without an event nothing has changed.
                answer = .maximum(event.map(\.offer?.price) ?? sale.auction.maximum(of: bidder))
            }
            turn.acceptBid(answer, verb: offer.verb, to: sender)
            if let event { commitAndSettle(event, &turn) }
        } catch {
            turn.refuseBid(ErrorReply(error, isOver: sale.isOver), to: sender)
        }
    }

    /// Sends a message of a bidder to everybody in the room.
    mutating func say(_ text: String, by sender: Sender, _ turn: inout Turn) {
        guard let bidder = speaker(sender, Limits.messageCost, &turn) else { return }
        turn.accept(.said, to: sender)
        turn.metrics.messages += 1
        commit(.messageSaid(bidder, text: text), &turn)
    }

    /// Shows a reaction of a bidder to everybody in the room.
    mutating func react(_ reaction: Reaction, by sender: Sender, _ turn: inout Turn) {
        guard let bidder = speaker(sender, 1, &turn) else { return }
        turn.accept(.reacted(reaction), to: sender)
        commit(.reacted(bidder, reaction), &turn)
    }

    /// Sets the display name of a bidder, or removes it; false if it is refused.
    mutating func display(_ text: String?, by sender: Sender, _ turn: inout Turn) -> Bool {
        guard let bidder = speaker(sender, Limits.messageCost, &turn) else { return false }
        if let text, sale.names.isOfAnother(text, than: bidder) {
            turn.refuse(.displayTaken, to: sender)
            return false
        }
        turn.accept(.displayed(text), to: sender)
        if sale.names.display(of: bidder) != text {
            commit(.displayNameSet(bidder, text: text ?? ""), &turn)
        }
        return true
    }

    /// The bidder, if it may say something to everybody now; else answers why not.
    private func speaker(_ sender: Sender, _ cost: Int, _ turn: inout Turn) -> Bidder? {
        guard let bidder = sender.bidder else {
            turn.refuse(.notNamed, to: sender)
            return nil
        }
        guard !sale.muted.contains(bidder) else {
            turn.refuse(.muted, to: sender)
            return nil
        }
        if let seconds = turn.rates.chargeMessage(of: bidder, cost, at: turn.now) {
            turn.note(.messages)
            turn.refuse(.tooManyMessages(seconds: seconds), to: sender)
            return nil
        }
        return bidder
    }

    // Long answers

    /// The accepted bids of the newest lot; nil means the newest 20.
    func laps(_ range: ListRange?) -> LongAnswer.Rest {
        .list(
            numbers(
                range, of: .laps(lot: sale.auction.lot.number, voids: voidCount),
                count: sale.auction.bidCount))
    }

    /// How the lots ended; nil means the newest 20.
    func results(_ range: ListRange?) -> LongAnswer.Rest {
        .list(numbers(range, of: .results, count: sale.lotsEnded))
    }

    /// The help, with the rule of the present lot.
    var help: LongAnswer.Rest {
        let lines = Help.lines(of: sale.auction.rules.format)
        return .lines(lines.map { .help($0) }, from: 0, then: .help)
    }

    /// Who is present.
    var whoIsPresent: LongAnswer.Rest {
        .who(after: 0, upTo: sale.names.lastNumber, listed: 0)
    }

    /// The standings as they are now.
    mutating func currentStandings() -> LongAnswer.Rest {
        let rows = standings ?? sale.standings
        standings = rows
        return .standings(rows, from: 0)
    }

    /// The number of the newest news.
    var newestNews: Int { sale.eventNumber }

    /// The news after a number; nil if there was none of that number.
    func news(after number: Int) -> LongAnswer.Rest? {
        guard number <= newestNews else { return nil }
        let left = number + 1..<newestNews + 1
        return .list(LongAnswer.Numbers(list: .news, left: left, count: left.count))
    }

    /// The requested part of a list that now has `count` entries.
    private func numbers(
        _ range: ListRange?, of list: LongAnswer.List, count: Int
    ) -> LongAnswer.Numbers {
        let first = min(range?.first ?? max(count - Self.newestEntries, 0) + 1, count + 1)
        let end = min(first + (range?.count ?? Self.newestEntries), count + 1)
        return LongAnswer.Numbers(list: list, left: first..<end, count: count)
    }

    // Decisions

    /// Returns the event that a command causes, if any.
    ///
    /// - Throws: Why the rules refuse it; `closed` also if the sale is over. After `outbid` the
    ///   maximum of the leader has raised the price to the amount of the command.
    mutating func decide(
        _ command: Auction.Command, _ turn: inout Turn
    ) throws(Auction.Refusal) -> SaleEvent? {
        guard !sale.isOver else { throw .closed }
        let event = try sale.auction.decide(command, at: turn.now)
        if let event, sale.options != nil { try sale.requirePurse(for: event) }
        guard !sale.auction.isQuiet,
            let (bid, refusal) = sale.auction.automaticBid(against: command, at: turn.now)
        else { return event }
        commitAndSettle(bid, &turn)
        throw refusal
    }

    /// Commits an event that was decided, and what follows from it.
    mutating func commitAndSettle(_ event: SaleEvent, _ turn: inout Turn) {
        carryOut(event, &turn)
        settle(&turn)
    }

    /// Commits the events that follow by themselves from what has happened.
    ///
    /// These are bids that the server makes, draws of values, the end of a lot that is won, the
    /// next lot, and the beginning of a countdown. What depends on time is left to `expire`.
    mutating func settle(_ turn: inout Turn) {
        assert(
            !sale.isQuiet || sale.dueEvent(at: turn.now) == nil, "nothing follows in a quiet lot")
        repeat {
            while !sale.isQuiet, let event = sale.dueEvent(at: turn.now) {
                if case .askFell = event { break }
                carryOut(event, &turn)
            }
        } while planNextLot(&turn)
        startCountdown(&turn)
    }

    /// Commits an event with what it does to the countdown and the next lot.
    private mutating func carryOut(_ event: SaleEvent, _ turn: inout Turn) {
        switch event {
        case .bidPlaced(let bid): placeBid(bid, &turn)
        case .paused:
            countdown.stop()
            schedule.cancel()
            commit(event, &turn)
        case .resumed: goOn(&turn)
        case .bidVoided(let voided): void(voided, &turn)
        case .hammered:
            commit(event, &turn)
            showCountdown(after: turn.now, &turn)
        case .lotSold:
            turn.metrics.lotsSold += 1
            endLot(with: event, &turn)
        case .lotPassed:
            turn.metrics.lotsPassed += 1
            endLot(with: event, &turn)
        case .lotOpened, .lastReset, .secondsLeft, .askFell, .warned, .nextAnnounced, .ended,
            .bidderKicked, .stopped, .bidderJoined, .bidderLeft, .termsAnnounced, .bidsSealed,
            .bidRevealed, .reserveMet, .valueRevealed, .championNamed, .awardGiven, .messageSaid,
            .reacted,
            .waiting, .rematchBegan, .displayNameSet, .worthDrawn,
            .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded, .timeNoted,
            .gameSet, .lotPlanned, .lotAdded, .lotRenamed, .optionsSet, .roundBegan, .memberDrawn,
            .memberEarned, .valueDrawn, .bidSealed,
            .maximumSet,
            .bidderMuted,
            .bidderUnmuted:
            commit(event, &turn)
        }
    }

    private mutating func placeBid(_ bid: Bid, _ turn: inout Turn) {
        let isReset = !sale.auction.isLast
        let number = commit(.bidPlaced(bid), &turn)
        // A bid that wins at once ends the countdown.
        if isReset { beginCountdown(after: number, &turn) }
    }

    /// Continues after a pause: a countdown or the time up to the next lot begins again.
    private mutating func goOn(_ turn: inout Turn) {
        let number = commit(.resumed, &turn)
        beginCountdown(after: number, &turn)
        if sale.auction.isClosed { isNextLotDue = true }
    }

    /// Takes the last bid back, and repeats the price before it.
    private mutating func void(_ voided: VoidedBid, _ turn: inout Turn) {
        countdown.stop()
        voidCount += 1
        commit(.bidVoided(voided), &turn)
        guard let leading = voided.leading else { return }
        let number = commit(.bidPlaced(leading), &turn)
        beginCountdown(after: number, &turn)
    }

    private mutating func endLot(with event: SaleEvent, _ turn: inout Turn) {
        countdown.stop()
        commit(event, &turn)
        bidsAccepted += turn.reveal(in: id)
        isNextLotDue = true
    }

    // Lots

    /// Whether an absent name stays owned, however long it was not used.
    ///
    /// A name that has bid on the open lot is kept, because it may lead again after a void. So is
    /// any name while the open lot has sealed bids or values, and one that has paid in a game,
    /// because what it has spent and earned still counts.
    func keepsUnused(_ account: Account) -> Bool {
        sale.keepsNames || !sale.auction.isClosed && account.lot == sale.auction.lot.number
            || sale.hasPaidInGame(account.bidder)
    }

    /// Why a lot cannot be added; nil if it can.
    func refusal(of plan: LotPlan) -> ErrorReply? {
        let most = Sale.mostKept(in: name)
        guard sale.added.count < most else {
            return .badOption("at most \(most) lots can be added to a sale")
        }
        do throws(OptionProblem) {
            _ = try plan.options.rules(rules)
            return nil
        } catch {
            return .badOption(error.description)
        }
    }

    /// Adds a lot after all others; a sale that is over continues with it.
    mutating func add(_ plan: LotPlan, _ turn: inout Turn) {
        commit(.lotAdded(plan), &turn)
        let number = sale.auction.lot.number
        schedule.append(plan, after: number)
        guard sale.isOver, schedule.opening == nil, let plan = schedule.plan(after: number) else {
            return
        }
        schedule.planOpening(of: plan, soonestAt: turn.now)
        if let opening = schedule.opening, opening <= turn.now { openNextLot(&turn) }
    }

    /// Plans the opening of the next lot after one has ended; false if none has.
    ///
    /// A paused sale waits, and one without a next lot is over.
    private mutating func planNextLot(_ turn: inout Turn) -> Bool {
        guard isNextLotDue else { return false }
        isNextLotDue = false
        guard !isLed else { return true }
        guard let plan = schedule.plan(after: sale.auction.lot.number) else {
            commit(.ended(lots: sale.auction.lot.number), &turn)
            return true
        }
        guard !sale.auction.isPaused else {
            schedule.cancel()
            return true
        }
        announce(plan, &turn)
        return true
    }

    /// Plans to open a lot after the pause, and announces it.
    mutating func announce(_ plan: LotPlan, _ turn: inout Turn) {
        schedule.planOpening(of: plan, afterPauseFrom: turn.now)
        let (seconds, rest) = schedule.pause.components
        guard seconds > 0 else { return }
        let announced = SaleEvent.nextAnnounced(
            title: plan.title, seconds: Int(seconds) + (rest > 0 ? 1 : 0))
        commit(announced, &turn)
    }

    // What a class does

    /// Cancels the opening that was announced.
    mutating func cancelOpening() {
        schedule.cancel()
    }

    /// Shows the lots to come.
    mutating func showLots(_ plans: [LotPlan]) {
        let none = Catalogue(untitled: 0, pause: schedule.pause)
        let lots = plans.isEmpty ? none : Catalogue(plans: plans, pause: schedule.pause)
        schedule.replace(with: lots, namesLots: false)
        schedule.follow(sale)
    }

    /// Opens a lot whose values are drawn as these options say.
    mutating func openLot(_ plan: LotPlan, _ game: GameOptions, _ turn: inout Turn) {
        if game != sale.options { commit(.gameSet(game), &turn) }
        open(plan, &turn)
    }

    /// Whether a lot is open for which no countdown runs, although the sale is not paused.
    var lacksCountdown: Bool {
        !sale.auction.isClosed && !sale.auction.isPaused && sale.auction.deadline == nil
    }

    /// Ends an open lot for which no countdown runs; one with sealed bids gets its countdown.
    mutating func endUnwantedLot(_ turn: inout Turn) {
        guard lacksCountdown else { return }
        decideSealedBids(&turn)
        guard sale.auction.deadline == nil else { return }
        commitAndSettle(sale.auction.passing(reason: .noBids, at: turn.now), &turn)
    }

    /// Carries out a command that changes nothing if the rules refuse it.
    mutating func obey(_ command: Auction.Command, _ turn: inout Turn) {
        guard let event = try? decide(command, &turn) else { return }
        commitAndSettle(event, &turn)
    }

    /// Ends the sale of a class: its champions are those who have earned the most.
    mutating func endClass(_ turn: inout Turn) {
        showLots([])
        commitAndSettle(.ended(lots: sale.drawnRound?.round.number ?? 0), &turn)
    }

    /// Gives a lot to come a title.
    mutating func rename(_ lot: Lot, _ turn: inout Turn) {
        commit(.lotRenamed(lot), &turn)
        schedule.rename(sale.titles, after: sale.auction.lot.number)
        if sale.isWaiting { tellBidders(&turn) }
    }

    /// Whether a lot to come has this number.
    ///
    /// Also false if the maximum number of titles is set.
    func hasLotToCome(_ number: Int) -> Bool {
        let (newest, most) = (sale.auction.lot.number, Sale.mostKept(in: name))
        let last = schedule.lastLot ?? newest + most
        return number > newest && number <= last && sale.titles.count < most
    }

    /// Whether another game can begin: the sale is over, and no lot that was added opens soon.
    var mayBeginRematch: Bool { sale.isOver && schedule.opening == nil }

    /// Begins another game with the same lots.
    mutating func beginRematch(_ turn: inout Turn) {
        let (newest, titles, former) = (sale.auction.lot.number, sale.titles, sale.firstLot)
        commit(.rematchBegan(games: sale.games + 1, firstLot: newest + 1), &turn)
        schedule.follow(sale)
        // Added lots are not repeated, so their titles must not go to other lots.
        for lot in newest + 1...(schedule.lastLot ?? newest + 1) {
            guard let title = titles[lot - newest - 1 + former] else { continue }
            commit(.lotRenamed(Lot(number: lot, title: title)), &turn)
        }
        schedule.rename(sale.titles, after: newest)
        // Now, because a restart before the lot opens would find nobody here.
        sharePurse(&turn)
        isNextLotDue = true
        settle(&turn)
    }

    /// Tells how many bidders are present while the sale waits.
    mutating func tellBidders(_ turn: inout Turn) {
        commit(.waiting(people: sale.names.presentCount), &turn)
    }

    /// Computes the purse before the first lot of a game, if it is shared.
    ///
    /// All bidders together can pay nine tenths of the mean value of the lots.
    private mutating func sharePurse(_ turn: inout Turn) {
        guard options.sharesPurse, sale.auction.lot.number + 1 == sale.firstLot,
            var game = sale.options, let range = game.values?.range,
            let lots = lotsOfGame
        else { return }
        let bidders = Int64(max(sale.names.presentCount, Self.fewestBidders))
        let amount = 9 * Int64(lots) * (range.lowerBound + range.upperBound) / (20 * bidders)
        game.purse = Price(min(max(amount, 1), Price.highest.amount))
        commit(.gameSet(game), &turn)
    }

    /// Opens the lot that is planned, or else the one after the newest, if there is one.
    mutating func openNextLot(_ turn: inout Turn) {
        if !sale.hasLot { sharePurse(&turn) }
        guard let plan = schedule.takeNext(after: sale.auction.lot.number) else { return }
        open(plan, &turn)
    }

    private mutating func open(_ plan: LotPlan, _ turn: inout Turn) {
        // Options that do not go together with changed flags are left out.
        let rules = (try? plan.options.rules(rules)) ?? rules
        // If the journal ends with a plan, the sale has one that must not apply to this lot.
        if rules != sale.rules || sale.hasPlan {
            commit(.lotPlanned(rules.terms, reserve: rules.reserve), &turn)
        }
        countdown.reset(seconds: rules.seconds)
        schedule.noteOpening(at: turn.now)
        let lot = Lot(number: sale.auction.lot.number + 1, title: plan.title)
        commit(.lotOpened(lot), &turn)
        settle(&turn)
    }

    // Commits

    /// Records an event and appends it to the outputs; returns the number of the last public event.
    @discardableResult
    mutating func commit(_ event: SaleEvent, _ turn: inout Turn) -> Int {
        noteTime(&turn)
        // Only in debug builds, because it costs a bid a tenth of its instructions.
        assert(sale.canApply(event), "an event that cannot be applied would ruin the log")
        sale.apply(event, at: turn.now)
        standings = nil
        turn.enter(id, name)
        emit(event, &turn)
        let number = sale.eventNumber
        if sale.isWaiting, sale.names.presentCount != sale.toldPeople { tellBidders(&turn) }
        return number
    }

    /// Emits an event that was applied, and what its bidders alone receive.
    private mutating func emit(_ event: SaleEvent, _ turn: inout Turn) {
        switch event.audience {
        case .everyone:
            let state = sent.isFollowed ? change(by: event, at: turn.now) : nil
            turn.emit(.news(event, state, room: id, seq: sale.eventNumber))
        case .bidder:
            turn.emit(.journal(event))
            if case .worthDrawn(let worth) = event { lines.send(worth, &turn) }
        case .journal: turn.emit(.journal(event))
        }
        lines.sendChanges(after: event, from: sale, &turn)
    }

    private mutating func change(by event: SaleEvent, at now: Instant) -> [UInt8]? {
        let isSecond = if case .secondsLeft = event { true } else { false }
        return sent.change(to: moment(at: now), isSecond: isSecond)
    }

    private func moment(at now: Instant) -> SentState.Moment {
        var state = sale.publicState(
            remaining: countdown.atLeastTold(sale.auction.remaining(at: now)), at: now)
        if sale.isWaiting { state.show(rules) }
        state.lots = lastLot
        state.next =
            sent.titles(after: state.lot, changes: schedule.changes)
            ?? schedule.titles(after: state.lot, atMost: LotState.mostTitles)
        state.nextOpening = schedule.opening.map { now.duration(to: $0) }
        return SentState.Moment(
            state: state, end: state.remaining == nil ? nil : sale.auction.deadline,
            opening: sale.auction.isClosed ? nil : sale.auction.openedAt,
            nextOpening: schedule.opening,
            changes: schedule.changes)
    }

    /// Records the time of day when its second has changed.
    private mutating func noteTime(_ turn: inout Turn) {
        let time = turn.clock.current(at: turn.now)
        guard sale.time.map({ $0 / 1000 != time / 1000 }) ?? true else { return }
        sale.apply(.timeNoted(time), at: turn.now)
        turn.enter(id, name)
        turn.emit(.journal(.timeNoted(time)))
        endBars(&turn)
    }

    /// Unblocks the kicked names whose time is over.
    private mutating func endBars(_ turn: inout Turn) {
        guard !sale.bars.isEmpty else { return }
        let time = turn.clock.sinceStart(at: turn.now)
        let ended = sale.bars.filter { $0.value <= time }.keys
        for bidder in ended.sorted(by: { $0.precedes($1) }) {
            commit(.barEnded(bidder), &turn)
        }
    }

    // Who is in it

    /// Lets a connection in: it receives the greeting and the snapshot, and then the news.
    ///
    /// The greeting tells the identity of the server, and the name of the node.
    mutating func enter(
        _ sender: Sender, of server: (id: Identity?, node: String?), _ turn: inout Turn
    ) {
        followers += 1
        (end, departure) = (nil, nil)
        addFollower(in: sender.encoding, at: turn.now)
        turn.emit(.follow(sender.id, room: id))
        turn.reply(
            .hello(
                seconds: sale.rules.seconds, step: sale.rules.step, serverID: server.id,
                room: name, sale: opening?.sale, node: server.node), to: sender.id)
        sendSnapshot(to: sender, &turn)
    }

    /// Notes that a connection no longer follows the news; an empty room ends after a while.
    mutating func leave(as encoding: Encoding, at now: Instant) {
        removeFollower(in: encoding)
        followers -= 1
        waitForFollowers(at: now)
    }

    /// Lets the room end after its idle time, if nobody is in it.
    private mutating func waitForFollowers(at now: Instant) {
        guard followers == 0, opening != nil else { return }
        end = idleTime.map { now.advanced(by: $0) }
    }

    /// Notes a departure, and returns whether the room may give way to a new one from now on.
    ///
    /// It may if nobody is in it and nobody has bid in it; `main` never may.
    mutating func mayGiveWay(afterDeparture number: Int) -> Bool {
        guard followers + followersElsewhere == 0, departure == nil, opening != nil, !isLed,
            isOwned, sale.isUnused
        else {
            return false
        }
        departure = number
        return true
    }

    /// Notes that a connection receives messages in another encoding.
    mutating func changeEncoding(of sender: Sender, to encoding: Encoding, at now: Instant) {
        addFollower(in: encoding, at: now)
        removeFollower(in: sender.encoding)
        guard let bidder = sender.bidder else { return }
        lines.connect(bidder, to: sender.id, in: encoding, from: sale)
    }

    /// Notes that a connection follows the sale in an encoding; in JSON, news has what it changes.
    private mutating func addFollower(in encoding: Encoding, at now: Instant) {
        guard encoding != .text else { return }
        sent.addFollower(knowing: sent.isFollowed ? nil : moment(at: now))
    }

    /// Notes that a connection follows the sale in an encoding no longer.
    private mutating func removeFollower(in encoding: Encoding) {
        if encoding != .text { sent.removeFollower() }
    }

    /// Notes which connection holds a name, and receives the bidder's private lines.
    ///
    /// Those of a connection of another node come from there, as that node follows the same log.
    mutating func connect(_ bidder: Bidder, to sender: Sender) {
        guard !sender.id.isRemote else { return }
        lines.connect(bidder, to: sender.id, in: sender.encoding, from: sale)
    }

    /// Notes that no connection holds a name.
    mutating func disconnect(_ bidder: Bidder) {
        lines.disconnect(bidder)
    }

    /// Sends the connection of a bidder what holds for the bidder alone: the purse, the worth, the
    /// bids.
    func sendPrivateState(of bidder: Bidder, _ turn: inout Turn) {
        lines.sendState(of: bidder, from: sale, &turn)
    }

    /// Sends a connection the terms of the game, if it is one, and the news that still holds.
    ///
    /// With `withRule`, the rule of the lot follows its terms.
    func sendSnapshot(to sender: Sender, withRule: Bool = false, _ turn: inout Turn) {
        let id = sender.id
        if let game = sale.publicGame(lots: lotsOfGame) {
            turn.reply(.game(game), to: id)
        }
        for (event, number) in sale.snapshot {
            turn.restate(.event(event), seq: number, to: id)
            guard withRule, case .termsAnnounced(let terms) = event else { continue }
            turn.reply(.help(Help.rule(of: terms.format)), to: id)
        }
        sendState(to: sender, &turn)
    }

    /// Sends a connection in JSON the whole state.
    func sendState(to sender: Sender, _ turn: inout Turn) {
        guard sender.encoding != .text else { return }
        let state = moment(at: turn.now).state.json(after: nil, clocks: .all) ?? []
        turn.restate(.state(state), seq: sale.eventNumber, to: sender.id)
    }
}

extension ErrorReply {
    /// The reply to a client that asks for news after a number that no news has.
    static func noSuchNews(newest: Int) -> ErrorReply {
        let usage = "resume NUMBER with a NUMBER up to \(newest), the newest"
        return ErrorReply(.badArguments(usage: usage))
    }
}

extension Request.Offer {
    /// The command to the auction.
    fileprivate func command(by bidder: Bidder) -> Auction.Command {
        switch self {
        case .bid(let price): .bid(price, by: bidder)
        case .take: .take(by: bidder)
        case .buy: .buy(by: bidder)
        case .maximum(let price): .setMaximum(price, by: bidder)
        }
    }
}

/// How a sale is played: its options, and the key of its draws.
public struct GameSettings: Equatable, Sendable {
    /// The options, with those of each lot.
    public var options: RoomOptions
    /// The key of the draws; nil for the one of before, or else a random one.
    public var seed: Seed?

    /// Creates the settings of a sale.
    public init(_ options: RoomOptions, seed: Seed? = nil) {
        (self.options, self.seed) = (options, seed)
    }
}
