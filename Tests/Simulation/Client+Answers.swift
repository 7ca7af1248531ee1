import AuctionRules
import Sale
import Wire

// Checks of what a client receives.
extension Client {
    /// Receives a line: it must be the next that was sent, and news must be the next in the log.
    func receive(_ words: String, on connection: Connection) {
        let oracle = world.oracle
        oracle.received += 1
        guard let line = connection.nextLine(),
            line.payload.elementsEqual(words.utf8)
        else { return oracle.report(.order, "\(name) receives \(words), which was not sent next") }
        guard let message = ServerMessage(text: words) ?? ServerMessage(json: words) else {
            return oracle.report(.order, "\(name) cannot read \(words)")
        }
        world.trace("    \(name) receives \(words)")
        oracle.checkSecrecy(words, to: namesHeld.union([name]), sent: amountsSent)
        switch line.kind {
        case .news(let seq):
            checkFrame(words, seq)
            receiveNews(message, seq, words)
        case .missed(let seq): receiveMissed(message, seq, words, on: connection)
        case .hello(let after): lastNews = after
        case .reply: receiveReply(message, on: connection)
        case .telnet: break
        }
        learn(message)
    }

    private func receiveNews(_ message: ServerMessage, _ seq: Int, _ words: String) {
        checkNews(message, seq, words)
        guard let lastNews, seq == lastNews + 1, !awaitsSkip else {
            return world.oracle.report(.order, "\(name) receives \(seq) after \(lastNews ?? 0)")
        }
        self.lastNews = seq
        newestNews = max(newestNews, seq)
    }

    /// Requires that news is what the log has under its number, in either format.
    private func checkNews(_ message: ServerMessage, _ seq: Int, _ words: String) {
        let oracle = world.oracle
        guard seq <= oracle.log.last, oracle.log.events[seq - 1] == message.words else {
            return oracle.report(.durable, "\(name) receives \(seq) \(message.words)")
        }
        let isJSON = words.hasPrefix("{")
        if isJSON, !words.hasPrefix("{\"seq\":\(seq),") {
            oracle.report(.formats, "\(name) receives event \(seq) as \(words)")
        }
        oracle.count(socket != nil ? .newsInFrames : isJSON ? .newsInJSON : .newsInText)
    }

    /// Requires that news on a WebSocket is the same as on a connection that chose JSON.
    private func checkFrame(_ words: String, _ seq: Int) {
        guard socket != nil, words != world.newsInJSON[seq] else { return }
        let others = world.newsInJSON[seq] ?? "nothing"
        world.oracle.report(.webSocket, "\(name) receives \(words), and others \(others)")
    }

    private func receiveMissed(
        _ message: ServerMessage, _ seq: Int, _ words: String, on connection: Connection
    ) {
        checkNews(message, seq, words)
        guard case .resume(let after)? = connection.pending.first?.kind,
            connection.noteListed() == seq - after
        else { return world.oracle.report(.resumes, "\(name) receives \(seq) \(words)") }
        newestNews = max(newestNews, seq)
    }

    private func receiveReply(_ message: ServerMessage, on connection: Connection) {
        if case .skipped(let count) = message {
            lastNews = lastNews.map { $0 + count }
            awaitsSkip = false
            world.oracle.count(socket == nil ? .skipped : .skippedFrames)
        }
        guard !connection.isTurnedAway else { return receiveRefusal(message) }
        if case .result = message { checkResult(message, on: connection) }
        guard message.isAnswer else { return }
        guard let command = connection.settleNext() else {
            return world.oracle.report(.answers, "\(name) asked nothing: \(message.words)")
        }
        settle(command, by: message)
    }

    /// A connection without a place receives that, or that nothing is durable, and `BYE`.
    private func receiveRefusal(_ message: ServerMessage) {
        switch message {
        case .error(let fault, nil) where fault.code == .full || fault.code == .unavailable: break
        case .bye(let reason) where reason == .full || reason == .journal: break
        default:
            world.oracle.report(.answers, "\(name) has no place: \(message.words)")
        }
    }

    private func checkResult(_ message: ServerMessage, on connection: Connection) {
        let record = world.oracle.decided
        guard case .results? = connection.pending.first?.kind else {
            return world.oracle.report(.answers, "\(name) did not ask: \(message.words)")
        }
        let number = connection.noteListed()
        guard record.hasResult(message, ofLot: number) else {
            return world.oracle.report(.results, "\(message.words) is not that of lot \(number)")
        }
        if let end = record.lots[number - 1].ended, end < world.oracle.log.firstKept {
            world.oracle.count(.earlierResults)
        }
    }

    // Answers

    /// Takes the answer to a request, or that there will be none.
    func settle(_ command: Command, by answer: ServerMessage?) {
        if let answer, answer.tag != command.tag {
            return world.oracle.report(.answers, "\(answer.words) has another tag")
        }
        switch (command.kind, answer) {
        case (.bid(let amount, let bidder), _):
            settleBid(amount, by: bidder, command, answer)
        case (_, nil), (_, .error(.unavailable, _)?): break
        case (.offer(let verb), let answer?): settleOffer(verb, command, answer)
        case (.say, .ok(.said, _)?): break
        case (.say, .error(let fault, _)?):
            if ![.muted, .slowDown, .notNamed].contains(fault.code) { wrong(command, answer) }
        case (.name(let asked, let token), .ok(.name(let bidder, let given), _)?):
            if bidder != asked { wrong(command, answer) }
            take(bidder, given, presenting: token)
        case (.name(let asked, let token), .error(let fault, _)?):
            checkRefusal(of: asked, token, fault)
        case (.auctioneer(true), .ok(.auctioneer, _)?): break
        case (.auctioneer(false), .error(let fault, _)?):
            if fault.code != .wrongToken, fault.code != .slowDown { wrong(command, answer) }
        case (.auctioneer(true), .error(let fault, _)?):
            world.oracle.report(.opens, "\(name) is not the auctioneer: \(fault.code.rawValue)")
        case (.ruling(let verb, let isProven), .ok(.ruled(let ruled), _)?):
            if !isProven || verb != ruled {
                world.oracle.report(.rulings, "\(name) ordered \(verb)")
            }
        case (.ruling(_, let isProven), .error(let fault, _)?):
            if isProven == (fault.code == .notAuctioneer) { wrong(command, answer) }
        case (.results(let ended), .ok(.results(let count), _)?):
            if count != command.listed || count < ended {
                let facts = "\(command.listed) of \(count) results, \(ended) lots had ended"
                world.oracle.report(.results, facts)
            }
            if count > 0 { world.oracle.count(.results) }
        case (.resume(let after), .ok(.resumed(let count), _)?):
            checkResumed(after: after, count, listed: command.listed)
        case (.resume, .error(let fault, _)?):
            if fault != .gone, fault.code != .badArguments { wrong(command, answer) }
        case (.question, .ok?), (.format, .ok?), (.quit, .ok(.quit, _)?): break
        case (.nonsense(let code), .error(let fault, _)?):
            if code != fault.code { wrong(command, answer) }
        case (.question, _), (.format, _), (.nonsense, _), (.quit, _), (.name, _),
            (.auctioneer, _), (.ruling, _), (.results, _), (.resume, _), (.offer, _), (.say, _):
            wrong(command, answer)
        }
    }

    private func wrong(_ command: Command, _ answer: ServerMessage?) {
        world.oracle.report(.answers, "\(name): \(command.kind) by \(answer?.words ?? "nothing")")
    }

    /// Requires that missed news ends where the news of the connection goes on; a connection that
    /// has fallen behind goes on with `SKIPPED`.
    private func checkResumed(after: Int, _ count: Int, listed: Int) {
        guard let lastNews, count == listed, after + count >= lastNews else {
            let facts = "\(name) receives \(listed) of \(count) after \(after)"
            return world.oracle.report(.resumes, "\(facts), and had \(lastNews ?? 0)")
        }
        awaitsSkip = after + count > lastNews
        if count > 0 { world.oracle.count(socket == nil ? .resumed : .resumedFrames) }
    }

    private func settleBid(
        _ amount: Int64, by bidder: Bidder, _ command: Command, _ answer: ServerMessage?
    ) {
        let oracle = world.oracle
        if let answer, let lot = command.lot, oracle.game.plainRules(ofLot: lot) == nil {
            return settleOffer("bid", command, answer)
        }
        guard let outcome = BidHistory.Outcome(answer, to: amount) else {
            return answer.isRefusalOfAll ? () : wrong(command, answer)
        }
        if outcome == .accepted, let lot = command.lot {
            if !oracle.decided.holds(amount, by: bidder, inLot: lot) {
                oracle.report(.durable, "\(bidder) has OK bid \(amount) in lot \(lot)")
            }
            oracle.owned[bidder] = tokens[bidder]
        }
        let isKnown = outcome != .unknown
        oracle.bids.append(
            (
                isKnown ? command.lot : nil,
                .init(
                    .bid(amount, by: "\(bidder)", outcome), invoked: command.invoked,
                    answered: isKnown ? world.now : nil)
            ))
    }

    /// Requires that an offer is accepted, or refused for a reason that offers can have.
    private func settleOffer(_ verb: String, _ command: Command, _ answer: ServerMessage) {
        let codes: [ErrorReply.Code] = [
            .closed, .paused, .tooLow, .tooHigh, .leading, .wrongFormat, .noBuyPrice, .overPurse,
            .notNamed, .unavailable,
        ]
        switch (verb, answer) {
        case ("take", .ok(.take, _)): world.oracle.count(.taken)
        case ("buy", .ok(.buy, _)): world.oracle.count(.bought)
        case ("max", .ok(.maximum, _)): world.oracle.count(.maximum)
        case ("bid", .ok(.bid, _)): break
        case (_, .error(let fault, _)):
            if fault.code == .overPurse { world.oracle.count(.overPurse) }
            if !codes.contains(fault.code) { wrong(command, answer) }
        default: wrong(command, answer)
        }
    }

    /// A name comes with a token that no other client was given, and to its owner alone.
    private func take(_ bidder: Bidder, _ token: String, presenting presented: String?) {
        let oracle = world.oracle
        if let holders = oracle.tokens[token], !holders.contains(index), presented != token {
            oracle.report(.names, "\(name) is given the token of \(bidder)")
        }
        oracle.tokens[token, default: []].insert(index)
        tokens[bidder] = token
        self.bidder = bidder
        noteName(bidder)
    }

    private func checkRefusal(of asked: Bidder, _ token: String?, _ fault: ErrorReply) {
        let oracle = world.oracle
        let isOwner = token.map { oracle.owned[asked] == $0 } ?? false
        switch fault.code {
        case .nameTaken, .wrongToken:
            if isOwner { oracle.report(.names, "\(asked) is refused to its owner") }
        case .slowDown:
            let isOpenedTooOften = fault.advice == ErrorReply.openedTooOften(seconds: 0).advice
            if isOwner, !isOpenedTooOften {
                oracle.report(.opens, "\(asked) is closed to its owner")
            }
        case .kicked:
            if world.plan.terms.limits.kick == .zero {
                oracle.report(.spared, "\(name) \(asked): \(fault)")
            }
        case .alreadyNamed, .unavailable: break
        default: oracle.report(.answers, "\(name) \(asked): \(fault.code.rawValue)")
        }
    }
}

extension BidHistory.Outcome {
    /// The outcome of a bid by its answer, if any; nil if there was no bid.
    fileprivate init?(_ answer: ServerMessage?, to amount: Int64) {
        switch answer {
        case nil: self = .unknown
        case .ok(.bid(let price), _)? where price.amount == amount: self = .accepted
        case .error(let fault, _)?:
            switch fault.code {
            case .closed: self = .closed
            case .paused: self = .paused
            case .tooLow: self = .belowMinimum(fault.facts.first?.value ?? 0)
            case .tooHigh: self = .aboveMaximum(fault.facts.first?.value ?? 0)
            case .leading: self = .leading(fault.facts.first?.value ?? 0)
            default: return nil
            }
        default: return nil
        }
    }
}

extension ServerMessage? {
    /// Whether it means that there was no bid, or that nothing was accepted.
    fileprivate var isRefusalOfAll: Bool {
        guard case .error(let fault, _)? = self else { return false }
        return [.notNamed, .unavailable, .overPurse].contains(fault.code)
    }
}

extension ServerMessage {
    /// Whether it ends the answer to a request.
    var isAnswer: Bool {
        switch self {
        case .ok, .error: true
        default: false
        }
    }

    /// The tag of an answer.
    fileprivate var tag: String? {
        switch self {
        case .ok(_, let tag), .error(_, let tag): tag
        default: nil
        }
    }

    /// The line of text without its end.
    var words: String {
        var line: [UInt8] = []
        appendText(to: &line)
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
