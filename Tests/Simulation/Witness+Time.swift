import Lobby
import Wire

// What the room tells of time.
extension Witness {
    func checkTime(_ effect: Effect) {
        switch effect {
        case .news(let message, _): checkTime(message, isNews: true)
        case .reply(let message, _, _), .restate(let message, _, _):
            checkTime(message, isNews: false)
        case .note, .admit, .send, .use, .skip, .holdNews, .releaseNews, .confirm, .close: break
        }
    }

    private func checkTime(_ message: ServerMessage, isNews: Bool) {
        switch message {
        case .lot(_, _, let elapsed):
            if isNews { clock.lot() }
            check(elapsed: elapsed, message)
        case .price(let bid, _, let remaining):
            if isNews, !decided.isRestating { check(elapsed: bid.elapsed, message) }
            check(remaining: remaining, message)
        case .countdown(let seconds, let remaining):
            if seconds > terms.rules.seconds { report(.fullSeconds, message.words) }
            check(remaining: remaining, message)
        default: break
        }
    }

    private func check(elapsed: Duration?, _ message: ServerMessage) {
        guard let elapsed, !clock.show(elapsed: elapsed) else { return }
        report(.clock, "\(message.words) at \(elapsed.stopwatch) of the lot")
    }

    private func check(remaining: Duration?, _ message: ServerMessage) {
        guard let remaining else { return }
        if !clock.mayRemain(remaining) {
            report(.fullSeconds, "\(message.words), \(remaining.stopwatch) are left")
        }
        if !clock.show(remaining: remaining) {
            report(.clock, "\(message.words), \(remaining.stopwatch) are left")
        }
    }

    /// Holds that all that reached a loop before the hammer's instant was heard before it fell.
    ///
    /// A connection that is not read from, because it passed a limit, or that has been so since, may
    /// be late.
    func checkInTime() {
        guard let hammer = pace.hammerInstant else { return }
        for connection in granted.seated where connection.isUnheard(before: hammer) {
            report(
                .inTime,
                "\(connection.visitor.name) was not heard when the hammer fell for "
                    + hammer.stopwatch)
        }
    }
}
