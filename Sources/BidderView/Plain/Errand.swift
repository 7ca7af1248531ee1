import AuctionRules
import Wire

/// One run of the client as a conversation with the server: lines in, actions out, and no I/O.
///
/// It says one thing at a time, and goes on when that was answered. To play, it then says what the
/// user says, which comes from outside too.
public struct Errand: Sendable {
    private let purpose: Purpose
    private var steps: ArraySlice<Step>
    private var format = Format.text
    private var isGreeted = false
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

    /// Prepares an errand; the token is the one kept for the name it goes under, if there is one.
    public init(_ purpose: Purpose, format: Format = .text, token: String? = nil) {
        self.purpose = purpose
        steps = Step.plan(purpose, format: format, token: token)[...]
    }

    /// Whether the server has yet to greet, to answer what was said last, or to say goodbye.
    public var awaitsAnswer: Bool { !isGreeted || !steps.isEmpty || unanswered > 0 || isKicked }

    /// Whether the name is taken, and the user's lines are said.
    var isPlaying: Bool {
        guard case .play = purpose else { return false }
        return isGreeted && steps.isEmpty
    }

    /// Begins to talk, now that the connection is there.
    public mutating func begin() -> [Action] {
        steps.first.map { [.send($0.line)] } ?? []
    }

    /// Hears a line without its end.
    public mutating func hear(_ text: String) -> [Action] {
        guard !isOver else { return [] }
        let line = Line(text, format == .json ? Notice(json: text) : Notice(text: text))
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
        switch line.notice {
        case .hello?: return []
        // There is no room, or the server is about to end.
        case .error?, .bye?: return [.complain(line), .exit(.lost)]
        default: break
        }
        return [.complain(Line("this is no auction/1 server: \(line.text)")), .exit(.lost)]
    }

    private mutating func respond(to line: Line) -> [Action] {
        switch line.notice {
        case .ok(let answer, _): return finishStep(answer, line)
        case .error(let fault, _): return fail(fault, line)
        case .bye(let farewell): return part(farewell, line)
        case .hello, .lot, .price, .countdown, .going, .winner, .passed, .over, .paused, .resumed,
            .hammered, .voided, .kicked, .stopped, .joined, .left, .skipped, .lap, .who, .help, nil:
            return hearNews(line)
        }
    }

    private mutating func hearNews(_ line: Line) -> [Action] {
        if case .lot(let opened, _, _)? = line.notice { lot = opened.number }
        switch steps.first?.hearing ?? .live {
        case .dropped: return []
        case .collected:
            collected.append(line)
            return []
        case .live:
            if isPlaying, case .kicked(let bidder, _) = line.notice, case .play(bidder) = purpose {
                isKicked = true
            }
            return [.show(line)] + outcome(of: line)
        }
    }

    /// The end of the lot on which one has bid.
    private func outcome(of line: Line) -> [Action] {
        guard case .bid(_, let bidder, _) = purpose, steps.isEmpty else { return [] }
        switch line.notice {
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
        actions += step.showsData ? data(of: answer).map { .show($0) } : []
        actions += step.showsAnswer ? [.show(line)] : []
        collected = []
        if let next = steps.first { return actions + [.send(next.line)] }
        return actions + (isDoneWhenAnswered ? [.exit(.done)] : [])
    }

    /// Takes note of what an answer changes for all that follows.
    private mutating func take(_ answer: Answer) -> [Action] {
        switch answer {
        case .name(let bidder, let token): return [.keep(token: token, of: bidder)]
        case .format(let chosen): format = chosen
        case .bid: lotBidOn = lot
        case .laps, .who, .status, .ping, .quit, .help, .auctioneer, .ruled: break
        }
        return []
    }

    private var isDoneWhenAnswered: Bool {
        switch purpose {
        case .bid(_, _, let waits): !waits
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

    private mutating func fail(_ fault: Fault, _ line: Line) -> [Action] {
        if isPlaying { return finishSaying(line) }
        guard let step = steps.popFirst() else { return [] }
        if case .send = purpose, step.showsAnswer {
            return [.show(line), .exit(.refused)]
        }
        return [.complain(line), .exit(.refused)]
    }

    private mutating func part(_ farewell: Notice.Farewell, _ line: Line) -> [Action] {
        if isPlaying { return partPlaying(farewell, line) }
        if case .send = purpose, farewell == .quit { return [.show(line), .exit(.done)] }
        if farewell == .replaced {
            return [.complain(Line("another call took over the name")), .exit(.refused)]
        }
        if farewell == .kicked {
            return [.complain(Line("the auctioneer kicked you out")), .exit(.refused)]
        }
        return [.complain(line), .exit(.lost)]
    }
}

extension Line {
    fileprivate var isLap: Bool { if case .lap? = notice { true } else { false } }
    fileprivate var isWho: Bool { if case .who? = notice { true } else { false } }
    fileprivate var isHelp: Bool { if case .help? = notice { true } else { false } }

    fileprivate var beginsSnapshot: Bool {
        switch notice {
        case .lot, .winner, .passed: true
        default: false
        }
    }
}
