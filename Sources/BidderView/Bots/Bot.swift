import AuctionRules
import Sale
import Strategies
import Wire

/// One bot without I/O: lines of the server and time in, effects out.
///
/// It takes a name, follows the news, and lets a strategy decide. It sends one move at a time, and
/// after a refusal waits for news, or a second, unless the refusal says more than it knew. When its
/// connection is lost it connects again, proves its name, and asks for the news that it missed.
package struct Bot {
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

    /// What a request of the bot was for.
    private enum Purpose {
        case format, join, name, snapshot, resume, names, move, standings
    }

    /// The state of the connection.
    private enum Link {
        /// An attempt is under way.
        case connecting
        /// Connected.
        case connected
        /// The next attempt begins at this time.
        case waiting(until: Instant)
        /// The bot has ended.
        case closed
    }

    /// How long an answer may take.
    private static let answerTimeout = Duration.seconds(10)
    /// How long the bot tries to reconnect.
    private static let patience = Duration.seconds(60)
    /// How often it looks again at an open lot on which nothing happens.
    private static let period = Duration.seconds(1)
    /// How many names are tried.
    private static let mostNames = 100

    private let settings: Settings
    private var strategy: any Strategy
    private var knowledge: BotKnowledge
    private var pace: BotPace
    private var backoff: Backoff
    private var pipeline = RequestPipeline<Purpose>()
    private var sequence = NewsSequence()
    private var link = Link.connecting
    /// The greeting of the sale in which it plays.
    private var sale: Greeting?
    /// Whether this connection is in the room of the bot.
    private var isInRoom = false
    /// The token of its name, and the server on which it has the name.
    private var claim: (serverID: Identity?, token: String)?
    private var triedNames = 1
    /// When it asks for a name again that was refused for a time.
    private var nameDue: Instant?
    /// Whether the server knows its name on this connection.
    private var isNamed = false
    private var answerDeadline: Instant?
    /// Since when it has not had its name on a connection, after it was lost.
    private var lostSince: Instant?
    private var hasConnected = false
    /// Whether it has asked for the last standings.
    private var isFinishing = false

    /// Creates a bot that is not connected.
    package init(_ settings: Settings) {
        self.settings = settings
        strategy = settings.kind.make(seed: settings.seed)
        knowledge = BotKnowledge(
            of: Self.name(settings, number: settings.number), prior: settings.prior,
            seed: settings.seed)
        pace = BotPace(mean: settings.delay, seed: settings.seed)
        var chance = SeededGenerator(seed: settings.seed)
        backoff = Backoff { .random(in: 0...1, using: &chance) }
    }

    /// The name of the bot.
    package var bidder: Bidder { knowledge.bidder }

    /// Whether it has ended.
    package var hasEnded: Bool { if case .closed = link { true } else { false } }

    private static func name(_ settings: Settings, number: Int) -> Bidder {
        guard let name = Bidder("\(settings.kind.rawValue)-\(number)") else {
            preconditionFailure("a strategy and a number make a name")
        }
        return name
    }
}

// MARK: The connection

extension Bot {
    /// Begins on a new connection.
    package mutating func connected(at now: Instant) -> [ClientEffect] {
        (link, pipeline, isNamed) = (.connected, RequestPipeline(), false)
        isInRoom = false
        (nameDue, hasConnected) = (nil, true)
        return request("format json", .format, at: now)
    }

    /// Handles the end of the connection, or of an attempt to connect.
    package mutating func lost(_ reason: String, at now: Instant) -> [ClientEffect] {
        guard case .closed = link else {
            return isFinishing ? close(.lost) : retry(reason, at: now)
        }
        return []
    }

    private mutating func retry(_ reason: String, at now: Instant) -> [ClientEffect] {
        let since = lostSince ?? now
        guard hasConnected, since.duration(to: now) < Self.patience else {
            return close(.lost, "cannot reach the server: \(reason)")
        }
        (lostSince, answerDeadline, isNamed) = (since, nil, false)
        pace.forget()
        link = .waiting(until: now.advanced(by: backoff.delay()))
        return [.disconnect]
    }

    private mutating func close(_ code: ExitCode, _ complaint: String? = nil) -> [ClientEffect] {
        link = .closed
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
        switch link {
        case .connecting, .closed: nil
        case .waiting(let until): until
        case .connected: [answerDeadline, nameDue, lookDeadline].compactMap { $0 }.min()
        }
    }

    private var lookDeadline: Instant? { isIdle ? pace.due : nil }

    /// Does what is due.
    package mutating func wake(at now: Instant) -> [ClientEffect] {
        switch link {
        case .connecting, .closed: return []
        case .waiting(let until):
            guard now >= until else { return [] }
            link = .connecting
            return [.connect]
        case .connected:
            if let answerDeadline, now >= answerDeadline {
                return isFinishing ? close(.lost) : retry("it does not answer", at: now)
            }
            if let nameDue, now >= nameDue {
                self.nameDue = nil
                return takeName(at: now)
            }
            return look(at: now)
        }
    }

    /// Ends after the standings, which it asks for; at once without a connection.
    package mutating func finish(at now: Instant) -> [ClientEffect] {
        guard !isFinishing, !hasEnded else { return [] }
        isFinishing = true
        guard case .connected = link else { return close(.done) }
        return request("standings", .standings, at: now)
    }
}

// MARK: The lines of the server

extension Bot {
    /// Handles a line without its line end.
    package mutating func receive(_ text: String, at now: Instant) -> [ClientEffect] {
        guard case .connected = link else { return [] }
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
        if let end = knowledge.receive(message, at: now) { strategy.learn(end) }
        pace.notice(at: now, remaining: knowledge.remaining(at: now))
        if knowledge.isOver { return finish(at: now) }
        return []
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
            knowledge.bidder = bidder
            (claim, isNamed, lostSince) = ((sale?.serverID, token), true, nil)
            backoff.reset()
            return []
        case (.resume, _): sequence.endResuming()
        case (.names, _):
            knowledge.count(
                data.compactMap { line in
                    if case .who(let bidder) = line.message { bidder } else { nil }
                })
        case (.move, _): knowledge.accept(answer)
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
            if knowledge.learn(from: error) { pace.notice(at: now, remaining: nil) }
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
        case .format, .join, .snapshot, .names, nil: return lost(error.reason, at: now)
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
        knowledge.greet(greeting)
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
        guard let number = sequence.newest, let claim, claim.serverID == sale?.serverID else {
            return request("status", .snapshot, at: now) + takeName(at: now)
        }
        sequence.beginResuming()
        return request("resume \(number)", .resume, at: now)
            + request("status", .snapshot, at: now) + takeName(at: now)
    }

    private mutating func takeName(at now: Instant) -> [ClientEffect] {
        let token = claim.flatMap { $0.serverID == sale?.serverID ? " \($0.token)" : nil } ?? ""
        return request("name \(bidder)\(token)", .name, at: now)
            + request("who", .names, at: now)
    }

    /// Tries the next name if this one is taken, or this one later.
    private mutating func handleRefusal(
        ofName error: ErrorReply, at now: Instant
    ) -> [ClientEffect] {
        switch error.code {
        case .slowDown:
            let seconds = error.facts.first { $0.name == "seconds" }?.value ?? 1
            nameDue = now.advanced(by: .seconds(max(seconds, 1)))
            return []
        case .nameTaken, .wrongToken:
            claim = nil
            guard triedNames < Self.mostNames else {
                return close(.refused, "\(bidder): every name is taken")
            }
            knowledge.bidder = Self.name(settings, number: settings.number + triedNames)
            triedNames += 1
            return takeName(at: now)
        default: return close(.refused, "\(bidder) cannot play: \(error.reason)")
        }
    }
}

// MARK: The moves

extension Bot {
    /// Whether no answer is due, so that what the bot knows is what the server knows.
    private var isIdle: Bool { isNamed && pipeline.count == 0 && !isFinishing }

    /// Lets the strategy decide if it is time.
    private mutating func look(at now: Instant) -> [ClientEffect] {
        guard isIdle, let due = pace.due, now >= due else { return [] }
        pace.looked(at: now, again: knowledge.canAct ? Self.period : nil)
        guard let view = knowledge.view(at: now), let move = strategy.decide(view, at: now) else {
            return []
        }
        return request(move.line, .move, at: now)
    }
}

extension Move {
    /// The command of the protocol.
    fileprivate var line: String {
        let command: Request.Command =
            switch self {
            case .bid(let price): .bid(price)
            case .maximum(let price): .maximum(price)
            case .take: .take
            case .buy: .buy
            }
        return command.description
    }
}
