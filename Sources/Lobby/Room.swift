import AuctionRules
import MonotonicTime
import Sale
import Wire

/// One sale, and what its clients do in it: their names, their commands and the answers.
///
/// Connections, their rates and the outputs belong to the lobby and are arguments. What a command
/// means for connections is returned as an `Outcome`, which the lobby performs.
struct Room {
    /// The number of entries of a list if no range was requested: the newest.
    private static let newestEntries = 20

    private var live: LiveSale
    private var accounts: Accounts
    private var auctioneer = Auctioneer()
    private var answers = LongAnswers()
    private var chat = ChatLimits()
    private var standings = RecentStandings()

    /// What remains to be done for the connections after a command.
    enum Outcome {
        /// Nothing.
        case answered
        /// The answer was begun; it must be continued.
        case answering
        /// The connection must use another encoding.
        case changeEncoding(Encoding)
        /// A connection must be closed for a reason.
        case close(SessionID, ServerMessage.CloseReason)
        /// Another connection took the name over, so this one must be closed.
        case replace(SessionID)
        /// All connections must be closed, because the auctioneer stopped the server.
        case stop
    }

    /// Opens the first lot of a sale, or continues one that was recovered.
    init(
        _ live: consuming LiveSale, _ accounts: consuming Accounts, game: GameID,
        _ settings: GameSettings, at now: Instant, _ outputs: inout Outputs
    ) {
        (self.live, self.accounts) = (live, accounts)
        if self.live.sale.game == nil { self.live.commit(.gameCreated(game), at: now, &outputs) }
        let former = self.live.sale.options
        if let options = settings.options(after: former, Self.randomSeed), options != former {
            self.live.commit(.gameSet(options), at: now, &outputs)
        }
        self.accounts.releaseAll(in: &self.live, at: now, &outputs)
        self.live.continueLots(at: now, &outputs)
    }

    private static func randomSeed() -> Seed {
        var generator = SystemRandomNumberGenerator()
        return Seed(using: &generator)
    }

    /// The sale as it is recorded.
    var sale: Sale { live.sale }

    /// The titles of the next lots, in order; nil if the lots never end.
    var titlesAhead: [String]? { live.titlesAhead }

    /// How late each second of a countdown was published, down to the hammer.
    var countdownLateness: DurationHistogram { live.countdownLateness }

    // Time

    /// When `expire` is next due; nil if only input can change anything.
    var deadline: Instant? { Instant.earliest(live.deadline, accounts.deadline) }

    /// Sets what the clock shows at an instant, in milliseconds since 1970.
    mutating func setTimeOfDay(_ timeOfDay: Int64, at now: Instant) {
        live.setTimeOfDay(timeOfDay, at: now)
    }

    /// Does what was due until `handledUntil`: names, absences, the countdown and the next lot.
    mutating func expire(
        at now: Instant, handledUntil: Instant, _ rates: inout RateLimits,
        _ outputs: inout Outputs
    ) {
        accounts.expireNames(in: &live, &rates, at: now, &outputs)
        accounts.expireAbsences(
            in: &live, &rates, at: now, handledUntil: handledUntil, &outputs)
        live.expire(at: now, handledUntil: handledUntil, &outputs)
    }

    /// Notes that the news up to this number was published.
    mutating func published(upTo seq: Int, at now: Instant) {
        live.published(upTo: seq, at: now)
    }

    // Connections

    /// Sends a connection the greeting and the snapshot.
    func greet(_ id: SessionID, at now: Instant, _ outputs: inout Outputs) {
        let rules = live.sale.rules
        outputs.reply(
            .hello(seconds: rules.seconds, step: rules.step, game: live.sale.game, room: .main),
            to: id)
        live.sendSnapshot(to: id, at: now, &outputs)
    }

    /// Sends a snapshot to a connection that fell behind the news, after its current answer, and
    /// what holds for its bidder alone.
    mutating func resync(
        _ id: SessionID, of bidder: Bidder?, at now: Instant, _ outputs: inout Outputs
    ) {
        guard !answers.delaySnapshot(to: id) else { return }
        outputs.perform(.skip(id))
        live.sendSnapshot(to: id, at: now, &outputs)
        if let bidder { live.sendPrivateState(of: bidder, to: id, &outputs) }
    }

    /// Releases the name of a connection that has ended.
    mutating func release(
        _ bidder: Bidder, by id: SessionID, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        accounts.release(bidder, by: id, in: &live, &rates, at: now, &outputs)
    }

    // Commands

    /// Lets the rules decide a bid; the reply to its bidder precedes the news.
    mutating func bid(
        _ price: Price, tag: String?, by bidder: Bidder?, on id: SessionID, as encoding: Encoding,
        at now: Instant, _ outputs: inout Outputs
    ) {
        guard let bidder else { return outputs.refuseBid(.notNamed, tag: tag, to: id) }
        do throws(Auction.Refusal) {
            let event = try live.decide(.bid(price, by: bidder), at: now, &outputs)
            outputs.confirmBid(event?.offer?.price ?? price, tag: tag, to: id, as: encoding)
            if let event { live.record(event, at: now, &outputs) }
        } catch {
            outputs.refuseBid(ErrorReply(error, isOver: live.isOver), tag: tag, to: id)
        }
    }

    /// Lets the rules decide a purchase or a maximum, like a bid.
    private mutating func offer(
        _ command: (Bidder) -> Auction.Command, tag: String?, of id: SessionID,
        _ session: borrowing Session, at now: Instant, _ outputs: inout Outputs
    ) {
        guard let bidder = session.bidder else {
            return outputs.refuseBid(.notNamed, tag: tag, to: id)
        }
        let command = command(bidder)
        do throws(Auction.Refusal) {
            let event = try live.decide(command, at: now, &outputs)
            let (word, answer) = command.confirmation(event, in: live.auction)
            outputs.figures.otherBidsAccepted.add(word)
            outputs.confirmOffer(answer, tag: tag, to: id, as: session.encoding)
            if let event { live.record(event, at: now, &outputs) }
        } catch {
            outputs.refuseBid(ErrorReply(error, isOver: live.isOver), tag: tag, to: id)
        }
    }

    /// Sends a message of a bidder to everybody.
    private mutating func say(
        _ text: String, tag: String?, by bidder: Bidder?, on id: SessionID, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard let bidder else { return outputs.refuse(.notNamed, tag: tag, to: id) }
        guard !live.sale.muted.contains(bidder) else {
            return outputs.refuse(.muted, tag: tag, to: id)
        }
        if let seconds = chat.charge(bidder, at: now) {
            outputs.note(.messages)
            return outputs.refuse(.tooManyMessages(seconds: seconds), tag: tag, to: id)
        }
        outputs.reply(.ok(.said, tag: tag), to: id)
        outputs.figures.messages += 1
        live.commit(.messageSaid(bidder, text: text), at: now, &outputs)
    }

    /// Executes a request, and answers it with exactly one `OK` or `ERROR`, now or later.
    mutating func execute(
        _ request: Request, of id: SessionID, _ session: inout Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let tag = request.tag
        switch request.command {
        case .bid(let price):
            bid(
                price, tag: tag, by: session.bidder, on: id, as: session.encoding, at: now,
                &outputs)
        case .take: offer({ .take(by: $0) }, tag: tag, of: id, session, at: now, &outputs)
        case .buy: offer({ .buy(by: $0) }, tag: tag, of: id, session, at: now, &outputs)
        case .maximum(let price):
            offer({ .setMaximum(price, by: $0) }, tag: tag, of: id, session, at: now, &outputs)
        case .say(let text): say(text, tag: tag, by: session.bidder, on: id, at: now, &outputs)
        case .name(let bidder, let token):
            return takeName(
                bidder, token: token, tag: tag, by: id, &session, &rates, at: now, &outputs)
        case .laps(let range):
            let laps = numbers(range, of: live.auction.bidCount)
            return answer(.list(.laps(lot: live.auction.lot.number), laps), tag: tag, to: id)
        case .results(let range):
            let results = numbers(range, of: live.sale.lotsEnded)
            return answer(.list(.results, results), tag: tag, to: id)
        case .who:
            let last = live.sale.names.lastNumber
            return answer(.who(after: 0, upTo: last, listed: 0), tag: tag, to: id)
        case .standings:
            return answer(.standings(standings.rows(of: live.sale), from: 0), tag: tag, to: id)
        case .rooms, .join, .open: outputs.refuse(.roomsFull, tag: tag, to: id)
        case .resume(let number): return resume(after: number, tag: tag, of: id, &outputs)
        case .status: return answer(.status(session.bidder), tag: tag, to: id)
        case .format(let format):
            return change(to: format, from: session.encoding, tag: tag, of: id, &outputs)
        case .ping: outputs.reply(.ok(.ping, tag: tag), to: id)
        case .help: return answer(.help(from: 0), tag: tag, to: id)
        case .quit:
            outputs.reply(.ok(.quit, tag: tag), to: id)
            return .close(id, .quit)
        case .auctioneer(let token):
            let mustClose = auctioneer.appoint(
                id, &session, token: token, tag: tag, &rates, at: now, &outputs)
            if mustClose { return .close(id, .wrongToken) }
        case .rule(let command):
            return execute(command, tag: tag, of: id, session, &rates, at: now, &outputs)
        }
        return .answered
    }

    /// Whether a request has a right token.
    func proves(_ request: Request?, _ session: borrowing Session) -> Bool {
        switch request?.command {
        case .name(let bidder, let token?):
            live.sale.names[bidder]?.token.isSpelled(token) == true
        case .auctioneer(let token): auctioneer.accepts(token, from: session.address)
        default: false
        }
    }

    private mutating func takeName(
        _ bidder: Bidder, token: String?, tag: String?, by id: SessionID,
        _ session: inout Session, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Outcome {
        let outcome = accounts.take(
            bidder, token: token, tag: tag, by: id, &session, in: &live, &rates, at: now,
            &outputs)
        live.settle(at: now, &outputs)
        return switch outcome {
        case .answered: .answered
        case .replaced(let former): .replace(former)
        case .tooManyWrongTokens: .close(id, .wrongToken)
        }
    }

    /// Changes the format; the answer is still in the previous one.
    private func change(
        to format: Format, from current: Encoding, tag: String?, of id: SessionID,
        _ outputs: inout Outputs
    ) -> Outcome {
        guard let encoding = current.changed(to: format) else {
            let usage = "format json, because a WebSocket has no other format"
            outputs.refuse(ErrorReply(.badArguments(usage: usage)), tag: tag, to: id)
            return .answered
        }
        outputs.reply(.ok(.format(format), tag: tag), to: id)
        return .changeEncoding(encoding)
    }

    /// Executes a command of the auctioneer.
    private mutating func execute(
        _ command: AuctioneerCommand, tag: String?, of id: SessionID, _ session: Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let outcome = auctioneer.execute(
            command, tag: tag, of: id, session, in: &live, at: now, &outputs)
        switch outcome {
        case .answered: return .answered
        case .kick(let bidder, let reason):
            let holder = accounts.kick(
                bidder, reason: reason, in: &live, &rates, at: now, &outputs)
            live.settle(at: now, &outputs)
            return holder.map { .close($0, .kicked) } ?? .answered
        case .stop:
            live.commit(.stopped, at: now, &outputs)
            return .stop
        }
    }

    /// Sends the news after a number; refuses a number greater than the newest.
    private mutating func resume(
        after number: Int, tag: String?, of id: SessionID, _ outputs: inout Outputs
    ) -> Outcome {
        let newest = live.sale.eventNumber
        guard number <= newest else {
            let usage = "resume NUMBER with a NUMBER up to \(newest), the newest"
            outputs.refuse(ErrorReply(.badArguments(usage: usage)), tag: tag, to: id)
            return .answered
        }
        let missed = LongAnswer.Numbers(left: number + 1..<newest + 1, count: newest - number)
        return answer(.list(.news, missed), tag: tag, to: id)
    }

    /// The requested part of a list that now has `count` entries.
    private func numbers(_ range: ListRange?, of count: Int) -> LongAnswer.Numbers {
        let first = min(range?.first ?? max(count - Self.newestEntries, 0) + 1, count + 1)
        let end = min(first + (range?.count ?? Self.newestEntries), count + 1)
        return LongAnswer.Numbers(left: first..<end, count: count)
    }

    // Long answers

    /// The number of lines of long answers that may still be sent in this step.
    var answerBudget: Int {
        get { answers.budget }
        set { answers.budget = newValue }
    }

    /// Whether an answer to a connection is incomplete.
    func isAnswering(_ id: SessionID) -> Bool { answers.contains(id) }

    private mutating func answer(
        _ rest: LongAnswer.Rest, tag: String?, to id: SessionID
    ) -> Outcome {
        answers.begin(rest, tag: tag, to: id)
        return .answering
    }

    /// Sends the next part of the answer to a connection.
    ///
    /// After an answer that has held back or repeated news, the bidder's private lines are sent
    /// again: clients forget the worth of a lot when the next one opens.
    mutating func continueAnswer(
        to id: SessionID, of bidder: Bidder?, at now: Instant, _ outputs: inout Outputs
    ) -> LongAnswers.Progress {
        let progress = answers.continue(to: id, from: live, at: now, &outputs)
        if case .complete(let answer, _) = progress {
            let isDue = outputs.takeWithheld(id) || answer.repeatsNews
            if isDue, !answer.needsSnapshot, let bidder {
                live.sendPrivateState(of: bidder, to: id, &outputs)
            }
        }
        return progress
    }

    /// Notes that a connection ends after its answer; false if none is incomplete.
    mutating func endAfterAnswer(to id: SessionID) -> Bool { answers.endAfterAnswer(to: id) }

    /// Ends an incomplete answer with an error, because its connection is about to be closed.
    mutating func breakOffAnswer(to id: SessionID, _ outputs: inout Outputs) {
        answers.breakOff(to: id, &outputs)
    }

    /// Removes the answer to a connection that has ended.
    mutating func removeAnswer(to id: SessionID) { answers.remove(id) }

    // The auctioneer

    /// The auctioneer's token; nil if nobody can be the auctioneer.
    var auctioneerToken: AuctioneerToken? {
        get { auctioneer.token }
        set { auctioneer.token = newValue }
    }

    /// Whether the auctioneer's token is accepted on the Unix socket alone.
    var isAuctioneerLocal: Bool {
        get { auctioneer.isLocal }
        set { auctioneer.isLocal = newValue }
    }
}

/// The standings of a sale, which are computed at most once for each event.
private struct RecentStandings {
    private var rows: [StandingsRow] = []
    /// The number of the newest event when they were computed.
    private var number = 0

    /// The rows as they are now.
    mutating func rows(of sale: borrowing Sale) -> [StandingsRow] {
        if number != sale.eventNumber { (rows, number) = (sale.standings, sale.eventNumber) }
        return rows
    }
}

extension Auction.Command {
    /// The word of a purchase or a maximum in the metrics, and the answer that confirms it.
    ///
    /// The price is the accepted one: a maximum above the buy price counts as the buy price.
    fileprivate func confirmation(
        _ event: Auction.Event?, in auction: borrowing Auction
    ) -> (word: String, Answer) {
        switch self {
        case .setMaximum(_, let bidder):
            // Without an event the maximum stays as it is.
            ("max", .maximum(event.map(\.offer?.price) ?? auction.maximum(of: bidder)))
        case .buy: ("buy", .buy(event?.offer?.price ?? .highest))
        default: ("take", .take(event?.offer?.price ?? .highest))
        }
    }
}
