import Typing
import Wire

extension LiveView {
    /// The commands that can be typed.
    static let commands = ["bid", "help", "laps", "ping", "quit", "status", "who"]
    /// The same for whoever is the auctioneer.
    private static let auctioneersCommands =
        commands + AuctioneerCommand.Verb.allCases.map(\.rawValue)

    /// A key was pressed.
    public func press(_ key: Key) {
        defer { change() }
        switch key {
        case .control("c"): return quit()
        case .control("l"): return wish(.redraw)
        case .control("z"): return wish(.suspend)
        default: break
        }
        if model.isHelpShown {
            model.isHelpShown = false
        } else if isPlaying {
            edit(key)
        } else {
            watch(key)
        }
    }

    private func watch(_ key: Key) {
        switch key {
        case .character("?"): model.isHelpShown = true
        case .character("q"), .control("d"): quit()
        default: break
        }
    }

    private func edit(_ key: Key) {
        switch key {
        case .character("?") where model.input.text.isEmpty: model.isHelpShown = true
        case .control("d") where model.input.text.isEmpty: quit()
        default:
            let offer = model.leastBid.map { "\($0.amount)" }
            guard case .submitted(let line) = model.input.press(key, offer: offer) else { return }
            submit(line)
        }
    }

    private func submit(_ line: String) {
        model.feedback = nil
        feedbackTopic = .other
        do throws(ParseError) {
            guard let request = try Self.request(line) else { return }
            if request.command.holdsSecret { model.input.forget() }
            carryOut(request.command)
        } catch {
            if line.mayHoldSecret { model.input.forget() }
            refuse(ErrorReply(error.reason).reason)
        }
    }

    /// What a line asks for; an amount in it may have the commas that the screen shows.
    private static func request(_ line: String) throws(ParseError) -> Request? {
        do throws(ParseError) {
            return try Request(line: line)
        } catch {
            return try Request(line: line.ungrouped)
        }
    }

    private func carryOut(_ command: Request.Command) {
        switch command {
        case .bid(let price): ask(command, success: "you bid \(price.grouped)", about: .bid)
        case .ping: ask(command, success: "the server is there")
        case .status: synchronise()
        case .laps: loadLaps()
        case .who: loadBidders()
        case .help: model.isHelpShown = true
        case .quit: quit()
        case .name: refuse("you are \(model.bidder?.description ?? "nobody") here")
        case .auctioneer:
            ask(command, success: "you are the auctioneer") { [unowned self] in
                model.input.completions = Self.auctioneersCommands
            }
        case .rule(let ruling): ask(command, success: "\(ruling.verb.rawValue): done")
        case .format: refuse("the view has its own form, lines are for --plain")
        }
    }

    private func ask(
        _ command: Request.Command, success: String, about topic: FeedbackTopic = .other,
        then action: @escaping () -> Void = {}
    ) {
        tell("...", isRefusal: false, about: .other)
        dialogue.ask(command).observe(in: bag) { [unowned self] _ in
            tell(success, isRefusal: false, about: topic)
            action()
        } onEnd: { [unowned self] error in
            guard let trouble = error as? Trouble else { return }
            tell(trouble.reason, isRefusal: true, about: topic)
        }
    }

    private func refuse(_ reason: String) {
        tell(reason, isRefusal: true, about: .other)
    }

    /// Shows the result of a line or a bid.
    func tell(_ text: String, isRefusal: Bool, about topic: FeedbackTopic) {
        model.feedback = Model.Feedback(text: text, isRefusal: isRefusal)
        feedbackTopic = topic
        change()
    }

    private func quit() {
        guard !model.isConnected else { return leave(.done) }
        leave(.lost, complaint: model.connection.lastError ?? "not connected to \(model.server)")
    }
}

/// What an answer on the screen is about, and so when it is removed.
enum FeedbackTopic {
    /// The user's bid, accepted or refused: removed when the price changes.
    case bid
    /// A higher bid by somebody else: removed when the user leads again or the lot ends.
    case outbid
    /// Anything else: removed at the next line or the next lot.
    case other
}

extension Request.Command {
    /// Whether it proves something to the server that nobody who sees the screen should know.
    fileprivate var holdsSecret: Bool {
        switch self {
        case .auctioneer: true
        case .name(_, let token): token != nil
        case .bid, .laps, .who, .status, .format, .ping, .help, .quit, .rule: false
        }
    }
}

extension String {
    /// Whether a word of a line that is no command is as long as a token: its verb may be misspelt.
    fileprivate var mayHoldSecret: Bool {
        split(separator: " ").contains { $0.utf8.count >= 32 }
    }

    /// The line without the commas that part the thousands of an amount, as the screen shows them.
    fileprivate var ungrouped: String {
        let characters = Array(self)
        let kept = characters.indices.filter { index in
            let neighbours = [index - 1, index + 1]
            return characters[index] != ","
                || !neighbours.allSatisfy {
                    characters.indices.contains($0) && characters[$0].isWholeNumber
                }
        }
        return String(kept.map { characters[$0] })
    }
}
