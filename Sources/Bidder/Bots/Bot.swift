import Auction
import Basics
import Strategies
import Wire

/// One bot without I/O: lines of the server and time in, effects out.
///
/// It follows the news, and lets a strategy decide. It sends one move at a time. After a
/// refusal it waits for news or a second, unless the refusal itself tells it more.
package struct Bot {
    /// What a request of the bot was for.
    private enum Purpose {
        case move, talk, display, standings
    }

    /// How often it looks again at an open lot on which nothing happens.
    private static let period = Duration.seconds(1)

    private let settings: Settings
    private let temper: Temper
    private var strategy: any Strategy
    private var knowledge: BotKnowledge
    private var pace: BotPace
    private var talk: BotTalk
    private var connection: RoomConnection<Purpose>
    /// Whether it has asked for the last standings.
    private var isFinishing = false
    /// Whether it has played a game to its end.
    private var hasPlayed = false

    /// Creates a bot that is not connected.
    package init(_ settings: Settings) {
        self.settings = settings
        let (seed, name) = (settings.seed, settings.names[0])
        strategy = settings.kind.make(seed: seed)
        temper = settings.temper ?? Temper(seed: seed)
        knowledge = BotKnowledge(of: name, prior: settings.prior, seed: seed)
        pace = BotPace(mean: settings.delay, temper, seed: seed)
        talk = BotTalk(temper, isQuiet: settings.isQuiet, seed: seed)
        var chance = SeededGenerator(seed: settings.seed)
        connection = RoomConnection(
            to: settings.room,
            claim: NameClaim(of: name, orOneOf: Array(settings.names.dropFirst())),
            owner: .program, backoff: Backoff { .random(in: 0...1, using: &chance) })
    }

    /// The name of the bot.
    package var bidder: Bidder { connection.bidder ?? settings.names[0] }

    /// Whether it has ended.
    package var hasEnded: Bool { connection.hasEnded }
}

// MARK: The connection

extension Bot {
    /// Begins to connect.
    package mutating func begin() -> [ClientEffect] {
        connection.begin()
        return handleEvents(at: .now)
    }

    /// Handles what has happened on the connection.
    package mutating func receive(
        _ event: ServerConnection.Event, at now: Instant
    ) -> [ClientEffect] {
        connection.receive(event, at: now)
        return handleEvents(at: now)
    }

    /// When to call `wake` at the latest; nil if only the server can cause anything.
    package var deadline: Instant? {
        let own = canMove ? [pace.due, talk.due] : []
        return ([connection.deadline] + own).compactMap { $0 }.min()
    }

    /// Does what is due.
    package mutating func wake(at now: Instant) -> [ClientEffect] {
        connection.wake(at: now)
        return handleEvents(at: now) + speak(at: now) + look(at: now)
    }

    /// Ends after the standings, which it asks for; at once without a connection.
    package mutating func finish(at now: Instant) -> [ClientEffect] {
        guard !isFinishing, !hasEnded else { return [] }
        isFinishing = true
        // A bot that stayed has printed the standings of a sale that is over.
        let isPrinted = hasPlayed && knowledge.isOver
        guard connection.isConnected, !isPrinted else { return close(.done) }
        return askForStandings(at: now)
    }

    private mutating func askForStandings(at now: Instant) -> [ClientEffect] {
        connection.request(.standings, .standings, at: now)
        return handleEvents(at: now)
    }

    private mutating func close(_ code: ExitCode, _ complaint: String? = nil) -> [ClientEffect] {
        connection.close()
        return (complaint.map { [.complain($0)] } ?? []) + [.disconnect, .exit(code)]
    }

    private mutating func handleEvents(at now: Instant) -> [ClientEffect] {
        var effects: [ClientEffect] = []
        for event in connection.takeEvents() { effects += handle(event, at: now) }
        return effects
    }

    private mutating func handle(
        _ event: RoomConnection<Purpose>.Event, at now: Instant
    ) -> [ClientEffect] {
        switch event {
        case .effect(let effect):
            if case .keep(_, let bidder, _) = effect { return introduce(as: bidder, at: now) }
            return [effect]
        case .arrived(_, let isKnown): if !isKnown { forget() }
        case .news(let message, let stamp): return receive(message, stamp, at: now)
        case .lost: forgetPlans()
        case .answered(let answer, let data, .standings):
            let table = AnswerText(answer, data).lines.map { ClientEffect.say($0) }
            return table + (isFinishing ? close(.done) : [])
        case .failed(.refused(let error), .move): knowledge.learn(from: error)
        case .failed(.refused(let error), .talk): talk.learn(from: error)
        case .failed(.refused(let error), .standings):
            let complaint = "no standings: \(error.reason)"
            return isFinishing ? close(.refused, complaint) : [.complain(complaint)]
        case .failed(_, .standings): return isFinishing ? close(.lost) : []
        // A server that knows no display names refuses them, and the bot plays all the same.
        case .answered(_, _, .display), .failed(_, .display), .answered(_, _, .move),
            .failed(_, .move), .answered(_, _, .talk), .failed(_, .talk), .live, .missedNews,
            .notice:
            break
        case .refused(let reason): return close(hasPlayed ? .done : .refused, reason)
        case .removed(let reason): return close(.refused, "\(bidder): \(reason)")
        case .unreachable(let reason): return close(hasPlayed ? .done : .lost, reason)
        }
        return []
    }

    /// Forgets the sale, because another one begins.
    private mutating func forget() {
        knowledge = BotKnowledge(of: bidder, prior: settings.prior, seed: settings.seed)
    }

    private mutating func forgetPlans() {
        pace.forget()
        talk.forget()
    }

    /// Tells its strategy once it has its name, as in `Ada the sniper`; everybody unless it is quiet.
    private mutating func introduce(as bidder: Bidder, at now: Instant) -> [ClientEffect] {
        let kind = settings.kind
        let note = "\(bidder): \(kind.rawValue), \(temper.rawValue); bids \(kind.summary)"
        if !settings.isQuiet {
            connection.request(.display("\(bidder) the \(kind.rawValue)"), .display, at: now)
        }
        return [.note(note)] + handleEvents(at: now)
    }

    private mutating func receive(
        _ message: ServerMessage, _ stamp: NewsStamp, at now: Instant
    ) -> [ClientEffect] {
        let price = knowledge.receive(message, at: now)
        if !stamp.isSnapshot { follow(message, price, isReplay: stamp.isReplay, at: now) }
        pace.notice(price, at: now, remaining: knowledge.remaining(at: now))
        let note =
            message.lotEnd(for: bidder).map { end in
                [ClientEffect.note("lot \(end.lot): \(message.sentence() ?? "")")]
            } ?? []
        return note + (knowledge.isOver ? handleEnd(message, at: now) : [])
    }

    /// Learns from news, and plans what to say about it; what it missed is too old to talk about.
    private mutating func follow(
        _ message: ServerMessage, _ price: BotPace.News, isReplay: Bool, at now: Instant
    ) {
        if let end = message.lotEnd(for: bidder) {
            strategy.learn(end)
            if !isReplay, knowledge.isBargain(end) { talk.plan(.bargain, at: now) }
        }
        if !isReplay, price == .outbid { talk.plan(.outbid, at: now) }
        if !knowledge.isOutbid { talk.dropComplaint() }
    }

    /// Ends after the standings of a sale that is over, or prints them and waits for a rematch.
    private mutating func handleEnd(
        _ message: ServerMessage, at now: Instant
    ) -> [ClientEffect] {
        guard settings.stays, !isFinishing else { return finish(at: now) }
        guard case .ended? = message.event else { return [] }
        hasPlayed = true
        return askForStandings(at: now)
    }
}

// MARK: The moves

extension Bot {
    /// Whether no answer is due, so that what the bot knows is what the server knows.
    private var canMove: Bool { connection.isIdle && !isFinishing }

    /// Lets the strategy decide if it is time.
    private mutating func look(at now: Instant) -> [ClientEffect] {
        guard canMove, let due = pace.due, now >= due else { return [] }
        pace.looked(at: now, again: knowledge.canAct ? Self.period : nil)
        guard let view = knowledge.view(at: now), let move = strategy.decide(view, at: now) else {
            return []
        }
        connection.request(move.command(for: view.lot), .move, at: now)
        return handleEvents(at: now)
    }

    /// Says what is due.
    private mutating func speak(at now: Instant) -> [ClientEffect] {
        guard canMove, let command = talk.takeDue(at: now) else { return [] }
        connection.request(command, .talk, at: now)
        return handleEvents(at: now)
    }
}

extension ServerMessage {
    /// How a lot has ended for a bidder; nil for any other message.
    fileprivate func lotEnd(for bidder: Bidder) -> LotEnd? {
        if case .lotSold(let sold)? = event {
            return LotEnd(lot: sold.number ?? 0, price: sold.price, isWon: sold.bidder == bidder)
        }
        guard case .lotPassed(let lot, _, _)? = event else { return nil }
        return LotEnd(lot: lot.number, price: nil, isWon: false)
    }
}

extension Move {
    /// The command of the protocol, for the lot of this number alone.
    fileprivate func command(for lot: Int) -> Request.Command {
        let offer: Request.Offer =
            switch self {
            case .bid(let price): .bid(price)
            case .maximum(let price): .maximum(price)
            case .take: .take
            case .buy: .buy
            }
        return .offer(offer, lot: lot)
    }
}

extension Bot {
    /// The settings of a bot.
    package struct Settings: Sendable {
        /// The strategy.
        package var kind: StrategyKind
        /// The temper; nil if the seed chooses it.
        package var temper: Temper?
        /// The names to try, one after the other.
        ///
        /// - Invariant: not empty.
        package var names: [Bidder]
        /// The range of values in which it believes.
        package var prior: ClosedRange<Int64>
        /// The mean of the time to think before a move; zero to move at once.
        package var delay = Duration.zero
        /// The seed of everything that it does by chance.
        package var seed: UInt64
        /// The room in which it plays.
        package var room = RoomName.main
        /// Whether it says nothing to the others, not even its strategy.
        package var isQuiet = false
        /// Whether it waits for a rematch when the sale is over.
        package var stays = false

        /// Creates the settings of a bot that moves at once, in the main room.
        package init(
            _ kind: StrategyKind, names: [Bidder], prior: ClosedRange<Int64>, seed: UInt64
        ) {
            precondition(!names.isEmpty, "a bot has a name")
            (self.kind, self.names, self.prior, self.seed) = (kind, names, prior, seed)
        }
    }
}

extension [Bot] {
    /// Creates bots whose strategies take turns; at least one strategy is given.
    ///
    /// Each has its own seed, and names that none of the others has.
    package init(_ count: Int, of strategies: [StrategyKind], like settings: Bot.Settings) {
        let names = BotNames(for: count, seed: settings.seed)
        var chance = SeededGenerator(seed: settings.seed)
        self = (0..<count).map { index in
            var own = settings
            own.kind = strategies[index % strategies.count]
            own.names = names[index]
            own.seed = chance.next()
            return Bot(own)
        }
    }
}

/// The names of some bots: friendly ones, in an order that follows from a seed.
///
/// Each bot has names of its own, so that two bots of a process never want the same one.
package struct BotNames: Sendable {
    /// How many names a bot tries, because others may be taken.
    private static let tries = 100
    private static let friendly = [
        "Ada", "Anton", "Bella", "Bruno", "Carla", "Cosmo", "Daisy", "Dora", "Edgar", "Emma",
        "Felix", "Fiona", "Gina", "Gustav", "Hanna", "Hugo", "Ida", "Igor", "Jonas", "Juno",
        "Karl", "Kira", "Leo", "Lola", "Mila", "Max", "Nora", "Norbert", "Olga", "Otto", "Paul",
        "Pia", "Quentin", "Rosa", "Rufus", "Selma", "Theo", "Ursula", "Viktor", "Wanda",
    ]

    private let order: [String]
    private let count: Int

    /// Makes the names of this many bots.
    package init(for count: Int, seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        order = Self.friendly.shuffled(using: &chance)
        self.count = count
    }

    /// The names that the bot with an index, from 0, tries one after the other.
    ///
    /// Once all friendly names are used they begin again with a number, as in `Ada-2`.
    package subscript(index: Int) -> [Bidder] {
        (0..<Self.tries).map { name(index + $0 * count) }
    }

    private func name(_ index: Int) -> Bidder {
        let (round, place) = index.quotientAndRemainder(dividingBy: order.count)
        guard let name = Bidder(order[place] + (round > 0 ? "-\(round + 1)" : "")) else {
            preconditionFailure("a friendly name and a number make a name")
        }
        return name
    }
}
