import AuctionRules
import Wire

extension Visitor {
    /// Hears a line: it has to be the next that was said, and news has to be next in the one log.
    func hear(_ words: String, on connection: Connection) {
        let witness = world.witness
        witness.countHeard()
        guard let line = connection.nextLine(),
            line.bytes.dropLast().elementsEqual(words.utf8)
        else { return witness.report(.order, "\(name) hears \(words), which was not said next") }
        guard let message = ServerMessage(text: words) ?? ServerMessage(json: words) else {
            return witness.report(.order, "\(name) cannot read \(words)")
        }
        world.trace("    \(name) hears \(words)")
        switch line.kind {
        case .news(let seq): hearNews(message, seq)
        case .hello(let after): lastNews = after
        case .reply: hearReply(message, on: connection)
        case .telnet: break
        }
        learn(message)
    }

    private func hearNews(_ message: ServerMessage, _ seq: Int) {
        let log = world.witness.log
        guard seq <= log.last, log.events[seq - 1] == message.words else {
            return world.witness.report(.durable, "\(name) hears \(seq) \(message.words)")
        }
        guard let lastNews, seq == lastNews + 1 else {
            return world.witness.report(.order, "\(name) hears \(seq) after \(lastNews ?? 0)")
        }
        self.lastNews = seq
    }

    private func hearReply(_ message: ServerMessage, on connection: Connection) {
        if case .skipped(let count) = message { lastNews = lastNews.map { $0 + count } }
        guard !connection.isTurnedAway else { return hearRefusal(message) }
        guard message.isAnswer else { return }
        guard let command = connection.settleNext() else {
            return world.witness.report(.answers, "\(name) asked nothing: \(message.words)")
        }
        settle(command, by: message)
    }

    /// Whoever has no place is told so, or that nothing can be kept, and goodbye.
    private func hearRefusal(_ message: ServerMessage) {
        switch message {
        case .error(let fault, nil) where fault.code == .full || fault.code == .unavailable: break
        case .bye(let farewell) where farewell == .full || farewell == .journal: break
        default: world.witness.report(.answers, "\(name) has no place, and hears \(message.words)")
        }
    }

    /// Takes in what it tells of the room.
    private func learn(_ message: ServerMessage) {
        let rules = world.plan.terms.rules
        if case .voided = message { (price, minimum) = (nil, rules.start.amount) }
        if case .lot = message { (price, minimum) = (nil, rules.start.amount) }
        if case .price(let bid, _, _) = message {
            (price, minimum) = (bid.price.amount, bid.price.amount + rules.step.amount)
        }
        if case .countdown(let seconds, _) = message, seconds <= 1 { takeAim(before: seconds) }
    }

    private func takeAim(before seconds: Int) {
        guard let (offer, early) = snipe else { return }
        snipe = nil
        world.at(max(world.now, world.now + .seconds(seconds) - early)) { [self] in bid(offer) }
    }
}
