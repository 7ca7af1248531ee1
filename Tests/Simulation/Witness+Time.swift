import Saleroom
import Wire

// What the room tells of time.
extension Witness {
    func checkTime(_ effect: Effect) {
        switch effect {
        case .news(let notice, _): checkTime(notice, isNews: true)
        case .reply(let notice, _, _): checkTime(notice, isNews: false)
        case .note, .admit, .send, .use, .skip, .holdNews, .releaseNews, .confirm, .close: break
        }
    }

    private func checkTime(_ notice: Notice, isNews: Bool) {
        switch notice {
        case .lot(_, _, let elapsed):
            if isNews { clock.lot() }
            check(elapsed: elapsed, notice)
        case .price(let bid, _, let remaining):
            if isNews, !decided.isRestating { check(elapsed: bid.elapsed, notice) }
            check(remaining: remaining, notice)
        case .countdown(let seconds, let remaining):
            if seconds > terms.rules.seconds { report(.fullSeconds, notice.words) }
            check(remaining: remaining, notice)
        case .winner, .hello, .last, .going, .passed, .over, .paused, .resumed, .hammered, .voided,
            .kicked, .stopped, .joined, .left, .skipped, .bye, .lap, .who, .help, .ok, .error:
            break
        }
    }

    private func check(elapsed: Duration?, _ notice: Notice) {
        guard let elapsed, !clock.show(elapsed: elapsed) else { return }
        report(.clock, "\(notice.words) at \(elapsed.stopwatch) of the lot")
    }

    private func check(remaining: Duration?, _ notice: Notice) {
        guard let remaining else { return }
        if !clock.mayRemain(remaining) {
            report(.fullSeconds, "\(notice.words), \(remaining.stopwatch) are left")
        }
        if !clock.show(remaining: remaining) {
            report(.clock, "\(notice.words), \(remaining.stopwatch) are left")
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
