import Wire

/// What a session prints of the news and the answers: lines of the server, or sentences.
struct SessionPrinter: Sendable {
    private let command: ClientCommand
    /// Whether sentences and tables for a person are printed in place of lines.
    let usesSentences: Bool
    /// The sentences of the news of a bid.
    private var sentences: NewsSentences?
    /// The news since the last answer, while it is not printed.
    private var held: [ReceivedLine] = []

    /// Makes the printer of a command, which uses sentences if the command has any.
    init(of command: ClientCommand, inSentences: Bool) {
        self.command = command
        usesSentences = inSentences && command.hasSentences
        beginSentences()
    }

    private mutating func beginSentences() {
        guard usesSentences, case .bid(_, let bidder, _, _) = command else { return }
        sentences = NewsSentences(for: bidder)
    }

    /// Forgets the sale of the room that was left.
    mutating func enterRoom() {
        held = []
        beginSentences()
    }

    /// Forgets what a lost connection did not complete.
    mutating func disconnect() {
        held = []
    }

    /// Keeps news that is printed only with an answer.
    mutating func hold(_ line: ReceivedLine) {
        held.append(line)
    }

    /// Prints news.
    mutating func show(news line: ReceivedLine) -> [ClientEffect] {
        guard usesSentences else { return [.show(line)] }
        return line.message.flatMap { sentences?.sentences(of: $0) }?.map { .say($0) } ?? []
    }

    /// The refusal of a step.
    func refusal(_ error: ErrorReply, _ line: ReceivedLine, of step: SessionStep) -> ClientEffect {
        guard usesSentences else { return .show(line) }
        let reason =
            if case .join(let room) = step {
                error.complaint(about: room)
            } else {
                error.reason
            }
        return .say(Sentence(reason, .bad))
    }

    /// Ends with `BYE`; the line is printed only if the news is.
    func close(_ reason: ServerMessage.CloseReason, _ line: ReceivedLine) -> [ClientEffect] {
        let shown: [ClientEffect] = command.followsNews && !usesSentences ? [.show(line)] : []
        guard reason != .quit else { return shown + [.exit(.done)] }
        return shown + [.complain(ClientError.closed(reason).reason), .exit(reason.exitCode)]
    }
}

// MARK: - Answers

extension SessionPrinter {
    /// Prints what the user wants of an answer: the data, the answer, or a message without data.
    mutating func show(
        _ answer: Answer, _ data: [ReceivedLine], _ line: ReceivedLine, of step: SessionStep,
        bid: BidProgress?
    ) -> [ClientEffect] {
        let data = takeNews(of: answer, bid: bid) ?? data
        if usesSentences { return say(answer, data, of: step, bid: bid) }
        let shown = data.map { ClientEffect.show($0) }
        switch (step, command) {
        case (.format, _), (.name, _): return []
        case (.snapshot, _): return shown
        case (.join, _): return command.followsNews ? shown : []
        case (.bid, _), (.line, .open): return [.show(line)]
        case (.line, .ask):
            return shown.isEmpty ? answer.total.map { [.complain($0)] } ?? [] : shown
        case (.line, _): return shown + [.show(line)]
        }
    }

    /// Removes the held news; returns what of it is the data of an answer, nil if that is no news.
    private mutating func takeNews(of answer: Answer, bid: BidProgress?) -> [ReceivedLine]? {
        defer { held = [] }
        switch answer {
        case .status, .joined, .opened:
            let start = held.lastIndex { $0.message?.beginsSnapshot == true }
            return held[(start ?? held.endIndex)...]
                .filter { !(bid?.isOldResult($0.message) ?? false) }
        case .resumed(let count): return held.suffix(count)
        case .name, .bid, .take, .buy, .maximum, .said, .reacted, .displayed, .laps, .results, .who,
            .standings, .rooms,
            .format, .ping, .ready, .quit, .help, .auctioneer, .ruled:
            return nil
        }
    }

    private mutating func say(
        _ answer: Answer, _ data: [ReceivedLine], of step: SessionStep, bid: BidProgress?
    ) -> [ClientEffect] {
        switch step {
        case .bid:
            return [.say(Sentence(answer.text(isSealed: bid?.isSealed == true), .good))]
        case .line:
            let lines = AnswerText(answer, data.compactMap(\.message)).lines
            return (lines + invitation).map { .say($0) }
        case .join, .snapshot: return command.followsNews ? data.flatMap { show(news: $0) } : []
        case .format, .name: return []
        }
    }

    /// How others join the room that the command has opened.
    private var invitation: [Sentence] {
        guard case .open(_, _, let invitation) = command else { return [] }
        return invitation.map { Sentence($0) }
    }
}
