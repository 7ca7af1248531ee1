import AuctionRules
import Sale
import Wire

/// One run of the client with plain lines, without I/O: lines in, effects out.
///
/// Sends one request at a time. To play, it then sends the lines of the input.
public struct OneShotSession: Sendable {
    /// The maximum number of input lines without an answer before `wantsInput` is false.
    public static let inputWindow = 1000

    /// The line to send at once if no other line may precede the greeting, and its answer.
    ///
    /// A server may wait for a line before it greets, because browsers open connections that they
    /// do not use. This one is accepted in every place, and changes nothing.
    private static let opening = (line: "#hello format text", answer: "OK #hello format text")

    private let command: ClientCommand
    private let wantedFormat: Format
    private let token: @Sendable (Identity?) -> String?
    /// The step that waits for its answer or will be sent next, and those after it.
    private var steps: ArraySlice<SessionStep>
    private var pipeline = RequestPipeline<Void>()
    private var isGreeted = false
    /// Whether the opening line was sent, and is not answered.
    private var isOpening = false
    private var serverID: Identity?
    /// The progress of the bid; nil for another command.
    private var bid: BidProgress?
    /// The sentences of the news; nil to print the lines of the server.
    private var sentences: NewsSentences?
    private let usesSentences: Bool
    /// The news since the last answer, while it is not printed.
    private var unprinted: [ReceivedLine] = []
    /// Whether the bidder was kicked, so that `BYE` follows.
    private var isKicked = false
    private var hasInputEnded = false
    private var isOver = false

    /// Makes a session in a room; `token` returns the stored token of the name on a server.
    ///
    /// With `inSentences`, answers to requests and the news of a bid are tables and sentences for a
    /// person, in place of the lines of the server.
    public init(
        _ command: ClientCommand, in room: RoomName = .main, format: Format = .text,
        inSentences: Bool = false, token: @escaping @Sendable (Identity?) -> String? = { _ in nil }
    ) {
        self.command = command
        wantedFormat = format
        self.token = token
        steps = command.steps(in: room, format: format)[...]
        usesSentences = inSentences && command.hasSentences
        beginBid()
    }

    /// Begins to follow a bid, if the command is one, knowing nothing of the sale.
    private mutating func beginBid() {
        guard case .bid(let request, let bidder, _, let waitsForLot) = command else { return }
        bid = BidProgress(request, by: bidder, waitsForLot: waitsForLot)
        if usesSentences { sentences = NewsSentences(for: bidder) }
    }

    /// Whether the greeting, an answer or `BYE` must follow; false while a bid waits for a lot.
    public var awaitsAnswer: Bool { !isGreeted || pipeline.count > 0 || isKicked }

    /// Begins on a new connection, always with a line to send.
    ///
    /// Takes a name only after the greeting, because the token depends on the server.
    public mutating func begin() -> [ClientEffect] {
        switch steps.first {
        case .name?, nil:
            isOpening = true
            return [.send(Self.opening.line)]
        default: return sendStep()
        }
    }

    /// Sends the next step, if there is one.
    private mutating func sendStep() -> [ClientEffect] {
        guard let step = steps.first else { return [] }
        pipeline.add(())
        return [.send(step.line(format: wantedFormat, token: token(serverID)))]
    }

    /// Handles a line of the server, without its line end.
    public mutating func receive(_ text: String) -> [ClientEffect] {
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

    /// Handles the end of the connection.
    public mutating func lose() -> [ClientEffect] {
        guard !isOver else { return [] }
        isOver = true
        return [.complain("the server closed the connection"), .exit(.lost)]
    }

    private mutating func greet(
        _ event: RequestPipeline<Void>.Event, _ line: ReceivedLine
    ) -> [ClientEffect] {
        isGreeted = true
        switch event {
        case .greeting(let greeting):
            serverID = greeting.serverID
            if case .name? = steps.first { return sendStep() }
            return []
        // A server that is full or ends sends this in text, also if the user wants JSON.
        case .refused(let error, _, _) where usesSentences:
            return [.complain(error.reason), .exit(.lost)]
        case .closing(let reason) where usesSentences:
            return [.complain(ClientError.closed(reason).reason), .exit(.lost)]
        case .refused, .closing:
            return [wantedFormat == .text ? .show(line) : .complain(line.text), .exit(.lost)]
        case .news, .data, .answered:
            return [.complain("this is no auction/1 server: \(line.text)"), .exit(.lost)]
        }
    }

    private mutating func handle(
        _ event: RequestPipeline<Void>.Event, _ line: ReceivedLine
    ) -> [ClientEffect] {
        switch event {
        case .greeting: enterRoom(line)
        case .news, .data: receiveNews(line)
        case .answered(let answer, let data, _): finish(answer, data, line)
        case .refused(let error, _, _): handleRefusal(error, line)
        case .closing(let reason): close(reason, line)
        }
    }

    /// Forgets the sale of the room that was left; a user who plays has asked for that, and sees it.
    private mutating func enterRoom(_ line: ReceivedLine) -> [ClientEffect] {
        unprinted = []
        beginBid()
        return isPlaying ? [.show(line)] : []
    }

    private mutating func handleRefusal(_ error: ErrorReply, _ line: ReceivedLine) -> [ClientEffect]
    {
        guard let step = steps.first else { return isPlaying ? finishInputLine(line) : [] }
        if step.isBid, let wait = bid?.wait(after: error) { return effects(of: wait) }
        guard usesSentences else { return [.show(line), .exit(.refused)] }
        let reason =
            if case .join(let room) = step {
                error.complaint(about: room)
            } else {
                error.reason
            }
        return [.say(Sentence(reason, .bad)), .exit(.refused)]
    }

    /// Handles `BYE`; the line is printed only if the news is.
    private func close(
        _ reason: ServerMessage.CloseReason, _ line: ReceivedLine
    ) -> [ClientEffect] {
        let shown: [ClientEffect] = command.followsNews && !usesSentences ? [.show(line)] : []
        guard reason != .quit else { return shown + [.exit(.done)] }
        return shown + [.complain(ClientError.closed(reason).reason), .exit(reason.exitCode)]
    }
}

// MARK: - News and answers

extension OneShotSession {
    private mutating func receiveNews(_ line: ReceivedLine) -> [ClientEffect] {
        let outcome = line.message.flatMap { bid?.receive($0) }
        guard command.followsNews, steps.first?.isPreparation != true else {
            unprinted.append(line)
            return []
        }
        if isPlaying, case .kicked(let bidder, _) = line.message, command == .play(as: bidder) {
            isKicked = true
        }
        return (isOldResult(line) ? [] : show(news: line)) + effects(of: outcome)
    }

    private mutating func show(news line: ReceivedLine) -> [ClientEffect] {
        guard usesSentences else { return [.show(line)] }
        return line.message.flatMap { sentences?.sentence(of: $0) }.map { [.say($0)] } ?? []
    }

    private func isOldResult(_ line: ReceivedLine) -> Bool {
        bid?.isOldResult(line.message) ?? false
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
        if step.isBid {
            bid?.accept()
            sentences?.accept(answer)
        }
        effects += show(answer, data, line, of: step)
        unprinted = []
        if steps.first?.isBid == true, let wait = bid?.prepare() {
            return effects + self.effects(of: wait)
        }
        return effects + (steps.isEmpty ? exitIfDone : sendStep())
    }

    /// The data of an answer whose data is news; nil for any other.
    private func newsData(of answer: Answer) -> [ReceivedLine]? {
        switch answer {
        case .status, .joined, .opened:
            let start = unprinted.lastIndex { $0.message?.beginsSnapshot == true }
            return unprinted[(start ?? unprinted.endIndex)...].filter { !isOldResult($0) }
        case .resumed(let count): return unprinted.suffix(count)
        default: return nil
        }
    }

    /// Prints what the user wants of an answer: the data, the answer, or a message without data.
    private mutating func show(
        _ answer: Answer, _ data: [ReceivedLine], _ line: ReceivedLine, of step: SessionStep
    ) -> [ClientEffect] {
        let data = newsData(of: answer) ?? data
        if usesSentences { return say(answer, data, of: step) }
        let shown = data.map { ClientEffect.show($0) }
        switch (step, command) {
        case (.format, _), (.name, _): return []
        case (.snapshot, _): return shown
        case (.join, _): return command.followsNews ? shown : []
        case (.bid, _), (.line, .open): return [.show(line)]
        case (.line, .ask):
            return shown.isEmpty ? answer.emptiness.map { [.complain($0)] } ?? [] : shown
        case (.line, _): return shown + [.show(line)]
        }
    }

    private mutating func say(
        _ answer: Answer, _ data: [ReceivedLine], of step: SessionStep
    ) -> [ClientEffect] {
        switch step {
        case .bid:
            return answer.success(isSealed: bid?.isSealed == true)
                .map { [.say(Sentence($0, .good))] } ?? []
        case .line:
            let lines = AnswerText(answer, data.compactMap(\.message)).lines
            return (lines + invitation).map { .say($0) }
        case .join: return command.followsNews ? data.flatMap { show(news: $0) } : []
        case .format, .snapshot, .name: return []
        }
    }

    /// How others join the room that the command has opened.
    private var invitation: [Sentence] {
        guard case .open(_, _, let invitation) = command else { return [] }
        return invitation.map { Sentence($0) }
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
    public var wantsInput: Bool {
        isPlaying && !isOver && !hasInputEnded && pipeline.count < Self.inputWindow
    }

    /// Sends a line of the input unchanged, or nothing if it is blank.
    ///
    /// Call it only once `wantsInput` is true; a few more lines than `inputWindow` may follow.
    public mutating func send(_ line: String) -> [ClientEffect] {
        guard !isOver else { return [] }
        precondition(isPlaying && !hasInputEnded, "input is sent between the name and its end")
        // The server ignores these bytes, also at the end of a line.
        let blanks: [UInt8] = [0x20, 0x09, 0x0D]
        guard line.utf8.contains(where: { !blanks.contains($0) }) else { return [] }
        pipeline.add(())
        return [.send(line)]
    }

    /// Ends the input; the session ends when every line is answered.
    public mutating func endInput() -> [ClientEffect] {
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
