import Auction
import House
import Wire

/// The times of the lots of one room: the countdown, the clock of the lot, and the next opening.
struct LotTimes {
    private let name: String
    /// The time between two lots; nil if a class opens them.
    private let pause: Duration?
    private var countdown: CountdownModel
    private var clock: LotClock
    /// The seconds and the asking price as an observer was told them.
    private var (toldSeconds, toldAsk) = (ToldTime(), ToldTime())
    /// When the newest lot opened; nil if that was before the start.
    private var openedAt: Duration?
    /// When the next lot is due to open; nil if that is not known.
    private var opening: Duration?

    /// Starts with a room, or with a server that has recovered it.
    init(of room: RoomName, seconds: Int, pause: Duration?, isHammered: Bool = false) {
        (name, self.pause) = (room.description, pause)
        countdown = CountdownModel(seconds: seconds, isHammered: isHammered)
        clock = LotClock(seconds: seconds)
    }

    /// When the server must do something in the room without input; nil if that is not known.
    var due: Duration? { [countdown.nextChange, opening].compactMap { $0 }.min() }

    /// The instant of the end of the lot; nil while no countdown runs.
    var hammerInstant: Duration? { countdown.hammerInstant }

    /// Takes news, after the models of the lots and of the game have taken it.
    ///
    /// `isRestating` is whether it repeats the price that leads again, and `wasLast` whether bids
    /// no longer reset the countdown before it.
    mutating func take(
        _ message: ServerMessage, _ seq: Int, _ lots: LotRecord, _ game: GameModel,
        isRestating: Bool, wasLast: Bool, at now: Duration
    ) -> Violation? {
        if let found = checkTold(message, seq, game, isFinal: wasLast, at: now) { return found }
        switch message.event {
        case .lotOpened:
            if let openedAt, pause != nil, name != RoomName.main.description,
                now < openedAt + .seconds(1)
            {
                return Violation(promise: .apart, facts: "\(message.words) in \(name)")
            }
            let seconds = game.rules.seconds
            (countdown, clock) = (CountdownModel(seconds: seconds), LotClock(seconds: seconds))
            (openedAt, opening) = (now, nil)
        case .bidPlaced where game.isWon: countdown.hammer()
        // A price that leads again after a start does not begin the countdown: the start has.
        case .bidPlaced:
            if isRestating ? countdown.isStopped : !wasLast { countdown.price(seq: seq) }
        case .secondsLeft(let number) where game.isRising:
            guard countdown.show(number, seq: seq, at: now) else {
                return Violation(promise: .countdown, facts: "COUNTDOWN \(number) in \(name)")
            }
        case .lotSold, .lotPassed: return endLot(message, lots, game, at: now)
        case .hammered: countdown.hammer()
        case .ended: opening = nil
        case .paused:
            countdown.stop()
            opening = nil
        case .bidVoided: countdown.stop()
        case .resumed:
            if game.isRising { countdown.price(seq: seq) }
            if lots.lots.last?.isClosed == true { opening = nextOpening(at: now) }
        default: break
        }
        return nil
    }

    private mutating func endLot(
        _ message: ServerMessage, _ lots: LotRecord, _ game: GameModel, at now: Duration
    ) -> Violation? {
        defer {
            countdown.stop()
            opening = lots.isPaused ? nil : nextOpening(at: now)
        }
        guard case .lotSold = message.event, game.isRising, !countdown.mayFall(at: now) else {
            return nil
        }
        return Violation(promise: .countdown, facts: "the hammer fell in \(name)")
    }

    /// When the next lot opens if it may from now on: in a room that was opened, lots open at least
    /// a second apart.
    private func nextOpening(at now: Duration) -> Duration? {
        guard let pause else { return nil }
        guard name != RoomName.main.description, let openedAt else { return now + pause }
        return max(now + pause, openedAt + .seconds(1))
    }

    /// Notes what is published; returns how long a second or an asking price has waited for that.
    mutating func publish(upTo seq: Int, at now: Duration) -> Duration? {
        countdown.published(upTo: seq, at: now)
        let waits = [
            toldSeconds.publish(upTo: seq, at: now), toldAsk.publish(upTo: seq, at: now),
        ]
        return waits.compactMap { $0 }.max()
    }

    /// Whether the seconds would be over, if the disk had not stalled.
    func areOverdue(at now: Duration) -> Bool { toldSeconds.isOverdue(at: now) }

    /// Requires that nobody has less than the announced time between what was told last and the
    /// next second, the next asking price or the end of the lot.
    ///
    /// `isFinal` is whether bids no longer set the countdown back.
    private mutating func checkTold(
        _ message: ServerMessage, _ seq: Int, _ game: GameModel, isFinal: Bool, at now: Duration
    ) -> Violation? {
        let full = Duration.seconds(game.rules.seconds)
        var isKept = true
        switch message.event {
        case .lotOpened, .bidVoided, .paused, .resumed, .hammered, .lotPassed(_, "closed", _):
            (toldSeconds, toldAsk) = (ToldTime(), ToldTime())
        case .bidPlaced where game.isWon: (toldSeconds, toldAsk) = (ToldTime(), ToldTime())
        case .bidPlaced where game.isRising && !isFinal: toldSeconds.tell(full, seq: seq, at: now)
        case .secondsLeft(let number):
            let left = Duration.seconds(number)
            isKept = left == full || toldSeconds.allows(left, at: now)
            if number > 0 { toldSeconds.tell(left, seq: seq, at: now) }
        case .askFell:
            isKept = toldAsk.allows(.zero, at: now)
            if let time = game.askTime { toldAsk.tell(time, seq: seq, at: now) }
        case .lotSold, .lotPassed, .bidRevealed:
            isKept = toldSeconds.allows(.zero, at: now) && toldAsk.allows(.zero, at: now)
            (toldSeconds, toldAsk) = (ToldTime(), ToldTime())
        default: break
        }
        return isKept ? nil : Violation(promise: .told, facts: "\(message.words) in \(name)")
    }

    /// Compares the times in a message, before the models have taken it, with those before.
    ///
    /// `isRestating` is whether it is news that repeats the price that leads again.
    mutating func check(
        _ effect: Effect, _ game: GameModel, isRestating: Bool
    ) -> Violation? {
        var state = LotState()
        if case .restate(.state(let members), _, _) = effect {
            state.merge(json: members)
            let message = ServerMessage.state(members)
            return (game.isOpen ? check(elapsed: state.elapsed, message) : nil)
                ?? check(remaining: state.remaining, message, game)
        }
        guard case .news(let event, let members, _, _) = effect else { return nil }
        if let members { state.merge(json: members) }
        let message = ServerMessage.event(event)
        switch event {
        case .lotOpened:
            clock.lot()
            return check(elapsed: state.elapsed, message)
        case .bidPlaced(let bid):
            // Without a state, because nobody follows in JSON, the bid may have reset the countdown.
            if members == nil { clock.forgetRemaining() }
            let found = isRestating ? nil : check(elapsed: bid.elapsed, message)
            return found ?? check(remaining: state.remaining, message, game)
        case .secondsLeft(let seconds):
            guard seconds <= game.rules.seconds else {
                return Violation(promise: .fullSeconds, facts: message.words)
            }
            let remaining = members == nil ? .seconds(seconds) : state.remaining
            return check(remaining: remaining, message, game, second: seconds)
        default: return nil
        }
    }

    private mutating func check(elapsed: Duration?, _ message: ServerMessage) -> Violation? {
        guard let elapsed, !clock.show(elapsed: elapsed) else { return nil }
        let facts = "\(message.words) at \(elapsed.stopwatch) of the lot"
        return Violation(promise: .clock, facts: facts)
    }

    private mutating func check(
        remaining: Duration?, _ message: ServerMessage, _ game: GameModel, second: Int? = nil
    ) -> Violation? {
        guard let remaining, game.isRising else { return nil }
        let mayRemain = clock.mayRemain(remaining)
        let isRight = clock.show(remaining: remaining, second: second)
        guard !mayRemain || !isRight else { return nil }
        let facts = "\(message.words), \(remaining.stopwatch) are left"
        return Violation(promise: mayRemain ? .clock : .fullSeconds, facts: facts)
    }
}
