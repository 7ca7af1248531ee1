import AuctionRules
import Reactive
import Wire

extension LiveView {
    /// By then a server has missed whoever vanished.
    private static let nameDoubt = Duration.seconds(120)

    var isPlaying: Bool { model.bidder != nil }

    /// The server has greeted: takes the name, and learns how the sale stands.
    func enter(_ greeting: Greeting) {
        link.greet(greeting)
        if let bidder = model.bidder { takeName(bidder, in: greeting.game) }
        synchronise()
    }

    /// Takes the name with the token of this game, which may differ from the last one.
    private func takeName(_ bidder: Bidder, in game: GameID?) {
        if !hasGame || game != self.game { token = keptToken(game) }
        (self.game, hasGame) = (game, true)
        dialogue.ask(.name(bidder, token: token)).observe(in: bag) {
            [unowned self] reply in
            guard case .name(let bidder, let token) = reply.answer else { return }
            self.token = token
            wish(.keep(token: token, of: bidder, in: game))
        } onEnd: { [unowned self] error in
            switch error as? Trouble {
            case .refused(let fault)?: refuse(bidder, fault)
            case .lost?, .parted?:
                if token == nil { nameDoubtEnd = timeline.now + Self.nameDoubt }
            case nil: nameDoubtEnd = nil
            }
        }
    }

    /// The server will not give the name; if we may have it by a connection that it has yet to miss,
    /// it is asked again later, and so it is if it was asked too often.
    private func refuse(_ bidder: Bidder, _ fault: ErrorReply) {
        if fault.code == .slowDown { return part(.refused(fault)) }
        if fault.code == .nameTaken, let end = nameDoubtEnd, timeline.now < end {
            return part(.refused(fault))
        }
        leave(.refused, complaint: "\(bidder) cannot play: \(fault.reason)")
    }

    /// Hears the snapshot, and loads what it does not have.
    func synchronise() {
        dialogue.ask(.status).observe(in: bag) { [unowned self] _ in
            link.settle()
            // What was answered to a connection before this one no longer says how things stand.
            if isLive.value == false, feedbackTopic != .outbid { model.feedback = nil }
            isLive.notify(true)
            loadLaps()
            loadBidders()
        }
    }

    func loadLaps() {
        lapsLoads.notify(dialogue.laps)
    }

    func loadBidders() {
        biddersLoads.notify(dialogue.bidders)
    }

    /// The server took its leave, or makes no sense.
    func part(_ trouble: Trouble) {
        if case .parted(.replaced) = trouble {
            return leave(.refused, complaint: trouble.reason)
        }
        if case .parted(.kicked) = trouble {
            return leave(
                .refused, complaint: trouble.reason + (kickReason.map { ": \($0)" } ?? ""))
        }
        wish(.disconnect)
        lose(trouble)
    }

    func lose(_ trouble: Trouble) {
        isLive.notify(false)
        dialogue.lose(trouble)
        link.lose(trouble)
    }
}

extension Dialogue {
    /// A load of the accepted bids: the newest 20, or if there are more the newest 1,000.
    var laps: Signal<[Bid]> { laps(tries: 3) }

    private func laps(tries: Int) -> Signal<[Bid]> {
        ask(.laps(nil)).map { [self] reply in
            guard case .laps(let count) = reply.answer, count > reply.data.count,
                let range = LapRange(
                    first: max(1, count - LapRange.longest + 1), count: LapRange.longest)
            else { return .of(reply.bids) }
            return ask(.laps(range)).map { [self] reply in
                // With fewer than there were it is the next lot that answers; a server of which
                // that is true again and again lies.
                guard tries > 1, case .laps(let count) = reply.answer, count < range.first else {
                    return .of(reply.bids)
                }
                return laps(tries: tries - 1)
            }
            .switchToLatest()
        }
        .switchToLatest()
    }

    /// A load of the names of those who are here.
    var bidders: Signal<[Bidder]> {
        ask(.who).map(\.bidders)
    }
}

extension Dialogue.Reply {
    fileprivate var bids: [Bid] {
        data.compactMap { if case .lap(let bid) = $0 { bid } else { nil } }
    }

    fileprivate var bidders: [Bidder] {
        data.compactMap { if case .who(let bidder) = $0 { bidder } else { nil } }
    }
}
