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
        case move, standings
    }

    /// How often it looks again at an open lot on which nothing happens.
    private static let period = Duration.seconds(1)
    /// How many names it tries.
    private static let mostNames = 100

    private let settings: Settings
    private let name: Bidder
    private var strategy: any Strategy
    private var knowledge: BotKnowledge
    private var pace: BotPace
    private var connection: RoomConnection<Purpose>
    /// Whether it has asked for the last standings.
    private var isFinishing = false

    /// Creates a bot that is not connected.
    package init(_ settings: Settings) {
        self.settings = settings
        strategy = settings.kind.make(seed: settings.seed)
        let names = (0..<Self.mostNames).map { settings.name($0) }
        name = names[0]
        knowledge = BotKnowledge(of: name, prior: settings.prior, seed: settings.seed)
        pace = BotPace(mean: settings.delay, seed: settings.seed)
        var chance = SeededGenerator(seed: settings.seed)
        connection = RoomConnection(
            to: settings.room, claim: NameClaim(of: name, orOneOf: Array(names.dropFirst())),
            owner: .program, backoff: Backoff { .random(in: 0...1, using: &chance) })
    }

    /// The name of the bot.
    package var bidder: Bidder { connection.bidder ?? name }

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

    /// Begins on a new connection.
    package mutating func connected(at now: Instant) -> [ClientEffect] {
        connection.connected(at: now)
        return handleEvents(at: now)
    }

    /// Handles the end of the connection, or of an attempt to connect.
    package mutating func lost(_ reason: String, at now: Instant) -> [ClientEffect] {
        connection.lost(reason, at: now)
        return handleEvents(at: now)
    }

    /// Handles a line without its line end.
    package mutating func receive(_ text: String, at now: Instant) -> [ClientEffect] {
        connection.receive(text, at: now)
        return handleEvents(at: now)
    }

    /// When to call `wake` at the latest; nil if only the server can cause anything.
    package var deadline: Instant? {
        [connection.deadline, canMove ? pace.due : nil].compactMap { $0 }.min()
    }

    /// Does what is due.
    package mutating func wake(at now: Instant) -> [ClientEffect] {
        connection.wake(at: now)
        return handleEvents(at: now) + look(at: now)
    }

    /// Ends after the standings, which it asks for; at once without a connection.
    package mutating func finish(at now: Instant) -> [ClientEffect] {
        guard !isFinishing, !hasEnded else { return [] }
        isFinishing = true
        guard connection.isConnected else { return close(.done) }
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
        case .effect(let effect): return [effect]
        case .arrived(_, let isKnown): if !isKnown { forget() }
        case .news(let message, let stamp): return receive(message, stamp, at: now)
        case .lost: pace.forget()
        case .answered(let answer, let data, .standings):
            return AnswerText(answer, data).lines.map { .say($0) } + close(.done)
        case .failed(.refused(let error), .move): knowledge.learn(from: error)
        case .failed(.refused(let error), .standings):
            return close(.refused, "no standings: \(error.reason)")
        case .failed(_, .standings): return close(.lost)
        case .answered(_, _, .move), .failed(_, .move), .live, .missedNews, .notice: break
        case .refused(let reason): return close(.refused, reason)
        case .removed(let reason): return close(.refused, "\(bidder): \(reason)")
        case .unreachable(let reason): return close(.lost, reason)
        }
        return []
    }

    /// Forgets the sale, because another one begins.
    private mutating func forget() {
        knowledge = BotKnowledge(of: bidder, prior: settings.prior, seed: settings.seed)
    }

    private mutating func receive(
        _ message: ServerMessage, _ stamp: NewsStamp, at now: Instant
    ) -> [ClientEffect] {
        knowledge.receive(message, at: now)
        if !stamp.isSnapshot, let end = message.lotEnd(for: bidder) { strategy.learn(end) }
        pace.notice(at: now, remaining: knowledge.remaining(at: now))
        let note = message.lotResult.map { [ClientEffect.note($0)] } ?? []
        return note + (knowledge.isOver ? finish(at: now) : [])
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
}

extension ServerMessage {
    /// How a lot has ended, with its number; nil for any other message.
    fileprivate var lotResult: String? {
        if case .lotSold(let sold)? = event {
            return sold.number.map { "lot \($0): \(sentence() ?? "")" }
        }
        return if case .lotPassed? = event { sentence() } else { nil }
    }

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
        /// The number with which its name ends at first; others are tried if it is taken.
        package var number: Int
        /// The range of values in which it believes.
        package var prior: ClosedRange<Int64>
        /// The mean of the time to think before a move; zero to move at once.
        package var delay: Duration
        /// The seed of everything that it does by chance.
        package var seed: UInt64
        /// The room in which it plays.
        package var room: RoomName

        /// Creates settings.
        package init(
            _ kind: StrategyKind, number: Int, prior: ClosedRange<Int64>, delay: Duration = .zero,
            seed: UInt64, room: RoomName = .main
        ) {
            (self.kind, self.number, self.prior) = (kind, number, prior)
            (self.delay, self.seed, self.room) = (delay, seed, room)
        }

        /// The name to try after this number of taken ones.
        fileprivate func name(_ others: Int) -> Bidder {
            guard let name = Bidder("\(kind.rawValue)-\(number + others)") else {
                preconditionFailure("a strategy and a number make a name")
            }
            return name
        }
    }
}

extension [Bot] {
    /// Creates bots whose strategies take turns; at least one strategy is given.
    ///
    /// Each is numbered among the bots of its strategy, and has its own seed.
    package init(_ count: Int, of strategies: [StrategyKind], like settings: Bot.Settings) {
        var numbers: [StrategyKind: Int] = [:]
        var chance = SeededGenerator(seed: settings.seed)
        self = (0..<count).map { index in
            var own = settings
            own.kind = strategies[index % strategies.count]
            own.number = numbers[own.kind, default: 0] + 1
            numbers[own.kind] = own.number
            own.seed = chance.next()
            return Bot(own)
        }
    }
}
