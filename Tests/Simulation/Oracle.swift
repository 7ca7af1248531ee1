import AuctionRules
import Lobby
import Sale
import Storage
import Wire

/// Sees everything that is decided, durable, published and received, and checks it against the
/// promises.
final class Oracle {
    /// The first promise that was broken; nil if all were kept.
    private(set) var violation: Violation?
    /// How often each kind of action and of occurrence was seen.
    private(set) var counts: [String: Int] = [:]
    /// The number of lines that clients have received.
    var received = 0

    let terms: Terms
    /// What is on the disk.
    private(set) var log = LogReader()
    /// The lots by what was decided, of which the newest may not be on the disk.
    private(set) var decided: LotRecord
    private var position = 0
    /// After an earlier number news is gone: the server began with the event that follows it.
    private var firstRecalled = 1
    private var snapshot = SnapshotModel()
    var countdown: CountdownModel
    private(set) var game: GameReferee
    private var clock: LotClock
    /// When the next lot is due to open; nil if that is not known.
    private var opening: Duration?
    /// Up to when the input of all loops was handled when time passed last.
    var handledUntil = Duration.zero
    /// The decided effects that were not published, each with the number of the last event before.
    private var waiting: [(effect: Effect, position: Int)] = []
    private var waitingHead = 0
    private var published = 0
    private var publishedNames: Set<String> = []

    /// The clients that were given each token, and the tokens of the names that have bid.
    var tokens: [String: Set<Int>] = [:]
    var owned: [Bidder: String] = [:]
    /// How often each bid was asked for, and how often it was applied.
    private var asked: [String: Int] = [:]
    private var applied: [String: Int] = [:]
    /// The bids, each with the lot that it was answered for; nil if there was no answer.
    var bids: [(lot: Int?, operation: BidHistory.Operation)] = []
    /// What else happened to the lots, with the number of its event and its lot.
    private var changes: [(seq: Int, lot: Int, operation: BidHistory.Operation)] = []
    /// The connections and the limits since the server started.
    var usage: Usage
    private var hasUpkeepFailed = false

    init(_ terms: Terms) {
        self.terms = terms
        decided = LotRecord(rules: terms.rules)
        countdown = CountdownModel(seconds: terms.rules.seconds)
        game = GameReferee(terms.rules, terms.game?.settings ?? GameSettings())
        clock = LotClock(seconds: terms.rules.seconds)
        usage = Usage(loops: terms.loops)
    }

    func report(_ promise: Promise, _ facts: @autoclosure () -> String) {
        guard violation == nil else { return }
        violation = Violation(promise: promise, facts: facts())
    }

    private func note(_ found: Violation?) {
        if let found, violation == nil { violation = found }
    }

    func count(_ occurrence: Occurrence) { count(occurrence.rawValue) }

    func count(_ kind: String) { counts[kind, default: 0] += 1 }

    // Decisions

    /// Takes what a step decided; `connection` finds the connection of a session.
    func decide(
        _ effects: [Effect], at now: Duration, connection: (SessionID) -> Connection?
    ) {
        for effect in effects {
            checkTimes(effect)
            note(game.decide(effect))
            if case .news(let message, let seq, _) = effect { decide(message, seq, at: now) }
            note(snapshot.check(effect))
            let subject = effect.session.flatMap(connection)
            checkJoined(effect, subject)
            checkLimits(effect, at: now, of: subject)
            if case .reply(let message, _) = effect { checkReply(message, to: subject, at: now) }
            waiting.append((effect, position))
        }
        note(game.checkSettled())
    }

    private func decide(_ message: ServerMessage, _ seq: Int, at now: Duration) {
        if seq != position + 1 { report(.gapless, "\(seq) is decided after \(position)") }
        position = seq
        snapshot.take(message, seq: seq)
        let (isRestating, isLast) = (decided.repeats(message), decided.isLast)
        take(message.words)
        if let kind = message.change {
            let operation = BidHistory.Operation(kind, invoked: now, answered: nil)
            changes.append((seq, decided.lots.count, operation))
        }
        countNews(message)
        let (isRising, seconds) = (game.model.isRising, game.model.rules.seconds)
        switch message {
        case .lot:
            (countdown, clock) = (CountdownModel(seconds: seconds), LotClock(seconds: seconds))
            opening = nil
        case .price where game.model.isWon: countdown.hammer()
        // A price that leads again after a start does not begin the countdown: the start has.
        case .price:
            if isRestating ? countdown.isStopped : !isLast { countdown.price(seq: seq) }
        case .countdown(let number, _) where isRising:
            if !countdown.show(number, seq: seq, at: now) {
                report(.countdown, "COUNTDOWN \(number)")
            }
        case .winner, .passed:
            if case .winner = message, isRising { checkHammer(at: now) }
            countdown.stop()
            opening = decided.isPaused ? nil : now + terms.catalogue.pause
        case .hammered: countdown.hammer()
        case .over: opening = nil
        case .paused:
            countdown.stop()
            opening = nil
        case .voided: countdown.stop()
        case .resumed:
            if isRising { countdown.price(seq: seq) }
            if decided.lots.last?.isClosed == true { opening = now + terms.catalogue.pause }
        case .kicked(let bidder, _): usage.kicked[bidder] = now + terms.limits.kick
        default: break
        }
    }

    private func checkReply(
        _ message: ServerMessage, to connection: Connection?, at now: Duration
    ) {
        if case .lap(let bid) = message,
            decided.lots.last?.bids.contains(where: { $0.words == bid.words }) != true
        {
            report(.present, message.words)
        }
        guard message.isAnswer, connection?.isTurnedAway != true else { return }
        guard let connection, connection.answered < connection.commands.count else {
            return report(.answers, "\(message.words) answers nothing")
        }
        checkRecall(message, connection.commands[connection.answered])
        connection.commands[connection.answered].lot = decided.lots.count
        connection.answered += 1
        checkLines(of: connection, at: now)
    }

    /// Requires that missed news is gone only if the server started after it, and that no event has
    /// a number which is refused.
    private func checkRecall(_ answer: ServerMessage, _ command: Command) {
        guard case .resume(let after) = command.kind else { return }
        let isGone = after < position && after + 1 < max(firstRecalled, position - 999)
        switch answer {
        case .ok:
            if isGone { report(.resumes, "news after \(after) is there again") }
        case .error(let fault, _) where fault.code == .gone:
            count(.gone)
            if !isGone { report(.resumes, "news after \(after) of \(position) is gone") }
        case .error(let fault, _) where fault.code == .badArguments:
            count(.futureNumber)
            if after <= position { report(.resumes, "\(after) of \(position) is refused") }
        default: break
        }
    }

    // Time

    private func checkTimes(_ effect: Effect) {
        switch effect {
        case .news(let message, _, _): checkTimes(message, isNews: true)
        // Missed news has the times of then.
        case .reply(let message, _), .restate(let message, _, _):
            checkTimes(message, isNews: false)
        default: break
        }
    }

    private func checkTimes(_ message: ServerMessage, isNews: Bool) {
        switch message {
        case .lot(_, _, let elapsed):
            if isNews { clock.lot() }
            check(elapsed: elapsed, message)
        case .price(let bid, _, let remaining):
            if isNews, !decided.repeats(message) { check(elapsed: bid.elapsed, message) }
            check(remaining: remaining, message)
        case .countdown(let seconds, let remaining):
            if seconds > game.model.rules.seconds { report(.fullSeconds, message.words) }
            check(remaining: remaining, message)
        default: break
        }
    }

    private func check(elapsed: Duration?, _ message: ServerMessage) {
        guard let elapsed, !clock.show(elapsed: elapsed) else { return }
        report(.clock, "\(message.words) at \(elapsed.stopwatch) of the lot")
    }

    private func check(remaining: Duration?, _ message: ServerMessage) {
        guard let remaining, game.model.isRising else { return }
        if !clock.mayRemain(remaining) {
            report(.fullSeconds, "\(message.words), \(remaining.stopwatch) are left")
        }
        if !clock.show(remaining: remaining) {
            report(.clock, "\(message.words), \(remaining.stopwatch) are left")
        }
    }

    /// Requires that the hammer falls when it may, and that everything which reached a loop before
    /// its instant was handled.
    ///
    /// A connection that is not read from, because it passed a limit, may be late.
    private func checkHammer(at now: Duration) {
        if let hammer = countdown.hammerInstant {
            for connection in usage.places where connection.isUnhandled(before: hammer) {
                let facts = "the hammer fell for \(hammer.stopwatch)"
                report(.inTime, "\(connection.client.name) was not handled when \(facts)")
            }
        }
        if !countdown.mayFall(at: now) { report(.countdown, "the hammer fell") }
    }

    /// Requires that a server which sleeps until `deadline` wakes when something is due.
    ///
    /// What is due follows from what was decided and when, not from the server.
    func checkSleep(
        until deadline: Duration?, _ connections: some Sequence<Connection>, at now: Duration
    ) {
        let waits = connections.compactMap { $0.due(terms.limits) }
        let due = ([countdown.nextChange, opening] + waits).compactMap { $0 }.min()
        guard let due, deadline.map({ $0 > max(due, now) }) ?? true else { return }
        report(.due, "\(due.stopwatch), it sleeps until \(deadline?.stopwatch ?? "input comes")")
    }

    // What is durable, and published

    func noteAsked(_ amount: Int64, by bidder: Bidder) {
        asked["\(bidder) \(amount)", default: 0] += 1
        game.noteAsked(amount, by: bidder)
    }

    /// Requires that a line has no secret of somebody else.
    func checkSecrecy(_ words: String, to names: Set<Bidder>, sent: Set<Int64>) {
        guard let amount = game.secrecy.leak(in: words, to: names, sent: sent) else { return }
        report(.secret, "\(amount) is known to \(names): \(words)")
    }

    /// Reads what has come to the disk.
    func read(_ files: [String: [UInt8]]) {
        let segment = log.newestFirst
        note(log.read(files))
        if segment > 0, log.newestFirst > segment { count(.newSegment) }
    }

    /// Takes an event: it must be able to follow, and a bid was asked for, once for each time.
    private func take(_ words: String) {
        let message = ServerMessage(text: words)
        let rules = game.plainRules(ofLot: decided.lots.count)
        if rules != nil, !decided.repeats(message), case .price(let bid, _, _)? = message {
            let key = "\(bid.bidder) \(bid.price.amount)"
            applied[key, default: 0] += 1
            if applied[key, default: 0] > asked[key, default: 0] { report(.applied, words) }
        }
        note(decided.take(words, in: rules))
    }

    /// Requires that what was durable at the end of its step is published in it.
    func checkPrompt(isIdle: Bool, hasFailed: Bool) {
        count(.durableInStep)
        if !isIdle, !hasFailed { report(.prompt, "something waits at event \(position)") }
    }

    /// Takes what is published: it must be what was decided, in order, and durable.
    func checkPublished(_ effect: Effect, at now: Duration) {
        guard waitingHead < waiting.count, waiting[waitingHead].effect == effect else {
            return report(.order, "\(effect) was not decided next")
        }
        let position = waiting[waitingHead].position
        waitingHead += 1
        game.publish(effect)
        if position > log.last { report(.durable, "\(effect) after \(log.last)") }
        switch effect {
        case .news(let message, let seq, _):
            guard seq <= log.last else { return }
            if log.events[seq - 1] != message.words { report(.durable, message.words) }
            published = seq
            if let index = changes.lastIndex(where: { $0.seq == seq }) {
                changes[index].operation.answered = now
            }
        case .note(.nameTaken(let bidder, let token)):
            let words = "NAME \(bidder) \(token)"
            if !log.names.contains(words) { report(.durable, words) }
            publishedNames.insert(words)
        default: break
        }
    }

    func note(_ upkeep: Upkeep) {
        switch upkeep {
        case .removed:
            count(.removedSegment)
            hasUpkeepFailed = false
        case .failed: hasUpkeepFailed = true
        case .nearlyFull: break
        }
    }

    // Starts

    /// Begins again with what a start has found on its disk.
    func recover(_ files: [String: [UInt8]], at now: Duration) {
        let before = log
        (log, decided) = (LogReader(after: before), LotRecord(rules: terms.rules))
        (applied, snapshot) = ([:], SnapshotModel())
        read(files)
        note(game.recover(log.replay.main))
        for (index, words) in log.events.enumerated() {
            take(words)
            if let message = ServerMessage(text: words) { snapshot.take(message, seq: index + 1) }
        }
        if log.events.prefix(published) != before.events.prefix(published) {
            report(.kept, "\(published) events were published, \(log.last) are there")
        }
        if !publishedNames.isSubset(of: log.names) { report(.kept, "a name is lost") }
        if log.firstKept > 1 { count(.startWithoutOldSegments) }
        firstRecalled = log.newestFirst
        (waiting, waitingHead) = ([], 0)
        usage = Usage(loops: terms.loops)
        (position, opening, hasUpkeepFailed) = (log.last, nil, false)
        let seconds = game.model.rules.seconds
        countdown = CountdownModel(
            seconds: seconds, isHammered: decided.isHammered || game.model.isWon)
        clock = LotClock(seconds: seconds)
        changes.removeAll { $0.seq > log.last }
    }

    /// Requires that a server which started now would know what this one knows.
    func checkReplay(_ state: [(record: Record, number: Int?)]) {
        guard log.last == position else { return }
        var replay = ServerReplay()
        guard replay.beginSegment(first: position + 1, state: state.count) else {
            return report(.replays, "\(state.count) lines of state at event \(position + 1)")
        }
        for (record, number) in state where !replay.replay(record, number: number) {
            return report(.replays, "\(record)")
        }
        let (one, other) = (stateLines(after: log.replay), stateLines(after: replay))
        if one != other { report(.replays, "\(one) is not \(other)") }
    }

    /// Stands for the identity of a journal that has none yet.
    private static let game = GameID("none") ?? Lobby.randomGame()

    private func stateLines(after replay: ServerReplay) -> [String] {
        let lobby = Lobby(
            rules: terms.rules, catalogue: terms.catalogue,
            settings: terms.game?.settings ?? GameSettings(), limits: .none, resuming: replay,
            at: Instant(nanoseconds: 0), game: Self.game)
        return lobby.state.compactMap { record, number in
            // A journal that is closed ends with the time of day, which the sale does not know.
            if case .event(.timeNoted) = record { return nil }
            var record = record
            if case .name(let bidder, let token, _?) = record {
                record = .name(bidder, token, used: nil)
            }
            var line: [UInt8] = []
            record.appendText(to: &line)
            let elapsed = record.elapsedMilliseconds.map { " \($0)" } ?? ""
            return "\(number ?? 0) " + String(decoding: line.dropLast(), as: UTF8.self) + elapsed
        }.sorted()
    }

    // The end

    /// The longest time from a connection to its greeting, if everything works.
    private static let timeToGreet = Duration.seconds(15)

    /// Checks what is known only at the end, after everything has worked for a while.
    func checkEnd(_ world: World) {
        if let lot = decided.lots.last, !lot.bids.isEmpty, !lot.isClosed, !decided.isPaused {
            report(.live, "lot \(lot.lot.number) is still open")
        }
        for client in world.clients {
            // Lots that begin at their opening never end, nor do the commands that clients repeat.
            guard let connection = client.connection,
                world.now - client.connectedAt > Self.timeToGreet
            else { continue }
            if client.lastNews != log.last {
                let facts = "\(client.lastNews ?? 0) of \(log.last)"
                report(.order, "\(client.name) has received \(facts)")
            }
            if let complaint = client.socket?.complaint {
                report(.webSocket, "\(client.name): \(complaint)")
            }
            if let command = connection.pending.first {
                report(.answers, "\(client.name) waits: \(command.kind)")
            }
        }
        checkRetention(world.disk.contents)
        for lot in decided.lots.indices { checkOrder(ofLot: lot + 1) }
    }

    private func checkRetention(_ files: [String: [UInt8]]) {
        let segments = files.filter { $0.key.hasSuffix(".journal") }.sorted { $0.key < $1.key }
        let bytes = segments.dropLast().reduce(0) { $0 + $1.value.count }
        guard let most = terms.retention.bytes, bytes > most, !hasUpkeepFailed else { return }
        report(.retained, "\(bytes) bytes in \(segments.count - 1) old segments")
    }

    /// Requires that the bids on a lot, and their answers, could have come one after the other.
    private func checkOrder(ofLot number: Int) {
        guard let rules = game.plainRules(ofLot: number) else { return }
        var history = BidHistory(
            start: rules.start.amount, step: rules.step.amount,
            allowsSelfRaise: rules.allowsSelfRaise, mostRaise: rules.mostRaise?.amount)
        history.operations = bids.compactMap { bid in
            bid.lot.map { $0 == number } ?? mayConcern(bid.operation, number)
                ? bid.operation : nil
        }
        history.operations += changes.filter { $0.lot == number }.map(\.operation)
        switch history.isLinearizable {
        case true?: break
        case false?: report(.linearizable, "lot \(number): \(history.description)")
        case nil: report(.linearizable, "lot \(number): no order found in time")
        }
    }

    /// Whether a bid without an answer may be one of a lot's.
    private func mayConcern(_ operation: BidHistory.Operation, _ number: Int) -> Bool {
        guard case .bid(let amount, let bidder, _) = operation.kind else { return false }
        return Bidder(bidder).map { decided.holds(amount, by: $0, inLot: number) } == true
    }
}

extension Oracle {
    private func countNews(_ message: ServerMessage) {
        switch message {
        case .terms: count(.terms)
        case .ask: count(.ask)
        case .sealed: count(.sealed)
        case .revealed: count(.revealed)
        case .reserveMet: count(.reserveMet)
        case .passed(_, "reserve-not-met", _): count(.reserveNotMet)
        case .passed(_, "no-bids", _): count(.unwanted)
        case .value: count(.value)
        case .champion: count(.champion)
        case .said: count(.said)
        case .winner(let sold) where game.model.leading.map { $0.price > sold.price } ?? true:
            count(.soldSealed)
        default: break
        }
    }
}

extension ServerMessage {
    /// What it does to a lot, other than a bid; nil for nothing.
    fileprivate var change: BidHistory.Operation.Kind? {
        switch self {
        case .winner: .hammer
        case .paused: .pause
        case .resumed: .resume
        case .voided: .void
        case .passed: .close
        default: nil
        }
    }
}

extension Bid {
    /// Its line in a list.
    fileprivate var words: String { ServerMessage.lap(self).words }
}
