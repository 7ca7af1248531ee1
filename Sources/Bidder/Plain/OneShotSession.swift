import Auction
import Wire

/// One run of the client with plain lines, without I/O: lines in, effects out.
///
/// Sends one request at a time. To play, it then sends the lines of the input.
package struct OneShotSession: Sendable {
    /// The maximum number of input lines without an answer before `wantsInput` is false.
    package static let inputWindow = 1000

    /// The line to send at once if no other line may precede the greeting, and its answer.
    ///
    /// A server may wait for a line before it greets, because browsers open connections that they
    /// do not use. This one is accepted in every place, and changes nothing.
    private static let opening = (line: "#hello format text", answer: "OK #hello format text")

    private let command: ClientCommand
    private let room: RoomName
    private let wantedFormat: Format
    private let token: @Sendable (Identity?) -> String?
    /// The step that waits for its answer or will be sent next, and those after it.
    private var steps: ArraySlice<SessionStep>
    private var pipeline = RequestPipeline<Void>()
    private var isGreeted = false
    /// Whether the server greeted on this connection or an earlier one.
    private var wasGreeted = false
    /// Whether the opening line was sent, and is not answered.
    private var isOpening = false
    private var serverID: Identity?
    /// The progress of the bid; nil for another command.
    private var bid: BidProgress?
    /// How the lot of the bid ended according to a snapshot that is not complete.
    private var endInSnapshot: BidProgress.Outcome?
    private var printer: SessionPrinter
    /// Whether the bidder was kicked, so that `BYE` follows.
    private var isKicked = false
    private var hasInputEnded = false
    private var isOver = false

    /// Makes a session in a room; `token` returns the stored token of the name on a server.
    ///
    /// With `inSentences`, answers to requests and the news of a bid are tables and sentences for a
    /// person, in place of the lines of the server.
    package init(
        _ command: ClientCommand, in room: RoomName = .main, format: Format = .text,
        inSentences: Bool = false, token: @escaping @Sendable (Identity?) -> String? = { _ in nil }
    ) {
        self.command = command
        self.room = room
        printer = SessionPrinter(of: command, inSentences: inSentences)
        // Only JSON has the state, of which the sentences are made.
        wantedFormat = printer.usesSentences ? .json : format
        self.token = token
        steps = command.steps(in: room, format: wantedFormat)[...]
        bid = BidProgress(of: command)
    }

    /// Whether the greeting, an answer or `BYE` must follow; false while a bid waits for a lot.
    package var awaitsAnswer: Bool {
        !isGreeted || pipeline.count > 0 || isKicked || bid?.awaitsCost == true
    }

    /// Begins on a new connection, always with a line to send.
    ///
    /// Takes a name only after the greeting, because the token depends on the server.
    package mutating func begin() -> [ClientEffect] {
        if let step = steps.first, !step.isName { return sendStep() }
        isOpening = true
        return [.send(Self.opening.line)]
    }

    /// Sends the next step, if there is one.
    private mutating func sendStep() -> [ClientEffect] {
        guard let step = steps.first else { return [] }
        pipeline.add(())
        return [
            .send(step.line(format: wantedFormat, lot: bid?.openLot, token: token(serverID)))
        ]
    }

    /// Handles a line of the server, without its line end.
    package mutating func receive(_ text: String) -> [ClientEffect] {
        guard !isOver else { return [] }
        if isOpening, text == Self.opening.answer {
            isOpening = false
            return []
        }
        let (line, event) = pipeline.receive(text)
        let effects = isGreeted ? handle(event, line) : greet(event, line)
        isOver = effects.contains { if case .exit = $0 { true } else { false } }
        return effects
    }

    /// Whether the session goes on over another connection if this one is lost.
    ///
    /// True for what waits for news; another bid is made once, on one connection. A bid that has lost
    /// has no news to wait for but its cost, which another connection may not tell.
    package var outlivesConnection: Bool {
        guard wasGreeted, !isOver, bid?.awaitsCost != true else { return false }
        return switch command {
        case .watch: true
        case .bid(_, _, _, let waitsForLot): waitsForLot
        case .play, .ask, .send, .open: false
        }
    }

    /// Forgets a lost connection; `begin` follows on another one.
    package mutating func disconnect() {
        (pipeline, isGreeted, isOpening) = (RequestPipeline(), false, false)
        let isBidMade = bid?.isAccepted ?? false
        steps =
            command.steps(in: room, format: wantedFormat).filter { !isBidMade || !$0.isBid }[...]
        bid?.disconnect()
        endInSnapshot = nil
        printer.disconnect()
    }

    /// Handles the end of the connection.
    package mutating func lose() -> [ClientEffect] {
        guard !isOver else { return [] }
        isOver = true
        guard bid?.awaitsCost != true else { return [.exit(.refused)] }
        return [.complain("the server closed the connection"), .exit(.lost)]
    }

    /// Whether an interrupt should be handled, because a bid may stay that was made.
    package var hasBid: Bool { bid != nil }

    /// Ends because of an interrupt of the user, and says what stays.
    package mutating func interrupt() -> [ClientEffect] {
        isOver = true
        return bid?.stayingOffer.map { [.complain($0)] } ?? []
    }

    private mutating func greet(
        _ event: RequestPipeline<Void>.Event, _ line: ReceivedLine
    ) -> [ClientEffect] {
        (isGreeted, wasGreeted) = (true, true)
        switch event {
        case .greeting(let greeting):
            serverID = greeting.serverID
            return steps.first?.isName == true ? sendStep() : []
        case .refused(let error, _, _): return failToBegin(.refused(error), line)
        case .closing(let reason): return failToBegin(.closed(reason), line)
        case .news, .data, .answered:
            return [.complain("this is no auction/1 server: \(line.text)"), .exit(.lost)]
        }
    }

    /// Ends before the greeting; a full server says why in text, also if the user wants JSON.
    private func failToBegin(_ error: ClientError, _ line: ReceivedLine) -> [ClientEffect] {
        let isShown = !printer.usesSentences && wantedFormat == .text
        let reason = printer.usesSentences ? error.reason : line.text
        return [isShown ? .show(line) : .complain(reason), .exit(.lost)]
    }

    private mutating func handle(
        _ event: RequestPipeline<Void>.Event, _ line: ReceivedLine
    ) -> [ClientEffect] {
        switch event {
        case .greeting: enterRoom(line)
        case .news, .data: receiveNews(line)
        case .answered(let answer, let data, _): finish(answer, data, line)
        case .refused(let error, _, _): handleRefusal(error, line)
        case .closing(let reason): printer.close(reason, line)
        }
    }

    /// Forgets the sale of the room that was left, and shows the greeting to a user who plays.
    private mutating func enterRoom(_ line: ReceivedLine) -> [ClientEffect] {
        bid?.enterRoom()
        endInSnapshot = nil
        printer.enterRoom()
        return isPlaying ? [.show(line)] : []
    }

    private mutating func handleRefusal(_ error: ErrorReply, _ line: ReceivedLine) -> [ClientEffect]
    {
        guard let step = steps.first else { return isPlaying ? finishInputLine(line) : [] }
        if step.isBid, let wait = bid?.wait(after: error) { return effects(of: wait) }
        let hint: [ClientEffect] =
            error.code == .nameTaken && !printer.usesSentences ? [.complain(error.reason)] : []
        return [printer.refusal(error, line, of: step)] + hint + [.exit(.refused)]
    }
}

// MARK: - News and answers

extension OneShotSession {
    private mutating func receiveNews(_ line: ReceivedLine) -> [ClientEffect] {
        let outcome = line.message.flatMap { bid?.receive($0) }
        guard command.followsNews, steps.first?.isPreparation != true else {
            endInSnapshot = endInSnapshot ?? outcome
            printer.hold(line)
            return []
        }
        if isPlaying, case .bidderKicked(let bidder, _) = line.message?.event,
            command == .play(as: bidder)
        {
            isKicked = true
        }
        let isOld = bid?.isOldResult(line.message) ?? false
        return (isOld ? [] : printer.show(news: line)) + effects(of: outcome)
    }

    private mutating func effects(of outcome: BidProgress.Outcome?) -> [ClientEffect] {
        switch outcome {
        case .mustWait(let reason)?: [.complain(reason)]
        case .isDue?: sendStep()
        case .saleIsOver?: [.complain("the sale is over"), .exit(.refused)]
        case .ended(let isWon)?: [.exit(isWon ? .done : .refused)]
        case .missedEnd?: [.complain("the end of the lot was missed"), .exit(.lost)]
        case nil: []
        }
    }

    private mutating func finish(
        _ answer: Answer, _ data: [ReceivedLine], _ line: ReceivedLine
    ) -> [ClientEffect] {
        var effects: [ClientEffect] = []
        if case .name(let bidder, let token) = answer {
            effects.append(.keep(token: token, of: bidder, on: serverID))
        }
        guard let step = steps.popFirst() else {
            return effects + (isPlaying ? finishInputLine(line) : [])
        }
        if step.isBid { bid?.accept() }
        effects += printer.show(answer, data, line, of: step, bid: bid)
        if steps.first?.isPreparation != true, let end = endInSnapshot.take() {
            return effects + self.effects(of: end)
        }
        if steps.first?.isBid == true, let wait = bid?.prepare() {
            return effects + self.effects(of: wait)
        }
        return effects + (steps.isEmpty ? exitIfDone : sendStep())
    }

    private var exitIfDone: [ClientEffect] {
        if case .bid(_, _, waits: false, _) = command { return [.exit(.done)] }
        return command.followsNews ? [] : [.exit(.done)]
    }
}

// MARK: - The input of play

extension OneShotSession {
    /// Whether the name is taken, so that the lines of the input are sent.
    private var isPlaying: Bool {
        guard case .play = command else { return false }
        return isGreeted && steps.isEmpty
    }

    /// Whether a line of the input may be sent.
    package var wantsInput: Bool {
        isPlaying && !isOver && !hasInputEnded && pipeline.count < Self.inputWindow
    }

    /// Sends a line of the input unchanged, or nothing if it is blank.
    ///
    /// Call it only once `wantsInput` is true; a few more lines than `inputWindow` may follow.
    package mutating func send(_ line: String) -> [ClientEffect] {
        guard !isOver else { return [] }
        precondition(isPlaying && !hasInputEnded, "input is sent between the name and its end")
        // The server ignores these bytes, also at the end of a line.
        let blanks: [UInt8] = [0x20, 0x09, 0x0D]
        guard line.utf8.contains(where: { !blanks.contains($0) }) else { return [] }
        pipeline.add(())
        return [.send(line)]
    }

    /// Ends the input; the session ends when every line is answered.
    package mutating func endInput() -> [ClientEffect] {
        guard !isOver, !hasInputEnded else { return [] }
        hasInputEnded = true
        guard isInputDone else { return [] }
        isOver = true
        return [.exit(.done)]
    }

    private func finishInputLine(_ line: ReceivedLine) -> [ClientEffect] {
        [.show(line)] + (isInputDone ? [.exit(.done)] : [])
    }

    /// Whether every line is answered, and no `BYE` must follow.
    private var isInputDone: Bool { hasInputEnded && pipeline.count == 0 && !isKicked }
}
