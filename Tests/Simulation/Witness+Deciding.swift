import Lobby
import Wire

extension Witness {
    /// Takes what a turn decided; `connection` is whose session that is.
    func decide(
        _ effects: [Effect], at now: Duration, connection: (SessionID) -> Connection?
    ) {
        for effect in effects {
            checkTime(effect)
            if case .news(let message, let seq) = effect { decide(message, seq, at: now) }
            note(board.check(effect))
            checkLimits(effect, at: now, of: effect.session.flatMap(connection))
            if case .reply(let message, _, let id) = effect {
                checkReply(message, to: connection(id), at: now)
            }
            waiting.append((effect, position))
        }
    }

    func decide(_ message: ServerMessage, _ seq: Int, at now: Duration) {
        if seq != position + 1 { report(.gapless, "\(seq) is decided after \(position)") }
        position = seq
        board.take(message, seq: seq)
        let (isRestating, isLast) = (decided.isRestating, decided.isLast)
        note(decided.take(message.words))
        if let deed = message.deed {
            marks.append(
                Mark(seq: seq, lot: decided.lots.count, deed: deed, decided: now, told: nil))
        }
        switch message {
        case .lot: pace.lot()
        // A bid that leads again after a start does not begin its seconds: the start has.
        case .price:
            if isRestating ? pace.isStopped : !isLast { pace.price(seq: seq) }
        case .countdown(let number, _):
            if !pace.countdown(number, seq: seq, at: now) {
                report(.countdown, "COUNTDOWN \(number)")
            }
        case .winner:
            checkInTime()
            if !pace.mayFall(at: now) { report(.countdown, message.words) }
        case .hammered: pace.hammer()
        case .paused, .voided: pace.stop()
        case .resumed: pace.price(seq: seq)
        case .kicked(let bidder, _): granted.kicked[bidder] = now + terms.limits.kick
        default: break
        }
    }

    func checkReply(_ message: ServerMessage, to connection: Connection?, at now: Duration) {
        if case .lap(let bid) = message,
            decided.lots.last?.bids.contains(where: { $0.words == bid.words }) != true
        {
            report(.present, message.words)
        }
        guard message.isAnswer, connection?.isTurnedAway != true else { return }
        guard let connection, connection.answered < connection.commands.count else {
            return report(.answers, "\(message.words) answers nothing")
        }
        connection.commands[connection.answered].lot = decided.lots.count
        connection.answered += 1
        hearLine(of: connection, at: now)
    }
}

extension ServerMessage {
    /// What it does to a lot beside a bid; nil for nothing.
    fileprivate var deed: BidHistory.Operation.Deed? {
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
