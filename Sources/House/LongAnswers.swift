import Auction
import Basics
import Wire

/// The answers that are not complete, by their connections.
struct LongAnswers {
    /// The number of lines that may still be sent in this step.
    ///
    /// One part may exceed it; with none left, answers wait.
    var budget = Int.max
    private var answers: [SessionID: LongAnswer] = [:]

    /// The result of continuing an answer.
    enum Progress {
        /// There was none.
        case none
        /// It is still incomplete, after this number of lines.
        case incomplete(lines: Int)
        /// It is complete, after this number of lines.
        case complete(LongAnswer, lines: Int)
    }

    /// Whether an answer to a connection is incomplete.
    func contains(_ id: SessionID) -> Bool { !answers.isEmpty && answers[id] != nil }

    /// Begins an answer, of which `continue` sends as much as fits.
    mutating func begin(_ rest: LongAnswer.Rest, tag: String?, to id: SessionID) {
        answers[id] = LongAnswer(rest: rest, tag: tag)
    }

    /// Sends the next part of the answer to a connection in a room.
    mutating func `continue`(
        to id: SessionID, in room: RoomID, of rooms: borrowing Rooms, at now: Instant,
        _ outputs: inout Outputs
    ) -> Progress {
        guard !answers.isEmpty, let answer = answers[id] else { return .none }
        guard budget > 0 else {
            // News that happens before the first part must follow the older news of the answer.
            if case .list(.news, _) = answer.rest { holdNews(of: id, &outputs) }
            return .incomplete(lines: 0)
        }
        let before = outputs.replyCount
        sendPart(of: answer, to: id, in: room, of: rooms, at: now, &outputs)
        let lines = outputs.replyCount - before
        budget -= lines
        return answers[id] == nil ? .complete(answer, lines: lines) : .incomplete(lines: lines)
    }

    /// Delays a snapshot until the answer to the connection is complete.
    ///
    /// False if no part of an answer was sent: such an answer waits until earlier output is sent,
    /// and that may wait for the snapshot.
    mutating func delaySnapshot(to id: SessionID) -> Bool {
        guard !answers.isEmpty, answers[id]?.holdsNews == true else { return false }
        answers[id]?.needsSnapshot = true
        return true
    }

    /// Notes that a connection ends after its answer; false if none is incomplete.
    mutating func endAfterAnswer(to id: SessionID) -> Bool {
        guard contains(id) else { return false }
        answers[id]?.isLast = true
        return true
    }

    /// Ends an incomplete answer with an error, because its connection is about to be closed.
    ///
    /// So the answer still has one end, and the news that was held back follows it.
    mutating func breakOff(to id: SessionID, _ outputs: inout Outputs) {
        guard !answers.isEmpty, let answer = answers[id] else { return }
        complete(answer, .error(.unavailable, tag: answer.tag), to: id, &outputs)
    }

    /// Removes the answer to a connection that has ended.
    mutating func remove(_ id: SessionID) {
        if !answers.isEmpty { answers[id] = nil }
    }

    // Parts

    private mutating func sendPart(
        of answer: LongAnswer, to id: SessionID, in room: RoomID, of rooms: borrowing Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) {
        let (live, limit) = (rooms[room].live, partLines(outputs))
        switch answer.rest {
        case .list(let list, let numbers):
            send(list, numbers, of: answer, to: id, from: live, at: now, &outputs)
        case .who(let after, let last, let listed):
            // News is held back from the first part on.
            let last = answer.holdsNews ? last : live.sale.names.lastNumber
            guard
                let found = live.sale.names.present(after: after, asOf: last, limit: limit + 1)
            else {
                return complete(answer, .error(.unavailable, tag: answer.tag), to: id, &outputs)
            }
            send(
                found[...], atMost: limit, of: answer, to: id, &outputs,
                line: { .who($0.bidder) },
                rest: {
                    .who(
                        after: $0.last?.number ?? after, upTo: last, listed: listed + $0.count)
                },
                end: { .who(listed + $0) })
        case .status(let bidder, let withRule):
            live.sendSnapshot(to: id, withRule: withRule, at: now, &outputs)
            if let bidder { live.sendPrivateState(of: bidder, to: id, &outputs) }
            complete(answer, .ok(.status, tag: answer.tag), to: id, &outputs)
        case .standings(let rows, let first):
            send(
                rows[first...], atMost: limit, of: answer, to: id, &outputs,
                line: { .standing($0) }, rest: { .standings(rows, from: $0.endIndex) },
                end: { _ in .standings(rows.count) })
        case .rooms(let last, let listed):
            send(
                rooms.rows(after: last, limit: limit + 1)[...], atMost: limit, of: answer, to: id,
                &outputs, line: { .room($0) },
                rest: { .rooms(after: $0.last?.name ?? last, listed: listed + $0.count) },
                end: { .rooms(listed + $0) })
        case .help(let format, let first):
            send(
                Help.lines(of: format)[first...], atMost: limit, of: answer, to: id, &outputs,
                line: { .help($0) }, rest: { .help(format, from: $0.endIndex) },
                end: { _ in .help })
        }
    }

    /// The maximum number of lines of the next part.
    private func partLines(_ outputs: borrowing Outputs) -> Int {
        let lines = (outputs.replyLimit - outputs.replyBytes) / Limits.answerLineBytes
        return max(min(lines, budget), 1)
    }

    private mutating func send(
        _ list: LongAnswer.List, _ numbers: LongAnswer.Numbers, of answer: LongAnswer,
        to id: SessionID, from live: LiveSale, at now: Instant,
        _ outputs: inout Outputs
    ) {
        // Between two parts the lot may have ended, a bid may be voided, or the entries of the next
        // part are no longer kept.
        let mayBeginLater = !list.isWhole && !answer.holdsNews
        guard let known = list.numbers(in: live),
            mayBeginLater || numbers.left.isEmpty
                || numbers.left.lowerBound >= known.lowerBound
        else {
            complete(answer, .error(list.lossError, tag: answer.tag), to: id, &outputs)
            if list.isWhole { live.sendSnapshot(to: id, at: now, &outputs) }
            return
        }
        let listed = numbers.left.clamped(to: known)
        let part = listed.prefix(partLines(outputs))
        if part.count < listed.count {
            var rest = numbers
            rest.left = part.endIndex..<numbers.left.upperBound
            keep(.list(list, rest), to: id, &outputs)
        }
        for number in part {
            send(entry: number, of: list, to: id, from: live.sale, &outputs)
        }
        if part.count == listed.count {
            complete(
                answer, .ok(list.answer(numbers.count), tag: answer.tag), to: id, &outputs)
            // What was missed has no state of its own.
            if list.isWhole { live.sendState(to: id, at: now, &outputs) }
        }
    }

    private func send(
        entry number: Int, of list: LongAnswer.List, to id: SessionID, from sale: Sale,
        _ outputs: inout Outputs
    ) {
        switch list {
        case .laps:
            if let bid = sale.auction.bid(number: number) { outputs.reply(.lap(bid), to: id) }
        case .results:
            let result = sale.results[number - 1 - sale.lotsEnded + sale.results.count]
            outputs.reply(result.entry, to: id)
        case .news:
            let news = sale.recentNews[number]
            // The terms of earlier lots are not kept: their minimum is that of the sale. The
            // remaining time is not known.
            let isNewest = news.lot == sale.auction.lot.number
            let rules = isNewest ? sale.auction.rules : sale.rules
            let details = news.event.details(
                lot: news.lot, rules: rules, elapsed: .zero, remaining: nil)
            outputs.replay(.event(news.event, details), seq: number, time: news.time, to: id)
        }
    }

    /// Sends at most `limit` of the entries that are left; one more shows that the answer goes on.
    ///
    /// `rest` makes the rest of the answer from the entries that were sent, or `end` its end from
    /// their number.
    private mutating func send<Entry>(
        _ entries: ArraySlice<Entry>, atMost limit: Int, of answer: LongAnswer, to id: SessionID,
        _ outputs: inout Outputs, line: (Entry) -> ServerMessage,
        rest: (ArraySlice<Entry>) -> LongAnswer.Rest, end: (Int) -> Answer
    ) {
        let part = entries.prefix(limit)
        let isWhole = part.count == entries.count
        if !isWhole { keep(rest(part), to: id, &outputs) }
        for entry in part { outputs.reply(line(entry), to: id) }
        if isWhole { complete(answer, .ok(end(part.count), tag: answer.tag), to: id, &outputs) }
    }

    /// Stores the rest of an answer, and holds back news until it is sent.
    private mutating func keep(
        _ rest: LongAnswer.Rest, to id: SessionID, _ outputs: inout Outputs
    ) {
        answers[id]?.rest = rest
        holdNews(of: id, &outputs)
    }

    private mutating func holdNews(of id: SessionID, _ outputs: inout Outputs) {
        guard answers[id]?.holdsNews == false else { return }
        outputs.holdNews(of: id)
        answers[id]?.holdsNews = true
    }

    private mutating func complete(
        _ answer: LongAnswer, _ end: ServerMessage, to id: SessionID, _ outputs: inout Outputs
    ) {
        outputs.reply(end, to: id)
        if answers[id]?.holdsNews == true { outputs.releaseNews(of: id) }
        answers[id] = nil
    }
}
