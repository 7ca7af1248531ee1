import Auction
import House
import Wire

/// What a snapshot must have: the events that still hold, in order.
struct SnapshotModel {
    private typealias Event = (seq: Int, words: String)

    /// What a line of a snapshot tells, in the order of the lines.
    private enum Part: Int {
        case waiting, lot, terms, price, ask, sealed, revealed, countdown, last, reserve
        case result, value, end, champion, award, pause
    }

    /// The events that hold; more than one only of champions and awards.
    private var held: [Part: [Event]] = [:]
    /// The rest of a snapshot that has begun.
    private var due: [Event] = []
    /// Whether the terms of the lot were the last line of a snapshot.
    private var isAfterTerms = false

    private var all: [Event] {
        held.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value)
    }

    mutating func take(_ message: ServerMessage, seq: Int) {
        let event = (seq, message.words)
        switch message.event {
        case .waiting: held[.waiting] = [event]
        case .lotOpened:
            self = SnapshotModel()
            held[.lot] = [event]
        case .termsAnnounced: held[.terms] = [event]
        case .bidPlaced: held[.price] = [event]
        case .askFell: held[.ask] = [event]
        case .bidsSealed: held[.sealed] = [event]
        case .bidRevealed: held[.revealed] = [event]
        case .reserveMet: held[.reserve] = [event]
        case .valueRevealed: held[.value] = [event]
        case .championNamed: held[.champion, default: []].append(event)
        case .awardGiven: held[.award, default: []].append(event)
        case .secondsLeft: held[.countdown] = [event]
        case .lastReset: held[.last] = [event]
        case .bidVoided(let voided):
            held[.price] = voided.leading.map {
                [(seq, ServerMessage.event(.bidPlaced($0)).words)]
            }
            for part in [.countdown, .reserve] as [Part] { held[part] = nil }
            if voided.leading == nil { held[.last] = nil }
        case .lotSold, .lotPassed:
            let pause = held[.pause]
            self = SnapshotModel()
            held[.result] = [event]
            held[.pause] = pause
        case .ended:
            held[.end] = [event]
            held[.pause] = nil
        case .rematchBegan: for part in [.end, .champion, .award] as [Part] { held[part] = nil }
        case .paused: held[.pause] = [event]
        case .resumed: held[.pause] = nil
        default: break
        }
    }

    /// Notes that the sale waits for its start no longer.
    mutating func endWaiting() { held[.waiting] = nil }

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
        // News that was held back comes before the snapshot, which includes it.
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
