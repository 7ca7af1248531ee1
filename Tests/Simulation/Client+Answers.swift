import Auction
import Wire

// Checks of the answers that a client receives.
extension Client {
    /// Takes the answer to a request, or that there will be none.
    func settle(_ command: Command, by answer: ServerMessage?) {
        if let answer, answer.tag != command.tag {
            return world.oracle.report(.answers, "\(answer.words) has another tag")
        }
        if let answer, isSettledByLot(command, answer) { return }
        if case .bid(let amount, let bidder, _) = command.kind {
            return settleBid(amount, by: bidder, command, answer)
        }
        guard let answer, !answer.isUnavailable else { return }
        switch answer {
        case .ok(let answer, _):
            if !accept(answer, to: command) { wrong(command, .ok(answer, tag: command.tag)) }
        case .error(let fault, _):
            if !accept(fault, to: command) { wrong(command, answer) }
        default: wrong(command, answer)
        }
    }

    /// Takes the answer to an offer for another lot than the newest; false if it was for that one.
    ///
    /// It is never accepted. While the newest lot is open it is refused as `other-lot`, and else as
    /// `closed`.
    private func isSettledByLot(_ command: Command, _ answer: ServerMessage) -> Bool {
        guard case .error(let fault, _) = answer, fault.code == .otherLot else {
            guard let asked = command.forLot, let newest = command.lot, asked != newest else {
                return false
            }
            if case .error(let fault, _) = answer,
                [.closed, .notNamed, .unavailable].contains(fault.code)
            {
                return true
            }
            wrong(command, answer)
            return true
        }
        world.oracle.count(.otherLot)
        let isRight = command.forLot != command.lot && command.forLot != nil
        if !isRight || fault.facts.first?.value != command.lot.map({ Int64($0) }) {
            wrong(command, answer)
        }
        return true
    }

    /// Takes a confirmation; false if it cannot be that of the command.
    private func accept(_ answer: Answer, to command: Command) -> Bool {
        switch command.kind {
        case .bid, .nonsense: return false
        case .offer(let verb, _): return accept(answer, toOffer: verb)
        case .say: return answer == .said
        case .ready: return answer == .ready
        case .display(let text): return answer == .displayed(text)
        case .react(let reaction): return answer == .reacted(reaction)
        case .name(let asked, let token):
            guard case .name(let bidder, let given) = answer else { return false }
            take(bidder, given, presenting: token)
            return bidder == asked
        case .auctioneer: return answer == .auctioneer
        case .ruling(let verb): return answer == .ruled(verb)
        case .end: return answer == .ruled(.end)
        case .rooms:
            guard case .rooms(let count) = answer else { return false }
            checkRooms(command, count)
        case .join(let name):
            checkEntry(name)
            return answer == .joined(name)
        case .open(let name, _):
            checkEntry(name)
            return answer == .opened(name, key: keys[name] ?? "")
        case .results(let ended):
            guard case .results(let count) = answer else { return false }
            if count > 0 { world.oracle.count(.results) }
            guard count != command.listed || command.sentIn === room && count < ended else {
                return true
            }
            let facts = "\(command.listed) of \(count) results, \(ended) lots had ended"
            world.oracle.report(.results, facts)
        case .resume(let after):
            guard case .resumed(let count) = answer else { return false }
            checkResumed(after: after, count, listed: command.listed)
        case .question, .format: return true
        case .quit: return answer == .quit
        }
        return true
    }

    /// Takes an error; false if the command cannot have it.
    private func accept(_ fault: ErrorReply, to command: Command) -> Bool {
        switch command.kind {
        case .offer(let verb, _): return settleOffer(verb, fault)
        case .display where fault.code == .displayTaken: return true
        case .ready: return [.wrongTime, .notNamed].contains(fault.code)
        case .say, .react, .display: return [.muted, .slowDown, .notNamed].contains(fault.code)
        case .name(let asked, let token):
            checkRefusal(of: asked, token, fault)
            return true
        case .auctioneer: return [.wrongToken, .slowDown, .wrongTime].contains(fault.code)
        case .ruling, .end: return true
        case .join, .open: return !awaitsEntry
        case .resume: return fault == .gone || fault.code == .badArguments
        case .nonsense(let code): return fault.code == code
        case .bid, .rooms, .results, .question, .format, .quit: return false
        }
    }

    private func wrong(_ command: Command, _ answer: ServerMessage?) {
        world.oracle.report(.answers, "\(name): \(command.kind) by \(answer?.words ?? "nothing")")
    }

    /// Requires that the client was greeted in the room in which it is now.
    private func checkEntry(_ name: RoomName) {
        awaitsEntry = false
        guard room?.name == name else {
            let place = room?.name.description ?? "no room"
            return world.oracle.report(.order, "\(self.name) is in \(place), not in \(name)")
        }
    }

    /// Requires that the list has every room that existed all the time, and none that never did.
    private func checkRooms(_ command: Command, _ count: Int) {
        let oracle = world.oracle
        var isRight = count == command.rooms.count && count == command.listed
        for room in oracle.rooms where room.openedAt < command.invoked && !room.hasEnded {
            isRight = isRight && command.rooms.contains(room.name)
        }
        for name in command.rooms {
            isRight =
                isRight
                && oracle.rooms.contains { room in
                    room.name == name && room.endedAt ?? world.now >= command.invoked
                }
        }
        if !isRight { oracle.report(.oneRoom, "\(name): \(command.rooms)") }
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

    /// Takes the answer to a bid; the referee of the room has compared its facts with the lot.
    private func settleBid(
        _ amount: Int64, by bidder: Bidder, _ command: Command, _ answer: ServerMessage?
    ) {
        guard let answer, let room = command.room, let lot = command.lot else { return }
        guard room.game.plainRules(ofLot: lot) != nil else {
            return settleOffer("bid", command, answer)
        }
        switch answer {
        case .ok(.bid(let price), _) where price.amount == amount:
            noteBid(amount, by: bidder, in: room, onLot: lot)
        case .error(let fault, _) where fault.mayRefuse(amount): break
        default: wrong(command, answer)
        }
    }

    private func noteBid(
        _ amount: Int64, by bidder: Bidder, in room: RoomReferee, onLot lot: Int
    ) {
        let oracle = world.oracle
        if !room.decided.holds(amount, by: bidder, inLot: lot) {
            oracle.report(.durable, "\(bidder) has OK bid \(amount) in lot \(lot)")
        }
        if room.name != .main { oracle.count(.bidInRoom) }
        if let token = tokens[bidder], !room.hasEnded {
            oracle.owners.noteBid(by: bidder, token, in: room.id)
        }
    }

    /// Requires that an offer is accepted, or refused for a reason that offers can have.
    private func settleOffer(_ verb: String, _ command: Command, _ answer: ServerMessage) {
        let isRight =
            switch answer {
            case .ok(let answer, _): accept(answer, toOffer: verb)
            case .error(let fault, _): settleOffer(verb, fault)
            default: false
            }
        if !isRight { wrong(command, answer) }
    }

    private func accept(_ answer: Answer, toOffer verb: String) -> Bool {
        switch (verb, answer) {
        case ("take", .take), ("bid", .take): world.oracle.count(.taken)
        case ("buy", .buy), ("bid", .buy), ("max", .buy): world.oracle.count(.bought)
        case ("max", .maximum): world.oracle.count(.maximum)
        case ("bid", .bid): break
        default: return false
        }
        return true
    }

    private func settleOffer(_ verb: String, _ fault: ErrorReply) -> Bool {
        let codes: [ErrorReply.Code] = [
            .closed, .paused, .tooLow, .tooHigh, .leading, .wrongFormat, .noBuyPrice, .overPurse,
            .notNamed, .unavailable, .outbid,
        ]
        if fault.code == .outbid { world.oracle.count(.outbid) }
        if fault.code == .overPurse { world.oracle.count(.overPurse) }
        return codes.contains(fault.code)
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
        let isOwner = oracle.owners.isOwner(asked, token)
        switch fault.code {
        case .nameTaken, .wrongToken:
            if isOwner { oracle.report(.names, "\(asked) is refused to its owner") }
        case .slowDown:
            let isOpenedTooOften = fault.isSlowDown(ErrorReply.openedTooOften)
            if isOwner, !isOpenedTooOften {
                oracle.report(.opens, "\(asked) is closed to its owner")
            }
        case .alreadyNamed, .kicked, .unavailable, .wrongTime: break
        default: oracle.report(.answers, "\(name) \(asked): \(fault.code.rawValue)")
        }
    }
}

extension ErrorReply {
    /// Whether this can be the refusal of a bid of an amount, if bids alone make the price.
    fileprivate func mayRefuse(_ amount: Int64) -> Bool {
        switch code {
        case .tooLow: facts.first.map { amount < $0.value } ?? false
        case .tooHigh: facts.first.map { amount > $0.value } ?? false
        default:
            [.closed, .paused, .leading, .notNamed, .unavailable, .overPurse].contains(code)
        }
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

    /// Whether it says that nothing is durable.
    fileprivate var isUnavailable: Bool {
        if case .error(.unavailable, _) = self { true } else { false }
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
