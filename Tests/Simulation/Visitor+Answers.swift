import AuctionRules
import Wire

extension Visitor {
    /// Takes the answer to a command, or that there will be none.
    func settle(_ command: Command, by answer: ServerMessage?) {
        if let answer, answer.tag != command.tag {
            return world.witness.report(.answers, "\(answer.words) has another tag")
        }
        switch (command.kind, answer) {
        case (.bid(let amount, let speaker), _):
            settleBid(amount, by: speaker, command, answer)
        case (_, nil), (_, .error(.unavailable, _)?): break
        case (.name(let asked, let token), .ok(.name(let bidder, let given), _)?):
            if bidder != asked { wrong(command, answer) }
            take(bidder, given, presenting: token)
        case (.name(let asked, let token), .error(let fault, _)?):
            refuse(asked, token, fault)
        case (.auctioneer(true), .ok(.auctioneer, _)?): break
        case (.auctioneer(false), .error(let fault, _)?):
            if fault.code != .wrongToken, fault.code != .slowDown { wrong(command, answer) }
        case (.auctioneer(true), .error(let fault, _)?):
            world.witness.report(.opens, "\(name) is not the auctioneer: \(fault.code.rawValue)")
        case (.ruling(let verb, let isProven), .ok(.ruled(let ruled), _)?):
            if !isProven || verb != ruled {
                world.witness.report(.rulings, "\(name) is obeyed: \(verb)")
            }
        case (.ruling(_, let isProven), .error(let fault, _)?):
            if isProven == (fault.code == .notAuctioneer) { wrong(command, answer) }
        case (.question, .ok?), (.format, .ok?), (.quit, .ok(.quit, _)?): break
        case (.nonsense(let code), .error(let fault, _)?):
            if code != fault.code { wrong(command, answer) }
        case (.question, _), (.format, _), (.nonsense, _), (.quit, _), (.name, _),
            (.auctioneer, _), (.ruling, _):
            wrong(command, answer)
        }
    }

    private func wrong(_ command: Command, _ answer: ServerMessage?) {
        world.witness.report(.answers, "\(name): \(command.kind) by \(answer?.words ?? "nothing")")
    }

    private func settleBid(
        _ amount: Int64, by speaker: Bidder, _ command: Command, _ answer: ServerMessage?
    ) {
        let witness = world.witness
        guard let outcome = BidHistory.Outcome(answer, to: amount) else {
            return answer.isRefusalOfAll ? () : wrong(command, answer)
        }
        if outcome == .accepted, let lot = command.lot {
            if !witness.kept.holds(amount, by: speaker, inLot: lot) {
                witness.report(.durable, "\(speaker) has OK bid \(amount) in lot \(lot)")
            }
            witness.owned[speaker] = tokens[speaker]
        }
        let deed = BidHistory.Operation.Deed.bid(amount, by: "\(speaker)", outcome)
        witness.bids.append(
            .init(
                lot: outcome == .unknown ? nil : command.lot,
                operation: .init(
                    deed, invoked: command.invoked,
                    answered: outcome == .unknown ? nil : world.now)))
    }

    /// A name comes with a token that nobody else was given, and to its owner alone.
    private func take(_ bidder: Bidder, _ token: String, presenting presented: String?) {
        let witness = world.witness
        if let holders = witness.tokens[token], !holders.contains(index), presented != token {
            witness.report(.names, "\(name) is given the token of \(bidder)")
        }
        witness.tokens[token, default: []].insert(index)
        tokens[bidder] = token
        self.bidder = bidder
    }

    private func refuse(_ asked: Bidder, _ token: String?, _ fault: ErrorReply) {
        switch fault.code {
        case .nameTaken, .wrongToken:
            if let token, world.witness.owned[asked] == token {
                world.witness.report(.names, "\(asked) is refused to its owner")
            }
        case .slowDown:
            if fault.advice == ErrorReply.openedTooOften(seconds: 0).advice { return }
            if let token, world.witness.owned[asked] == token {
                world.witness.report(.opens, "\(asked) is closed to its owner")
            }
        case .kicked:
            if world.plan.terms.limits.kick == .zero {
                world.witness.report(.spared, "\(name) \(asked): \(fault)")
            }
        case .alreadyNamed, .unavailable: break
        default: world.witness.report(.answers, "\(name) \(asked): \(fault.code.rawValue)")
        }
    }
}

extension BidHistory.Outcome {
    /// What an answer, or none, says of a bid; nil if it says that there was none.
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
    /// Whether it says that there was no bid, or that nothing was accepted.
    fileprivate var isRefusalOfAll: Bool {
        guard case .error(let fault, _)? = self else { return false }
        return fault.code == .notNamed || fault.code == .unavailable
    }
}

extension ServerMessage {
    /// Whether it ends the answer to a command.
    var isAnswer: Bool {
        if case .ok = self { return true }
        if case .error = self { return true }
        return false
    }

    /// The tag of an answer.
    fileprivate var tag: String? {
        if case .ok(_, let tag) = self { return tag }
        if case .error(_, let tag) = self { return tag }
        return nil
    }
}
