import AuctionRules
import Wire

/// One run of the client as a conversation with the server: lines in, actions out, and no I/O.
///
/// It says one thing at a time, and goes on when that was answered. To play, it then says what the
/// user says, which comes from outside too.
public struct Errand: Sendable {
    private let purpose: Purpose
    private let wantedFormat: Format
    private let token: @Sendable (GameID?) -> String?
    private var steps: ArraySlice<Step>
    private var format = Format.text
    private var isGreeted = false
    /// The identity of the game, from the greeting.
    private var game: GameID?
    private var standing = Standing()
    /// Whether the bid waits for a lot to open, or for the sale to resume.
    private var isAwaitingLot = false
    var isOver = false
    /// How many of the user's lines wait for their answers, and whether there will be no more.
    var unanswered = 0
    var hasInputEnded = false
    /// Whether it has been kicked out, and will be told goodbye.
    var isKicked = false
    private var collected: [Line] = []
    /// The number of the lot that was heard of last, and of the one that was bid on.
    private var lot: Int?
    private var lotBidOn: Int?

    /// Prepares an errand; `token` returns the stored token of its name in a game, if there is one.
    public init(
        _ purpose: Purpose, format: Format = .text,
        token: @escaping @Sendable (GameID?) -> String? = { _ in nil }
    ) {
        self.purpose = purpose
        wantedFormat = format
        self.token = token
        steps = Step.plan(purpose, format: format)[...]
    }

    /// Whether the server has yet to greet, to answer what was said last, or to say goodbye.
    ///
    /// False while it waits for a lot, which may take any time.
    public var awaitsAnswer: Bool {
        !isGreeted || (!steps.isEmpty && !isAwaitingLot) || unanswered > 0 || isKicked
    }

    /// Whether the name is taken, and the user's lines are said.
    var isPlaying: Bool {
        guard case .play = purpose else { return false }
        return isGreeted && steps.isEmpty
    }

    /// Begins to talk, now that the connection is there.
    ///
    /// It takes a name only after the greeting, because the token depends on the game.
    public mutating func begin() -> [Action] {
        guard let step = steps.first, step.claim == nil else { return [] }
        return [say(step)]
    }

    private func say(_ step: Step) -> Action {
        guard let bidder = step.claim, let token = token(game) else { return .send(step.line) }
        return .send(Request.Command.name(bidder, token: token).description)
    }

    /// Hears a line without its end.
    public mutating func hear(_ text: String) -> [Action] {
        guard !isOver else { return [] }
        let line = Line(
            text, format == .json ? ServerMessage(json: text) : ServerMessage(text: text))
        let actions = isGreeted ? respond(to: line) : greet(line)
        isOver = actions.contains { if case .exit = $0 { true } else { false } }
        return actions
    }

    /// Hears that the server will say no more.
    public mutating func lose() -> [Action] {
        guard !isOver else { return [] }
        isOver = true
        return [.complain(Line("the server closed the connection")), .exit(.lost)]
    }

    private mutating func greet(_ line: Line) -> [Action] {
        isGreeted = true
        switch line.message {
        case .hello(_, _, let game)?:
            self.game = game
            guard let step = steps.first, step.claim != nil else { return [] }
            return [say(step)]
        // The server is full or about to end. It says so in text, even if the user wants JSON.
        case .error?, .bye?:
            return [wantedFormat == .text ? .show(line) : .complain(line), .exit(.lost)]
        default: break
        }
        return [.complain(Line("this is no auction/1 server: \(line.text)")), .exit(.lost)]
    }

    private mutating func respond(to line: Line) -> [Action] {
        switch line.message {
        case .ok(let answer, _): return finishStep(answer, line)
        case .error(let fault, _): return fail(fault, line)
        case .bye(let farewell): return part(farewell, line)
        case .hello, .lot, .price, .countdown, .last, .going, .winner, .passed, .over, .paused,
            .resumed,
            .hammered, .voided, .kicked, .stopped, .joined, .left, .skipped, .lap, .who, .help, nil:
            return hearNews(line)
        }
    }

    private mutating func hearNews(_ line: Line) -> [Action] {
        if case .lot(let opened, _, _)? = line.message { lot = opened.number }
        if let message = line.message { standing = standing.hearing(message) }
        switch steps.first?.hearing ?? .live {
        case .dropped: return []
        case .collected:
            collected.append(line)
            return []
        case .live:
            if isPlaying, case .kicked(let bidder, _) = line.message, case .play(bidder) = purpose {
                isKicked = true
            }
            return (isOldOutcome(line) ? [] : [.show(line)]) + outcome(of: line) + bidIfDue(line)
        }
    }

    /// Whether a line is the result of a lot that ended before the bidder connected.
    private func isOldOutcome(_ line: Line) -> Bool {
        guard case .bid = purpose, lot == nil else { return false }
        switch line.message {
        case .winner, .passed: return true
        default: return false
        }
    }

    /// Sends the waiting bid as soon as a lot accepts bids; after the last lot none will.
    private mutating func bidIfDue(_ line: Line) -> [Action] {
        guard isAwaitingLot else { return [] }
        switch line.message {
        case .over: return giveUpBid
        case .lot, .resumed:
            guard takesBids, let step = steps.first else { return [] }
            isAwaitingLot = false
            return [say(step)]
        default: return []
        }
    }

    private var takesBids: Bool { standing.isOpen && !standing.isPaused }

    private var giveUpBid: [Action] { [.complain(Line("the sale is over")), .exit(.refused)] }

    /// Makes a refused bid wait for a lot that accepts bids; nil without `--wait`.
    private mutating func awaitLot() -> [Action]? {
        guard case .bid(_, _, _, true) = purpose, steps.first?.isBid == true else { return nil }
        if standing.lotsDone != nil { return giveUpBid }
        isAwaitingLot = true
        let isPaused = standing.isOpen && standing.isPaused
        return [
            .complain(Line(isPaused ? "the sale is paused, waiting" : "waiting for the next lot"))
        ]
    }

    /// The end of the lot on which one has bid.
    private func outcome(of line: Line) -> [Action] {
        guard case .bid(_, let bidder, _, _) = purpose, steps.isEmpty else { return [] }
        switch line.message {
        case .winner(let sale): return [.exit(sale.bidder == bidder ? .done : .refused)]
        case .passed: return [.exit(.refused)]
        case .lot where lot != lotBidOn:
            return [.complain(Line("the end of the lot was missed")), .exit(.lost)]
        default: return []
        }
    }

    private mutating func finishStep(_ answer: Answer, _ line: Line) -> [Action] {
        var actions = take(answer)
        if isPlaying { return actions + finishSaying(line) }
        guard let step = steps.popFirst() else { return [] }
        if step.showsData { actions += show(data(of: answer), of: answer) }
        actions += step.showsAnswer ? [.show(line)] : []
        collected = []
        if steps.first?.isBid == true, !takesBids, let waiting = awaitLot() {
            return actions + waiting
        }
        if let next = steps.first { return actions + [say(next)] }
        return actions + (isDoneWhenAnswered ? [.exit(.done)] : [])
    }

    /// Shows the data of an answer, or a message if there is none.
    private func show(_ data: [Line], of answer: Answer) -> [Action] {
        let shown = data.filter { !isOldOutcome($0) }.map { Action.show($0) }
        guard case .ask = purpose, data.isEmpty else { return shown }
        return answer.emptiness.map { [.complain(Line($0))] } ?? []
    }

    /// Takes note of what an answer changes for all that follows.
    private mutating func take(_ answer: Answer) -> [Action] {
        switch answer {
        case .name(let bidder, let token): return [.keep(token: token, of: bidder, in: game)]
        case .format(let chosen): format = chosen
        case .bid: lotBidOn = lot
        case .laps, .who, .status, .ping, .quit, .help, .auctioneer, .ruled: break
        }
        return []
    }

    private var isDoneWhenAnswered: Bool {
        switch purpose {
        case .bid(_, _, let waits, _): !waits
        case .play, .watch: false
        case .ask, .send: true
        }
    }

    /// The lines that belong to an answer, which stand right before it.
    private func data(of answer: Answer) -> [Line] {
        let start =
            switch answer {
            case .laps: (collected.lastIndex { !$0.isLap } ?? -1) + 1
            case .who: (collected.lastIndex { !$0.isWho } ?? -1) + 1
            case .help: (collected.lastIndex { !$0.isHelp } ?? -1) + 1
            case .status: collected.lastIndex { $0.beginsSnapshot } ?? collected.endIndex
            case .name, .bid, .format, .ping, .quit, .auctioneer, .ruled: collected.endIndex
            }
        return Array(collected[start...])
    }

    private mutating func fail(_ fault: ErrorReply, _ line: Line) -> [Action] {
        if isPlaying { return finishSaying(line) }
        guard !steps.isEmpty else { return [] }
        if fault.code == .closed || fault.code == .paused, let waiting = awaitLot() {
            return waiting
        }
        steps.removeFirst()
        return [.show(line), .exit(.refused)]
    }

    /// Handles `BYE`; the line is not shown after a question such as `who`.
    private func part(_ farewell: ServerMessage.CloseReason, _ line: Line) -> [Action] {
        let shown: [Action] =
            switch purpose {
            case .bid, .play, .watch: [.show(line)]
            case .ask, .send: []
            }
        let complaint = Action.complain(Line(Trouble.parted(farewell).reason))
        switch farewell {
        case .quit: return shown + [.exit(.done)]
        case .replaced, .kicked: return shown + [complaint, .exit(.refused)]
        default: return shown + [complaint, .exit(.lost)]
        }
    }
}

extension Answer {
    /// The message for an answer without data.
    fileprivate var emptiness: String? {
        switch self {
        case .who: "nobody is here under a name"
        case .laps(0): "nobody has bid on this lot"
        case .laps(let count): "the lot has \(count) \(count == 1 ? "bid" : "bids")"
        case .status: "no lot has opened yet"
        case .name, .bid, .format, .ping, .quit, .help, .auctioneer, .ruled: nil
        }
    }
}

extension Line {
    fileprivate var isLap: Bool { if case .lap? = message { true } else { false } }
    fileprivate var isWho: Bool { if case .who? = message { true } else { false } }
    fileprivate var isHelp: Bool { if case .help? = message { true } else { false } }

    fileprivate var beginsSnapshot: Bool {
        switch message {
        case .lot, .winner, .passed: true
        default: false
        }
    }
}
