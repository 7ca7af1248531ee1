import Auction
import House
import Wire

/// What a snapshot must have: the events that still hold, in order.
struct SnapshotModel {
    private typealias Event = (seq: Int, words: String)

    private var lot: Event?
    private var terms: Event?
    private var price: Event?
    private var ask: Event?
    private var sealed: Event?
    private var revealed: Event?
    private var countdown: Event?
    private var last: Event?
    private var reserve: Event?
    private var result: Event?
    private var value: Event?
    private var end: Event?
    private var champions: [Event] = []
    private var pause: Event?
    /// The rest of a snapshot that has begun.
    private var due: [Event] = []
    /// Whether the terms of the lot were the last line of a snapshot.
    private var isAfterTerms = false

    private var all: [Event] {
        let lotEvents = [lot, terms, price, ask, sealed, revealed, countdown, last, reserve]
        let ends = [result, value, end] + champions + [pause]
        return (lotEvents + ends).compactMap { $0 }
    }

    mutating func take(_ message: ServerMessage, seq: Int) {
        let event = (seq, message.words)
        switch message.event {
        case .lotOpened:
            self = SnapshotModel()
            lot = event
        case .termsAnnounced: terms = event
        case .bidPlaced: price = event
        case .askFell: ask = event
        case .bidsSealed: sealed = event
        case .bidRevealed: revealed = event
        case .reserveMet: reserve = event
        case .valueRevealed: value = event
        case .championNamed: champions.append(event)
        case .secondsLeft: countdown = event
        case .lastReset: last = event
        case .bidVoided(let voided):
            price = voided.leading.map {
                (seq, ServerMessage.event(.bidPlaced($0)).words)
            }
            (countdown, reserve) = (nil, nil)
            if price == nil { last = nil }
        case .lotSold, .lotPassed:
            let pause = pause
            self = SnapshotModel()
            (result, self.pause) = (event, pause)
        case .ended: (end, pause) = (event, nil)
        case .paused: pause = event
        case .resumed: pause = nil
        default: break
        }
    }

    /// Requires that a snapshot has everything that holds, in order, with nothing in between.
    mutating func check(_ effect: Effect) -> Violation? {
        // The whole state ends a snapshot, for those who follow in JSON.
        if case .restate(.state, _, _) = effect { return checkWhole() }
        if case .restate(let message, let seq, _) = effect {
            if due.isEmpty { due = all }
            guard let next = due.first, next.seq == seq, next.words == message.words else {
                return Violation(promise: .present, facts: "\(seq) \(message.words)")
            }
            due.removeFirst()
            isAfterTerms = if case .termsAnnounced = message.event { true } else { false }
            return nil
        }
        switch effect {
        // News that was held until missed news was gone comes before the snapshot, which includes it.
        case .releaseNews: return nil
        // The terms of the game begin a snapshot.
        case .reply(.game, _): return nil
        case .reply(.help, _) where isAfterTerms: return nil
        default: break
        }
        let missing = checkWhole()
        if effect.beginsSnapshot { due = all }
        return missing
    }

    /// Requires that no snapshot has begun which is not whole.
    func checkWhole() -> Violation? {
        due.first.map { Violation(promise: .present, facts: "\($0.words) is missing") }
    }
}

extension Effect {
    /// Whether a snapshot begins with it or after it, or goes on.
    var isOfSnapshot: Bool {
        if case .restate = self { true } else { beginsSnapshot }
    }

    fileprivate var beginsSnapshot: Bool {
        switch self {
        case .skip, .reply(.hello, _): true
        case .reply(.error(let fault, _), _): fault.code == .gone
        default: false
        }
    }
}
