import Lobby
import Wire

/// What a newcomer has to be told, and whether it is.
struct Snapshot {
    private var lot: (seq: Int, words: String)?
    private var price: (seq: Int, words: String)?
    private var countdown: (seq: Int, words: String)?
    private var last: (seq: Int, words: String)?
    private var result: (seq: Int, words: String)?
    private var end: (seq: Int, words: String)?
    private var interruption: (seq: Int, words: String)?
    /// What is left to be told of a snapshot that has begun.
    private var due: [(seq: Int, words: String)] = []

    private var all: [(seq: Int, words: String)] {
        [lot, price, countdown, last, result, end, interruption].compactMap { $0 }
    }

    mutating func take(_ message: ServerMessage, seq: Int) {
        let entry = (seq, message.words)
        switch message {
        case .lot:
            self = Snapshot()
            lot = entry
        case .price: price = entry
        case .countdown: countdown = entry
        case .last: last = entry
        case .voided: (price, countdown, last) = (nil, nil, nil)
        case .winner, .passed:
            (lot, price, countdown, last) = (nil, nil, nil, nil)
            (result, end) = (entry, nil)
        case .over: (end, interruption) = (entry, nil)
        case .paused: interruption = entry
        case .resumed: interruption = nil
        default: break
        }
    }

    /// A snapshot tells all that holds, in order, with nothing between.
    mutating func check(_ effect: Effect) -> Violation? {
        if case .restate(let message, let seq, _) = effect {
            if due.isEmpty { due = all }
            guard let next = due.first, next.seq == seq, next.words == message.words else {
                return Violation(promise: .present, facts: "\(seq) \(message.words)")
            }
            due.removeFirst()
            return nil
        }
        guard due.isEmpty else {
            return Violation(promise: .present, facts: "\(due[0].words) is not told")
        }
        if effect.beginsSnapshot { due = all }
        return nil
    }
}

extension Effect {
    fileprivate var beginsSnapshot: Bool {
        switch self {
        case .skip, .reply(.hello, _, _): true
        case .news, .note, .admit, .reply, .restate, .send, .use, .holdNews, .releaseNews, .confirm,
            .close:
            false
        }
    }
}
