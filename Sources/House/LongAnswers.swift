import Auction
import Basics
import Wire

/// The answers of many lines that are not complete, by their connections.
///
/// Each part is made when the one before has been sent, so only one part waits in memory. An answer
/// to a connection of another node has one part, as that node does not report what it has sent.
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
    mutating func begin(_ rest: LongAnswer.Rest, to sender: Sender) {
        answers[sender.id] = LongAnswer(to: sender, rest: rest)
    }

    /// Sends the next part of the answer to a connection in a room.
    mutating func `continue`(
        to id: SessionID, in room: RoomID, of rooms: borrowing Rooms, _ turn: inout Turn
    ) -> Progress {
        guard !answers.isEmpty, let answer = answers[id] else { return .none }
        guard budget > 0 || id.isRemote else {
            // News that happens before the first part must follow the older news of the answer.
            if answer.repeatsNews { holdNews(of: id, &turn) }
            return .incomplete(lines: 0)
        }
        let before = turn.replyCount
        sendPart(of: answer, in: room, of: rooms, &turn)
        let lines = turn.replyCount - before
        budget -= lines
        return answers[id] == nil ? .complete(answer, lines: lines) : .incomplete(lines: lines)
    }

    /// Delays a snapshot until the answer to the connection is complete.
    ///
    /// False if no part of an answer was sent: such an answer waits until earlier output is sent,
    /// and that may wait for the snapshot.
    mutating func delaySnapshot(to id: SessionID, _ turn: borrowing Turn) -> Bool {
        guard turn.holdsNews(of: id) else { return false }
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
    mutating func breakOff(to id: SessionID, _ turn: inout Turn) {
        guard !answers.isEmpty, let answer = answers[id] else { return }
        fail(answer, .unavailable, &turn)
    }

    /// Removes the answer to a connection that has ended.
    mutating func remove(_ id: SessionID) {
        if !answers.isEmpty { answers[id] = nil }
    }

    // Parts

    private mutating func sendPart(
        of answer: LongAnswer, in room: RoomID, of rooms: borrowing Rooms, _ turn: inout Turn
    ) {
        let limit = partLines(to: answer.sender.id, turn)
        switch answer.rest {
        case .list(let numbers): send(numbers, of: answer, from: rooms[room], &turn)
        case .who(let after, let last, let listed):
            let names = rooms[room].sale.names
            // News is held back from the first part on.
            let last = turn.holdsNews(of: answer.sender.id) ? last : names.lastNumber
            guard let found = names.present(after: after, asOf: last, limit: limit + 1) else {
                return fail(answer, .unavailable, &turn)
            }
            let part = found.prefix(limit)
            let count = listed + part.count
            let rest = LongAnswer.Rest.who(
                after: part.last?.number ?? after, upTo: last, listed: count)
            send(
                part.map { .who($0.bidder, display: names.display(of: $0.bidder)) }, of: answer,
                then: part.count < found.count ? .rest(rest) : .end(.who(count)), &turn)
        case .status(let withRule):
            rooms[room].sendSnapshot(to: answer.sender, withRule: withRule, &turn)
            if let bidder = answer.sender.bidder {
                rooms[room].sendPrivateState(of: bidder, &turn)
            }
            complete(answer, .status, &turn)
        case .standings(let rows, let first):
            let part = rows[first...].prefix(limit)
            let rest = LongAnswer.Rest.standings(rows, from: part.endIndex)
            send(
                part.map { .standing($0) }, of: answer,
                then: part.endIndex < rows.count ? .rest(rest) : .end(.standings(rows.count)),
                &turn)
        case .lines(let lines, let first, let end):
            let part = lines[first...].prefix(limit)
            let rest = LongAnswer.Rest.lines(lines, from: part.endIndex, then: end)
            send(
                Array(part), of: answer,
                then: part.endIndex < lines.count ? .rest(rest) : .end(end), &turn)
        case .rooms(let last, let listed):
            let found = rooms.rows(after: last, limit: limit + 1)
            let part = found.prefix(limit)
            let count = listed + part.count
            let rest = LongAnswer.Rest.rooms(after: part.last?.name ?? last, listed: count)
            send(
                part.map { .room($0) }, of: answer,
                then: part.count < found.count ? .rest(rest) : .end(.rooms(count)), &turn)
        }
    }

    /// The maximum number of lines of the next part.
    private func partLines(to id: SessionID, _ turn: borrowing Turn) -> Int {
        if id.isRemote { return .max / 2 }
        let lines = (turn.replyLimit - turn.replyBytes) / Limits.answerLineBytes
        return max(min(lines, budget), 1)
    }

    private mutating func send(
        _ numbers: LongAnswer.Numbers, of answer: LongAnswer, from room: borrowing Room,
        _ turn: inout Turn
    ) {
        let (list, id) = (numbers.list, answer.sender.id)
        // Between two parts the lot may have ended, a bid may be voided, or the entries of the next
        // part are no longer kept.
        let mayBeginLater = !list.isWhole && !turn.holdsNews(of: id)
        guard let known = list.numbers(in: room),
            mayBeginLater || numbers.left.isEmpty
                || numbers.left.lowerBound >= known.lowerBound
        else {
            fail(answer, list.lossError, &turn)
            if list.isWhole { room.sendSnapshot(to: answer.sender, &turn) }
            return
        }
        let listed = numbers.left.clamped(to: known)
        let part = listed.prefix(partLines(to: id, turn))
        if part.count < listed.count {
            var rest = numbers
            rest.left = part.endIndex..<numbers.left.upperBound
            keep(.list(rest), of: answer, &turn)
        }
        for number in part {
            guard let entry = entry(number, of: list, in: room.sale) else { continue }
            if list.isWhole {
                turn.replay(entry.message, seq: number, time: entry.time, to: id)
            } else {
                turn.reply(entry.message, to: id)
            }
        }
        if part.count == listed.count {
            complete(answer, list.answer(numbers.count), &turn)
            // What was missed has no state of its own.
            if list.isWhole { room.sendState(to: answer.sender, &turn) }
        }
    }

    /// An entry of a list, with the time of the event that it tells; nil if it is no longer kept.
    private func entry(
        _ number: Int, of list: LongAnswer.List, in sale: Sale
    ) -> (message: ServerMessage, time: Int64?)? {
        switch list {
        case .laps: return sale.auction.bid(number: number).map { (.lap($0), nil) }
        case .results:
            return (sale.results[number - 1 - sale.lotsEnded + sale.results.count].entry, nil)
        case .news:
            let news = sale.recentNews[number]
            return (.event(news.event), news.time)
        }
    }

    /// What follows the lines of a part.
    private enum Next {
        case rest(LongAnswer.Rest)
        case end(Answer)
    }

    private mutating func send(
        _ lines: [ServerMessage], of answer: LongAnswer, then next: Next, _ turn: inout Turn
    ) {
        if case .rest(let rest) = next { keep(rest, of: answer, &turn) }
        for line in lines { turn.reply(line, to: answer.sender.id) }
        if case .end(let end) = next { complete(answer, end, &turn) }
    }

    /// Stores the rest of an answer, and holds back news until it is sent.
    private mutating func keep(_ rest: LongAnswer.Rest, of answer: LongAnswer, _ turn: inout Turn) {
        answers[answer.sender.id]?.rest = rest
        holdNews(of: answer.sender.id, &turn)
    }

    private mutating func holdNews(of id: SessionID, _ turn: inout Turn) {
        if !turn.holdsNews(of: id) { turn.holdNews(of: id) }
    }

    private mutating func complete(_ answer: LongAnswer, _ end: Answer, _ turn: inout Turn) {
        turn.accept(end, to: answer.sender)
        releaseNews(after: answer, &turn)
    }

    private mutating func fail(_ answer: LongAnswer, _ error: ErrorReply, _ turn: inout Turn) {
        turn.reply(.error(error, tag: answer.sender.tag), to: answer.sender.id)
        releaseNews(after: answer, &turn)
    }

    private mutating func releaseNews(after answer: LongAnswer, _ turn: inout Turn) {
        let id = answer.sender.id
        answers[id] = nil
        if turn.holdsNews(of: id) { turn.releaseNews(of: id) }
    }
}

/// An answer of many lines, sent in parts.
struct LongAnswer {
    /// What is still to be sent.
    enum Rest {
        /// Entries of a numbered list.
        case list(Numbers)
        /// The bidders with these arrival numbers who were present when the first part was sent;
        /// `listed` were listed before.
        case who(after: Int, upTo: Int, listed: Int)
        /// The snapshot, and what holds for the bidder alone; short enough for one part.
        ///
        /// With `withRule` the rule of the lot follows its terms.
        case status(withRule: Bool)
        /// The rows of the standings from this index on, in memory that all answers share.
        case standings([StandingsRow], from: Int)
        /// These lines from this index on, and then the end of the answer.
        case lines([ServerMessage], from: Int, then: Answer)
        /// The rooms after the one with this name, or all; `listed` were listed before.
        case rooms(after: RoomName?, listed: Int)
    }

    /// A list whose entries have numbers without a gap, from 1.
    enum List {
        /// The bids of the lot with this number, as long as no bid is voided after this many.
        case laps(lot: Int, voids: Int)
        /// How the lots ended.
        case results
        /// The news; all of it is sent, or none.
        case news
    }

    /// The entries of a list that are still to be sent.
    struct Numbers {
        /// The list.
        let list: List
        /// The numbers of the entries.
        var left: Range<Int>
        /// The number of entries that the list had when it was requested.
        let count: Int
    }

    /// The connection that is answered.
    let sender: Sender
    var rest: Rest
    /// Whether the client has closed its side, so that the connection ends after the answer.
    var isLast = false
    /// Whether the answer repeats news, which may contradict what only the bidder was told.
    var repeatsNews: Bool {
        if case .list(let numbers) = rest { numbers.list.isWhole } else { false }
    }
    /// Whether the connection fell behind the news, so that a snapshot follows the answer.
    var needsSnapshot = false

    init(to sender: Sender, rest: Rest) {
        (self.sender, self.rest) = (sender, rest)
    }
}

extension LongAnswer.List {
    /// The numbers of the entries that are kept; nil if the list is gone.
    func numbers(in room: borrowing Room) -> Range<Int>? {
        let (sale, auction) = (room.sale, room.sale.auction)
        switch self {
        case .laps(let lot, let voids):
            guard auction.lot.number == lot, room.voidCount == voids else { return nil }
            return (auction.bids.first?.number ?? 1)..<auction.bidCount + 1
        case .results: return sale.lotsEnded - sale.results.count + 1..<sale.lotsEnded + 1
        case .news: return sale.recentNews.numbers
        }
    }

    /// The answer after the list, which had this number of entries when it was requested.
    func answer(_ count: Int) -> Answer {
        switch self {
        case .laps: .laps(count)
        case .results: .results(count)
        case .news: .resumed(count)
        }
    }

    /// Whether the list must be complete; if an entry is lost, a snapshot follows the error.
    var isWhole: Bool {
        switch self {
        case .laps, .results: false
        case .news: true
        }
    }

    /// The error if entries are no longer kept.
    var lossError: ErrorReply {
        switch self {
        case .laps, .results: .unavailable
        case .news: .gone
        }
    }
}
