import Auction
import Basics
import Strategies
import Wire

/// One bot without I/O: lines of the server and time in, effects out.
///
/// It takes a name, follows the news, and lets a strategy decide. It sends one move at a time, and
/// after a refusal waits for news, or a second, unless the refusal says more than it knew. When its
/// connection is lost it connects again, proves its name, and asks for the news that it missed.
package struct Bot {
    /// What a request of the bot was for.
    private enum Purpose {
        case format, join, name, snapshot, resume, move, standings
    }

    /// How long an answer may take.
    private static let answerTimeout = Duration.seconds(10)
    /// How often it looks again at an open lot on which nothing happens.
    private static let period = Duration.seconds(1)

    private let settings: Settings
    private var strategy: any Strategy
    private var knowledge: BotKnowledge
    private var pace: BotPace
    private var pipeline = RequestPipeline<Purpose>()
    private var sequence = NewsSequence()
    private var link: RetryLink
    private var name: BotName
    /// The greeting of the sale in which it plays.
    private var sale: Greeting?
    /// Whether this connection is in the room of the bot.
    private var isInRoom = false
    private var answerDeadline: Instant?
    /// Whether it has asked for the last standings.
    private var isFinishing = false

    /// Creates a bot that is not connected.
    package init(_ settings: Settings) {
        self.settings = settings
        strategy = settings.kind.make(seed: settings.seed)
        name = BotName(settings.kind, number: settings.number)
        knowledge = BotKnowledge(
            of: name.bidder, prior: settings.prior, seed: settings.seed)
        pace = BotPace(mean: settings.delay, seed: settings.seed)
        var chance = SeededGenerator(seed: settings.seed)
        link = RetryLink(backoff: Backoff { .random(in: 0...1, using: &chance) })
    }

    /// The name of the bot.
    package var bidder: Bidder { name.bidder }

    /// Whether it has ended.
    package var hasEnded: Bool { link.isClosed }
}

// MARK: The connection

extension Bot {
    /// Begins on a new connection.
    package mutating func connected(at now: Instant) -> [ClientEffect] {
        (pipeline, isInRoom) = (RequestPipeline(), false)
        link.connect()
        name.connect()
        return request("format json", .format, at: now)
    }

    /// Handles the end of the connection, or of an attempt to connect.
    package mutating func lost(_ reason: String, at now: Instant) -> [ClientEffect] {
        guard !hasEnded else { return [] }
        return isFinishing ? close(.lost) : retry(reason, at: now)
    }

    private mutating func retry(_ reason: String, at now: Instant) -> [ClientEffect] {
        guard link.retry(at: now) else {
            return close(.lost, "cannot reach the server: \(reason)")
        }
        answerDeadline = nil
        name.disconnect()
        pace.forget()
        return [.disconnect]
    }

    private mutating func close(_ code: ExitCode, _ complaint: String? = nil) -> [ClientEffect] {
        link.close()
        return (complaint.map { [.complain($0)] } ?? []) + [.disconnect, .exit(code)]
    }

    private mutating func request(
        _ line: String, _ purpose: Purpose, at now: Instant
    ) -> [ClientEffect] {
        pipeline.add(purpose)
        answerDeadline = answerDeadline ?? now.advanced(by: Self.answerTimeout)
        return [.send(line)]
    }

    /// When to call `wake` at the latest; nil if only the server can cause anything.
    package var deadline: Instant? {
        guard link.isConnected else { return link.retryAt }
        return [answerDeadline, name.due, isIdle ? pace.due : nil].compactMap { $0 }.min()
    }

    /// Does what is due.
    package mutating func wake(at now: Instant) -> [ClientEffect] {
        guard link.isConnected else { return link.beginRetry(at: now) ? [.connect] : [] }
        if let answerDeadline, now >= answerDeadline {
            return isFinishing ? close(.lost) : retry("it does not answer", at: now)
        }
        return name.endWait(at: now) ? takeName(at: now) : look(at: now)
    }

    /// Ends after the standings, which it asks for; at once without a connection.
    package mutating func finish(at now: Instant) -> [ClientEffect] {
        guard !isFinishing, !hasEnded else { return [] }
        isFinishing = true
        guard link.isConnected else { return close(.done) }
        return request("standings", .standings, at: now)
    }
}

// MARK: The lines of the server

extension Bot {
    /// Handles a line without its line end.
    package mutating func receive(_ text: String, at now: Instant) -> [ClientEffect] {
        guard link.isConnected else { return [] }
        let format = pipeline.format
        let (line, event) = pipeline.receive(text)
        switch event {
        case .greeting(let greeting):
            greet(greeting)
            return []
        case .news: return format == .json && isInRoom ? receiveNews(line, at: now) : []
        case .data: return []
        case .answered(let answer, let data, let purpose):
            answerDeadline = pipeline.count > 0 ? now.advanced(by: Self.answerTimeout) : nil
            return finish(purpose, answer, data, at: now)
        case .refused(let error, _, let purpose):
            answerDeadline = pipeline.count > 0 ? now.advanced(by: Self.answerTimeout) : nil
            return refuse(purpose, error, at: now)
        case .closing(let reason): return handle(reason, at: now)
        }
    }

    private mutating func receiveNews(_ line: ReceivedLine, at now: Instant) -> [ClientEffect] {
        guard let message = line.message, sequence.accept(line.stamp) else { return [] }
        knowledge.receive(message, at: now)
        if !line.stamp.isSnapshot, let end = message.lotEnd(for: bidder) { strategy.learn(end) }
        pace.notice(at: now, remaining: knowledge.remaining(at: now))
        let note = message.lotResult.map { [ClientEffect.note($0)] } ?? []
        return note + (knowledge.isOver ? finish(at: now) : [])
    }

    private mutating func handle(
        _ reason: ServerMessage.CloseReason, at now: Instant
    ) -> [ClientEffect] {
        let error = ClientError.closed(reason)
        switch reason.exitCode {
        case .done: return close(.done)
        case .refused: return close(.refused, "\(bidder): \(error.reason)")
        default: return lost(error.reason, at: now)
        }
    }

    private mutating func finish(
        _ purpose: Purpose?, _ answer: Answer, _ data: [ReceivedLine], at now: Instant
    ) -> [ClientEffect] {
        switch (purpose, answer) {
        case (.format, _): return enterRoom(at: now)
        case (.join, _):
            isInRoom = true
            return follow(at: now)
        case (.name, .name(let bidder, let token)):
            name.accept(bidder, token: token, on: sale?.serverID)
            link.settle()
            return []
        case (.resume, _): sequence.endResuming()
        case (.standings, _):
            let rows = AnswerText(answer, data.compactMap(\.message)).lines
            return rows.map { .say($0) } + close(.done)
        default: break
        }
        return []
    }

    private mutating func refuse(
        _ purpose: Purpose?, _ error: ErrorReply, at now: Instant
    ) -> [ClientEffect] {
        switch purpose {
        case .move:
            knowledge.learn(from: error)
            return []
        case .name: return handleRefusal(ofName: error, at: now)
        case .join where error.code != .slowDown:
            return close(.refused, error.complaint(about: settings.room))
        case .resume:
            // A snapshot follows, with which the news goes on.
            sequence = NewsSequence()
            return []
        case .standings: return close(.refused, "no standings: \(error.reason)")
        // Without a request it is about the connection, such as that of a full server.
        case .format, .join, .snapshot, nil: return lost(error.reason, at: now)
        }
    }

    /// Learns from the greeting of its room; another server there has another sale.
    private mutating func greet(_ greeting: Greeting) {
        guard greeting.room == settings.room else { return }
        let isKnown = sale?.isOfSameSale(as: greeting) ?? false
        if greeting.serverID == nil || !isKnown { sequence = NewsSequence() }
        if !isKnown {
            knowledge = BotKnowledge(of: bidder, prior: settings.prior, seed: settings.seed)
        }
        sale = greeting
    }

    /// Moves to its room, unless it is the one in which a connection begins.
    private mutating func enterRoom(at now: Instant) -> [ClientEffect] {
        guard settings.room == .main else {
            return request("join \(settings.room)", .join, at: now)
        }
        isInRoom = true
        return follow(at: now)
    }

    /// Follows the news from where it was lost, or from now on, and takes the name.
    private mutating func follow(at now: Instant) -> [ClientEffect] {
        guard let number = sequence.newest, name.token(on: sale?.serverID) != nil else {
            return request("status", .snapshot, at: now) + takeName(at: now)
        }
        sequence.beginResuming()
        return request("resume \(number)", .resume, at: now) + takeName(at: now)
    }

    private mutating func takeName(at now: Instant) -> [ClientEffect] {
        let token = name.token(on: sale?.serverID).map { " \($0)" } ?? ""
        return request("name \(bidder)\(token)", .name, at: now)
    }

    /// Tries the next name if this one is taken, or this one later.
    private mutating func handleRefusal(
        ofName error: ErrorReply, at now: Instant
    ) -> [ClientEffect] {
        switch error.code {
        case .slowDown:
            let seconds = error.facts.first { $0.name == "seconds" }?.value ?? 1
            name.wait(until: now.advanced(by: .seconds(max(seconds, 1))))
            return []
        case .nameTaken, .wrongToken:
            guard name.tryNext() else {
                return close(.refused, "\(bidder): every name is taken")
            }
            return takeName(at: now)
        default: return close(.refused, "\(bidder) cannot play: \(error.reason)")
        }
    }
}

// MARK: The moves

extension Bot {
    /// Whether no answer is due, so that what the bot knows is what the server knows.
    private var isIdle: Bool { name.isTaken && pipeline.count == 0 && !isFinishing }

    /// Lets the strategy decide if it is time.
    private mutating func look(at now: Instant) -> [ClientEffect] {
        guard isIdle, let due = pace.due, now >= due else { return [] }
        pace.looked(at: now, again: knowledge.canAct ? Self.period : nil)
        guard let view = knowledge.view(at: now), let move = strategy.decide(view, at: now) else {
            return []
        }
        return request(move.line(for: view.lot), .move, at: now)
    }
}

extension ServerMessage {
    /// How a lot has ended, with its number; nil for any other message.
    fileprivate var lotResult: String? {
        switch event {
        case .lotSold(let sold):
            sold.number.map { "lot \($0): \(sentence() ?? "")" }
        case .lotPassed: sentence()
        default: nil
        }
    }

    /// How a lot has ended for a bidder; nil for any other message.
    fileprivate func lotEnd(for bidder: Bidder) -> LotEnd? {
        switch event {
        case .lotSold(let sold):
            LotEnd(lot: sold.number ?? 0, price: sold.price, isWon: sold.bidder == bidder)
        case .lotPassed(let lot, _, _): LotEnd(lot: lot.number, price: nil, isWon: false)
        default: nil
        }
    }
}

extension Move {
    /// The command of the protocol, for the lot of this number alone.
    fileprivate func line(for lot: Int) -> String {
        let offer: Request.Offer =
            switch self {
            case .bid(let price): .bid(price)
            case .maximum(let price): .maximum(price)
            case .take: .take
            case .buy: .buy
            }
        return Request.Command.offer(offer, lot: lot).description
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
    }
}

/// The name of a bot: the one it has or asks for, and what proves it.
struct BotName {
    /// How many names are tried.
    private static let mostNames = 100

    private let kind: StrategyKind
    private let number: Int
    /// The name that the bot has, or asks for.
    private(set) var bidder: Bidder
    /// The token of the name, and the server on which the bot has it.
    private var proof: (serverID: Identity?, token: String)?
    private var tries = 1
    /// When the bot asks again for a name that was refused for a time.
    private(set) var due: Instant?
    /// Whether the server knows the name on this connection.
    private(set) var isTaken = false

    /// The first name of a bot with this strategy and number; others follow if it is taken.
    init(_ kind: StrategyKind, number: Int) {
        (self.kind, self.number) = (kind, number)
        bidder = Self.name(kind, number)
    }

    private static func name(_ kind: StrategyKind, _ number: Int) -> Bidder {
        guard let name = Bidder("\(kind.rawValue)-\(number)") else {
            preconditionFailure("a strategy and a number make a name")
        }
        return name
    }

    /// Begins on a new connection.
    mutating func connect() {
        (isTaken, due) = (false, nil)
    }

    /// Records that the connection has ended, on which the bot had the name.
    mutating func disconnect() {
        isTaken = false
    }

    /// The token that proves the name on a server; nil if that server did not give it.
    func token(on serverID: Identity?) -> String? {
        proof.flatMap { $0.serverID == serverID ? $0.token : nil }
    }

    /// Records that the server gave the name.
    mutating func accept(_ name: Bidder, token: String, on serverID: Identity?) {
        (bidder, proof, isTaken) = (name, (serverID, token), true)
    }

    /// Waits before the name is asked for again.
    mutating func wait(until due: Instant) {
        self.due = due
    }

    /// Whether to ask for the name again now, after a wait.
    mutating func endWait(at now: Instant) -> Bool {
        guard let due, now >= due else { return false }
        self.due = nil
        return true
    }

    /// Goes on to the next name, because this one is taken; false after the last one.
    mutating func tryNext() -> Bool {
        proof = nil
        guard tries < Self.mostNames else { return false }
        bidder = Self.name(kind, number + tries)
        tries += 1
        return true
    }
}
