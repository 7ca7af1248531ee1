import AuctionRules
import Wire

/// An answer of many lines, sent in parts.
///
/// Each part is made when the one before has been sent, so only one part waits in memory.
struct LongAnswer {
    /// What is still to be sent.
    enum Rest {
        /// Bids of the lot with this number; `count` is how many the lot had when asked.
        case laps(Range<Int>, lot: Int, count: Int)
        /// The present bidders with arrival numbers in between, and how many were listed before.
        case who(after: Int, through: Int, told: Int)
        /// The snapshot, which is short enough for one part.
        case status
        /// The lines of the list of commands from this index on.
        case help(from: Int)
    }

    var rest: Rest
    let tag: String?
    /// Whether news is held back until the answer is complete, because a part of it was sent.
    var holdsNews = false
    /// Whether the client has closed its side, so that the connection ends after the answer.
    var isLast = false
    /// Whether the connection fell behind the news, so that a snapshot follows the answer.
    var needsSnapshot = false
}

extension Room {
    /// How many lines of an answer are charged as one line of the client.
    private static let linesPerCharge = 10

    /// Whether an answer to a connection is incomplete; until it is complete, nothing is read.
    public func isAnswering(_ id: SessionID) -> Bool {
        !answers.isEmpty && answers[id] != nil
    }

    /// Begins an answer, and sends as much of it as there is room for.
    mutating func answer(
        _ rest: LongAnswer.Rest, tag: String?, to id: SessionID, at now: Instant
    ) {
        answers[id] = LongAnswer(rest: rest, tag: tag)
        continueAnswer(to: id, at: now)
    }

    /// Delays a snapshot until the answer to the connection is complete; false if no part of an
    /// answer was sent.
    ///
    /// Such an answer waits until what was said before it is sent, and that may wait for the snapshot.
    mutating func snapshotAfterAnswer(to id: SessionID) -> Bool {
        guard answers[id]?.holdsNews == true else { return false }
        answers[id]?.needsSnapshot = true
        return true
    }

    /// Ends a connection after its answer, because the client closed its side; false if none is
    /// incomplete.
    mutating func isLeavingWithAnswer(_ id: SessionID) -> Bool {
        guard isAnswering(id) else { return false }
        answers[id]?.isLast = true
        return true
    }

    /// Sends the next part of the answer to a connection; false if it is still incomplete.
    @discardableResult
    mutating func continueAnswer(to id: SessionID, at now: Instant) -> Bool {
        guard !answers.isEmpty, let index = answers.index(forKey: id) else { return true }
        guard answerBudget > 0 else { return false }
        let before = replyCount
        let answer = answers.values[index]
        switch answer.rest {
        case .laps(let range, let lot, let count):
            sayLaps(range, lot: lot, count: count, of: answer, to: id)
        case .who(let after, let last, let told):
            sayWho(after: after, through: last, told: told, of: answer, to: id)
        case .status:
            replySnapshot(to: id, at: now)
            complete(answer, .ok(.status, tag: answer.tag), to: id)
        case .help(let first): sayHelp(from: first, of: answer, to: id)
        }
        let said = replyCount - before
        answerBudget -= said
        chargeLines(said / Self.linesPerCharge, to: id, at: now)
        guard answers[id] == nil else { return false }
        if answer.needsSnapshot { resync(id, at: now) }
        if answer.isLast { dismiss(id, .end, at: now) }
        return true
    }

    /// Ends an incomplete answer with an error, because its connection is about to be closed.
    ///
    /// So the answer still has one end, and the news that was held back follows it.
    mutating func breakOffAnswer(to id: SessionID) {
        guard !answers.isEmpty, let answer = answers[id] else { return }
        complete(answer, .error(.unavailable, tag: answer.tag), to: id)
    }

    /// The most lines of the next part of an answer.
    private var partLines: Int { max(min(replyLimit - replyCount, answerBudget), 1) }

    private mutating func sayLaps(
        _ range: Range<Int>, lot: Int, count: Int, of answer: LongAnswer, to id: SessionID
    ) {
        let known = (auction.bids.first?.number ?? 1)..<auction.bidCount + 1
        // Between two parts the lot may have ended, or the bids of the next part are no longer kept.
        let isGone = answer.holdsNews && !range.isEmpty && range.lowerBound < known.lowerBound
        guard auction.lot.number == lot, !isGone else {
            return complete(answer, .error(.unavailable, tag: answer.tag), to: id)
        }
        let asked = range.clamped(to: known)
        let part = asked.prefix(partLines)
        if part.count < asked.count {
            let rest = part.endIndex..<range.upperBound
            keep(.laps(rest, lot: lot, count: count), of: answer, to: id)
        }
        for bid in part.compactMap({ auction.bid(number: $0) }) { reply(.lap(bid), to: id) }
        if part.count == asked.count {
            complete(answer, .ok(.laps(count), tag: answer.tag), to: id)
        }
    }

    private mutating func sayWho(
        after: Int, through last: Int, told: Int, of answer: LongAnswer, to id: SessionID
    ) {
        let limit = partLines
        // One entry more than fits shows whether the list goes on.
        let found = presentBidders(after: after, limit: limit + 1).prefix { $0.number <= last }
        let part = found.prefix(limit)
        if part.count < found.count {
            let rest = LongAnswer.Rest.who(
                after: part.last?.number ?? after, through: last, told: told + part.count)
            keep(rest, of: answer, to: id)
        }
        for entry in part { reply(.who(entry.bidder), to: id) }
        if part.count == found.count {
            complete(answer, .ok(.who(told + part.count), tag: answer.tag), to: id)
        }
    }

    private mutating func sayHelp(from first: Int, of answer: LongAnswer, to id: SessionID) {
        let rest = Help.lines[first...]
        let part = rest.prefix(partLines)
        if part.count < rest.count { keep(.help(from: part.endIndex), of: answer, to: id) }
        for line in part { reply(.help(line), to: id) }
        if part.count == rest.count {
            complete(answer, .ok(.help, tag: answer.tag), to: id)
        }
    }

    /// Stores the rest of an answer, and holds back news until it is sent.
    private mutating func keep(
        _ rest: LongAnswer.Rest, of answer: LongAnswer, to id: SessionID
    ) {
        if !answer.holdsNews { perform(.holdNews(id)) }
        answers[id]?.rest = rest
        answers[id]?.holdsNews = true
    }

    private mutating func complete(_ answer: LongAnswer, _ end: ServerMessage, to id: SessionID) {
        reply(end, to: id)
        if answer.holdsNews { perform(.releaseNews(id)) }
        answers[id] = nil
    }
}
