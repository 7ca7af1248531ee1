import AuctionRules
import Wire

/// An answer of many lines, sent in parts.
///
/// Each part is made when the one before has been sent, so only one part waits in memory.
struct LongAnswer {
    /// What is still to be sent.
    enum Rest {
        /// Entries of a numbered list.
        case list(List, Numbers)
        /// The present bidders with arrival numbers in between, and how many were listed before.
        case who(after: Int, through: Int, told: Int)
        /// The snapshot, which is short enough for one part.
        case status
        /// The lines of the list of commands from this index on.
        case help(from: Int)
    }

    /// A list of which the entries have numbers without a gap, from 1.
    enum List {
        /// The bids of the lot with this number.
        case laps(lot: Int)
        /// How the lots ended.
        case results
        /// The news, all of which is sent or none.
        case news
    }

    /// The entries of a list that are still to be sent.
    struct Numbers {
        /// The numbers of the entries.
        var left: Range<Int>
        /// The number of entries that the list had when it was requested.
        let count: Int
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
        guard answerBudget > 0 else {
            // News that happens before the first part must follow the older news of the answer.
            if case .list(.news, _) = answers.values[index].rest { holdNews(of: id) }
            return false
        }
        let before = replyCount
        let answer = answers.values[index]
        switch answer.rest {
        case .list(let list, let numbers): sayList(list, numbers, of: answer, to: id, at: now)
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
    private var partLines: Int {
        let lines = (replyLimit - replyBytes) / Limits.answerLineBytes
        return max(min(lines, answerBudget), 1)
    }

    private mutating func sayList(
        _ list: LongAnswer.List, _ numbers: LongAnswer.Numbers, of answer: LongAnswer,
        to id: SessionID, at now: Instant
    ) {
        // Between two parts the lot may have ended, or the entries of the next part are no longer
        // kept.
        let mayBeginLater = !list.isWhole && !answer.holdsNews
        guard let known = knownNumbers(of: list),
            mayBeginLater || numbers.left.isEmpty
                || numbers.left.lowerBound >= known.lowerBound
        else {
            complete(answer, .error(list.loss, tag: answer.tag), to: id)
            if list.isWhole { replySnapshot(to: id, at: now) }
            return
        }
        let listed = numbers.left.clamped(to: known)
        let part = listed.prefix(partLines)
        if part.count < listed.count {
            var rest = numbers
            rest.left = part.endIndex..<numbers.left.upperBound
            keep(.list(list, rest), to: id)
        }
        for number in part {
            if let (entry, seq) = entry(number, of: list) { reply(entry, seq: seq, to: id) }
        }
        if part.count == listed.count {
            complete(answer, .ok(list.answer(numbers.count), tag: answer.tag), to: id)
        }
    }

    /// The numbers of the entries that are kept; nil if the list is gone.
    private func knownNumbers(of list: LongAnswer.List) -> Range<Int>? {
        switch list {
        case .laps(let lot):
            auction.lot.number == lot
                ? (auction.bids.first?.number ?? 1)..<auction.bidCount + 1 : nil
        case .results: sale.lotsEnded - sale.results.count + 1..<sale.lotsEnded + 1
        case .news: sale.recentNews.numbers
        }
    }

    /// An entry, and its number if it is news.
    private func entry(
        _ number: Int, of list: LongAnswer.List
    ) -> (message: ServerMessage, seq: Int?)? {
        switch list {
        case .laps: auction.bid(number: number).map { (.lap($0), nil) }
        case .results:
            sale.results[number - 1 - sale.lotsEnded + sale.results.count].message.result
                .map { ($0, nil) }
        case .news: (sale.missedNews(number), number)
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
            keep(rest, to: id)
        }
        for entry in part { reply(.who(entry.bidder), to: id) }
        if part.count == found.count {
            complete(answer, .ok(.who(told + part.count), tag: answer.tag), to: id)
        }
    }

    private mutating func sayHelp(from first: Int, of answer: LongAnswer, to id: SessionID) {
        let rest = Help.lines[first...]
        let part = rest.prefix(partLines)
        if part.count < rest.count { keep(.help(from: part.endIndex), to: id) }
        for line in part { reply(.help(line), to: id) }
        if part.count == rest.count {
            complete(answer, .ok(.help, tag: answer.tag), to: id)
        }
    }

    /// Stores the rest of an answer, and holds back news until it is sent.
    private mutating func keep(
        _ rest: LongAnswer.Rest, to id: SessionID
    ) {
        answers[id]?.rest = rest
        holdNews(of: id)
    }

    private mutating func holdNews(of id: SessionID) {
        guard answers[id]?.holdsNews == false else { return }
        perform(.holdNews(id))
        answers[id]?.holdsNews = true
    }

    private mutating func complete(_ answer: LongAnswer, _ end: ServerMessage, to id: SessionID) {
        reply(end, to: id)
        if answer.holdsNews { perform(.releaseNews(id)) }
        answers[id] = nil
    }
}

extension LongAnswer.List {
    /// The answer after the list, which had this number of entries when it was requested.
    fileprivate func answer(_ count: Int) -> Answer {
        switch self {
        case .laps: .laps(count)
        case .results: .results(count)
        case .news: .resumed(count)
        }
    }

    /// Whether an answer lacks no entry at its beginning, and a snapshot follows if it cannot be
    /// given.
    fileprivate var isWhole: Bool {
        switch self {
        case .laps, .results: false
        case .news: true
        }
    }

    /// The error if entries are no longer kept.
    fileprivate var loss: ErrorReply {
        switch self {
        case .laps, .results: .unavailable
        case .news: .gone
        }
    }
}

extension ServerMessage {
    /// The message about the end of a lot as an entry of the list of results; nil for any other.
    fileprivate var result: ServerMessage? {
        switch self {
        case .winner(let sold):
            .result(
                Lot(number: sold.number ?? 0, title: sold.title), winner: sold.bidder,
                price: sold.price, elapsed: sold.elapsed)
        case .passed(let lot, _, let elapsed):
            .result(lot, winner: nil, price: nil, elapsed: elapsed)
        default: nil
        }
    }
}
