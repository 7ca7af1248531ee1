import Auction
import House
import Wire

/// Compares what a server decides and publishes in one room with models of the room.
final class RoomReferee {
    let name: RoomName
    /// The words with which it was opened, which no other room has; empty for `main`.
    let id: String
    /// The hash of what makes a connection the room's auctioneer; nil for `main`.
    let keyHash: TokenHash?
    /// That key by the answer to its opener; nil if nobody is told it.
    var key: String?
    let options: RoomOptions
    /// The identity of the sale by the first greeting in it; nil before, and for `main`.
    var sale: Identity?
    /// The rules of a lot without options.
    let rules: Rules
    private let pause: Duration
    /// Whether a class opens its lots, and it stays.
    let isOfClass: Bool
    private unowned let oracle: Oracle

    /// The lots by what was decided, of which the newest may not be on the disk.
    private(set) var decided: LotRecord
    /// The number of the newest news that was decided, and that was published.
    private(set) var position = 0
    private(set) var published = 0
    /// After an earlier number news is gone: the server began with the event that follows it.
    private var firstRecalled = 1
    private var snapshot = SnapshotModel()
    private var times: LotTimes
    private(set) var game: GameReferee
    private(set) var names: NameBook
    /// Whether there ever was a bid that everybody knows of.
    private var hasBids = false
    /// Until when kicked names are refused; not known after a start.
    private(set) var kicked: [Bidder: Duration] = [:]
    /// All names that were ever kicked.
    private(set) var everKicked: Set<Bidder> = []

    /// Whether its opening, and its end, were published.
    var isOpeningPublished = false
    var isEndPublished = false
    private(set) var hasEnded = false
    /// How many connections are in it, and since when there is none.
    private(set) var people = 0
    private var emptySince: Duration?
    /// Since when nobody is in it who could bid, or has bid; nil in `main`.
    private(set) var leftSince: Duration?
    /// Whether the auctioneer has ordered its end.
    var isOrderedToEnd = false
    /// When it was opened, and when it ended.
    let openedAt: Duration
    private(set) var endedAt: Duration?
    /// The lines in the journal that record an owner of a name, as published.
    private var publishedNames: Set<String> = []
    /// The published news as JSON, without the ends of lines.
    var newsInJSON: [Int: String] = [:]

    /// The room that every server has.
    convenience init(main oracle: Oracle) {
        let terms = oracle.terms
        let options = terms.game?.settings.options ?? RoomOptions()
        self.init(
            .main, id: "", keyHash: nil, options, terms.rules, terms.catalogue.pause, oracle,
            at: .zero)
        isOpeningPublished = true
    }

    /// A room that was opened with resolved options.
    convenience init(
        _ name: RoomName, keyHash: TokenHash, _ options: RoomOptions, _ oracle: Oracle,
        at now: Duration
    ) {
        let record = Record.roomOpened(name, keyHash: keyHash, options)
        let rules = (try? options.rules(oracle.terms.rules)) ?? oracle.terms.rules.plain
        self.init(
            name, id: record.words, keyHash: keyHash, options, rules,
            options.pause ?? .zero, oracle, at: now)
        if let reserve = options.lot.reserve {
            oracle.amounts.secrecy.keep(reserve.amount, of: nil)
        }
    }

    private init(
        _ name: RoomName, id: String, keyHash: TokenHash?, _ options: RoomOptions, _ rules: Rules,
        _ pause: Duration, _ oracle: Oracle, at now: Duration
    ) {
        (self.name, self.id, self.keyHash, self.options) = (name, id, keyHash, options)
        (self.rules, self.pause, self.oracle, openedAt) = (rules, pause, oracle, now)
        isOfClass = oracle.terms.classPlan != nil && (name == .classroom || name.group != nil)
        decided = LotRecord(rules: rules, hasLots: name != .classroom)
        times = LotTimes(of: name, seconds: rules.seconds, pause: isOfClass ? nil : pause)
        game = GameReferee(rules, purse: options.purse, oracle.amounts)
        names = NameBook(hasValues: options.values != nil)
    }

    // Decisions

    /// Takes an effect that concerns the room; `bidder` is that of its connection.
    func decide(_ effect: Effect, of bidder: Bidder?, at now: Duration) {
        checkTimes(effect)
        noteSubstitute(effect)
        oracle.note(game.decide(effect, of: bidder))
        switch effect {
        case .news(let event, _, _, let seq):
            decide(.event(event), seq, at: now)
            take(event, at: now)
        case .journal(let event):
            take(event, at: now)
            if name == .classroom, Record.event(event).words.hasPrefix("ROUND ") { endWaiting() }
        case .reply(.lap(let bid), _):
            if decided.lots.last?.bids.contains(where: { $0.words == bid.words }) != true {
                oracle.report(.present, ServerMessage.lap(bid).words)
            }
        case .reply(.game(let game), _):
            if game.purse != options.purse || game.values != options.values {
                oracle.report(.present, "\(game) in \(name)")
            }
        case .reply(.who(let bidder, _), _):
            if !names.present.contains(bidder), !names.departed.contains(bidder) {
                oracle.report(.present, "\(bidder) is not in \(name)")
            }
        default: break
        }
    }

    /// Notes what a bot bids for a member of a class who has left.
    private func noteSubstitute(_ effect: Effect) {
        guard isOfClass, oracle.terms.classPlan?.substitute != nil, let offer = effect.event?.offer,
            !names.present.contains(offer.bidder)
        else { return }
        oracle.amounts.noteAsked(offer.price.amount, by: offer.bidder)
        oracle.count(.substituted)
    }

    private func take(_ event: SaleEvent, at now: Duration) {
        if !names.take(event) { oracle.report(.names, "\(event) in \(name)") }
        switch event {
        case .bidPlaced, .bidRevealed, .maximumSet(_, .some): hasBids = true
        case .bidderLeft, .nameFreed: noteDeparture(at: now)
        default: break
        }
        oracle.checkOwner(event, in: self)
    }

    /// Notes that the class waits for its start no longer.
    func endWaiting() { snapshot.endWaiting() }

    /// Compares a line of a snapshot with what holds.
    func checkSnapshot(_ effect: Effect) { oracle.note(snapshot.check(effect)) }

    /// Requires that no snapshot has begun which is not whole.
    func checkSnapshotIsWhole() { oracle.note(snapshot.checkWhole()) }

    /// Requires after a step that every maximum has bid what it had to.
    func checkSettled() { oracle.note(game.checkSettled()) }

    private func decide(_ message: ServerMessage, _ seq: Int, at now: Duration) {
        if seq != position + 1 {
            oracle.report(.gapless, "\(seq) is decided after \(position) in \(name)")
        }
        position = seq
        snapshot.take(message, seq: seq)
        let (isRestating, wasLast) = (decided.repeats(message), decided.isLast)
        take(message.words)
        oracle.countNews(message, of: game.model)
        if people == 0, name != .main { countInEmptyRoom(message) }
        if case .bidPlaced = message.event, times.areOverdue(at: now) { oracle.count(.bidInStall) }
        switch message.event {
        case .lotSold where game.model.isRising:
            if let hammer = times.hammerInstant { oracle.checkHandled(before: hammer) }
        case .bidderKicked(let bidder, _):
            kicked[bidder] = now + oracle.terms.limits.kick
            everKicked.insert(bidder)
        default: break
        }
        oracle.note(
            times.take(
                message, seq, decided, game.model, isRestating: isRestating, wasLast: wasLast,
                at: now))
    }

    private func countInEmptyRoom(_ message: ServerMessage) {
        let rules = game.model.rules
        switch message.event {
        case .lotSold: oracle.count(.soldInEmptyRoom)
        case .secondsLeft(rules.seconds) where rules.format.isSealed && game.model.hasOffers:
            oracle.count(.startedInEmptyRoom)
        default: break
        }
    }

    private func checkTimes(_ effect: Effect) {
        var isRestating = false
        if case .news(let event, _, _, _) = effect { isRestating = decided.repeats(.event(event)) }
        oracle.note(times.check(effect, game.model, isRestating: isRestating))
    }

    /// When the server must do something in it without input; nil if that is not known.
    var due: Duration? { times.due }

    /// Takes an event: it must be able to follow, and a bid was asked for, once for each time.
    private func take(_ words: String) {
        let message = ServerMessage(text: words)
        let rules = game.plainRules(ofLot: decided.lots.count)
        if rules != nil, !decided.repeats(message), case .bidPlaced(let bid)? = message?.event {
            oracle.note(oracle.amounts.noteApplied(bid))
        }
        oracle.note(decided.take(words, in: rules))
    }

    /// Requires that missed news is gone only if the server started after it, and that no event has
    /// a number which is refused.
    func checkRecall(_ answer: ServerMessage, after: Int) {
        let isGone = after < position && after + 1 < max(firstRecalled, position - 999)
        switch answer {
        case .ok:
            if isGone { oracle.report(.resumes, "news after \(after) is there again") }
        case .error(let fault, _) where fault.code == .gone:
            oracle.count(.gone)
            if !isGone { oracle.report(.resumes, "news after \(after) of \(position) is gone") }
        case .error(let fault, _) where fault.code == .badArguments:
            oracle.count(.futureNumber)
            if after <= position {
                oracle.report(.resumes, "\(after) of \(position) is refused")
            }
        default: break
        }
    }

    // What is published

    /// Takes what is published, of which the journal has everything.
    func publish(_ effect: Effect, _ found: LogReader.Room) {
        game.publish(effect)
        switch effect {
        case .news(let event, _, _, let seq):
            let words = ServerMessage.event(event).words
            guard seq <= found.news.count, found.news[seq - 1] == words else {
                return oracle.report(.durable, "\(seq) \(words) in \(name)")
            }
            published = seq
        case .journal(.nameTaken(let bidder, let hash)):
            let words = "NAME \(bidder) \(hash)"
            if !found.names.contains(words) { oracle.report(.durable, words) }
            publishedNames.insert(words)
        default: break
        }
    }

    /// Lets the times run that are published by now.
    func noteTold(at now: Duration) {
        let wait = times.publish(upTo: published, at: now)
        if let wait, wait >= game.model.rules.countdown { oracle.count(.toldLate) }
    }

    // Connections

    func enter() {
        people += 1
        (emptySince, leftSince) = (nil, nil)
    }

    func leave(at now: Duration) {
        people -= 1
        if people == 0 { emptySince = now }
        noteDeparture(at: now)
    }

    private func noteDeparture(at now: Duration) {
        if people == 0, isUnused, leftSince == nil, !isOfClass { leftSince = now }
    }

    /// Whether nobody is present in it, and nobody has bid.
    var isUnused: Bool { names.present.isEmpty && isWithoutBids }

    private var isWithoutBids: Bool { name != .main && !hasBids && !game.model.hasOffers }

    /// Whether it is unused since an earlier instant.
    func wasLeft(before instant: Duration) -> Bool { leftSince.map { $0 < instant } ?? false }

    /// Whether nobody was in it for this time; nil for never.
    func isIdle(at now: Duration, _ time: Duration?) -> Bool {
        guard let time, let emptySince else { return false }
        return now - emptySince >= time
    }

    /// Ends the room, in which no bid is lost.
    func end(at now: Duration) {
        if game.model.hasOffers, !decided.isPaused {
            oracle.report(.idle, "\(name) ends while there are bids")
        }
        if !names.present.isEmpty { oracle.report(.names, "\(names.present) are in \(name)") }
        (hasEnded, endedAt) = (true, now)
    }

    // Starts

    /// Begins again with what a start has found on its disk; `sale` is nil if the room has ended.
    func recover(
        _ found: LogReader.Room, after former: LogReader.Room?, _ sale: Sale?, at now: Duration
    ) {
        decided = LotRecord(rules: rules, hasLots: name != .classroom)
        snapshot = SnapshotModel()
        if let sale {
            oracle.note(game.recover(sale))
            names = NameBook(sale)
        }
        for (index, words) in found.news.enumerated() {
            take(words)
            if let message = ServerMessage(text: words) { snapshot.take(message, seq: index + 1) }
        }
        if found.news.prefix(published) != former?.news.prefix(published) ?? [] {
            let facts = "\(published) events of \(name) were published"
            oracle.report(.kept, "\(facts), \(found.news.count) are there")
        }
        if !publishedNames.isSubset(of: found.names) { oracle.report(.kept, "a name is lost") }
        (firstRecalled, hasEnded) = (found.newestFirst, found.hasEnded)
        (position, published) = (found.news.count, found.news.count)
        (people, emptySince, kicked) = (0, now, [:])
        hasBids =
            names.hasBidders
            || found.news.contains { $0.hasPrefix("PRICE ") || $0.hasPrefix("REVEALED ") }
        // Those who are present leave it at the start, like all others.
        leftSince = isWithoutBids && !isOfClass ? now : nil
        if !hasEnded { endedAt = nil }
        times = LotTimes(
            of: name, seconds: game.model.rules.seconds, pause: isOfClass ? nil : pause,
            isHammered: decided.isHammered || game.model.isWon)
    }

    // The end

    /// Requires at the end that no lot with a bid is open, and that the room is not empty for long.
    func checkEnd(at now: Duration) {
        if let lot = decided.lots.last, !lot.bids.isEmpty, !lot.isClosed, !decided.isPaused {
            oracle.report(.live, "lot \(lot.lot.number) of \(name) is still open")
        }
        guard name != .main, !isOfClass, let emptySince, let idle = oracle.terms.limits.roomIdle,
            !game.model.hasOffers || decided.isPaused, now - emptySince > idle * 3 + .seconds(10)
        else { return }
        oracle.report(.idle, "nobody is in \(name) since \(emptySince.stopwatch)")
    }
}

extension Bid {
    /// Its line in a list.
    fileprivate var words: String { ServerMessage.lap(self).words }
}

extension Record {
    /// The line of text without its end.
    var words: String {
        var line: [UInt8] = []
        appendText(to: &line)
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
