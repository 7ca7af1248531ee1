import Auction
import Bidder
import Wire

/// The command line of a live view, and the answer shown beside it while it is true.
package struct CommandPrompt: Equatable, Sendable {
    /// What the view must do for a submitted line.
    enum Order {
        /// Sends a command.
        case request(Request.Command)
        case synchronise
        case load(List)
        case retry
        case quit
    }

    /// The commands that are completed; `join` is followed by the name of a room.
    private static let commands = [
        "bid", "buy", "display", "help", "laps", "max", "open", "ping", "quit", "react", "results",
        "rooms", "say", "standings", "status", "take", "who",
    ]

    /// The abbreviation of `take` while the price falls.
    private static let shortTake = "t"

    /// The line being typed.
    package private(set) var input = LineEditor(completions: commands + ["join"])
    /// The page of the help that is shown, from 0; nil if none is.
    package internal(set) var helpPage: Int?
    /// The feedback beside the line.
    var feedbackLine = FeedbackLine()
    /// The rooms to complete.
    private var rooms: [RoomName] = []
    /// Whether the user is an auctioneer, whose commands are completed too.
    private(set) var isAuctioneer = false
    /// The command that the user was warned of, and which the next Enter sends.
    private var confirmable: Request.Command?

    init() {}

    /// The feedback; nil if there is none.
    package var feedback: Feedback? { feedbackLine.shown }

    /// Edits the line of a user, and returns what a submitted line asks for.
    mutating func press(_ key: Key, in model: Model) -> Order? {
        guard case .submitted(let line) = input.press(key, offer: model.proposal) else {
            return nil
        }
        let former = feedbackLine.isWarning ? confirmable : nil
        confirmable = nil
        feedbackLine.clear()
        if line.isEmpty, model.lot.isFalling { return propose(model.proposal) }
        do throws(ParseError) {
            let isShortTake = model.lot.isFalling && line == Self.shortTake
            guard let command = try isShortTake ? .offer(.take) : Self.parse(line) else {
                return .retry
            }
            if command.hasSecret { input.forget() }
            if command != former, let warning = model.warning(of: command) {
                return ask(to: command, warning)
            }
            return order(for: command, bidder: model.bidder)
        } catch {
            if line.mayHaveSecret { input.forget() }
            return refuse(ErrorReply(line.seemsAmount ? .badAmount : error.reason).reason)
        }
    }

    /// Puts the offer into the line, where the next Enter submits it.
    private mutating func propose(_ offer: String?) -> Order? {
        guard let offer else { return .retry }
        _ = input.press(.up, offer: offer)
        feedbackLine.show("Enter again to \(offer) it", isRefusal: false)
        return nil
    }

    /// Shows a warning, and leaves the line as it is for a second Enter.
    private mutating func ask(to command: Request.Command, _ warning: String) -> Order? {
        confirmable = command
        // The newest line of the history is the submitted one.
        _ = input.press(.up, offer: nil)
        feedbackLine.show(warning, isRefusal: true, topic: .warning)
        return nil
    }

    private mutating func order(for command: Request.Command, bidder: Bidder?) -> Order? {
        switch command {
        case .offer, .say, .react, .display, .ping, .ready, .join, .open, .auctioneer, .rule:
            feedbackLine.show("...", isRefusal: false)
            return .request(command)
        case .status:
            feedbackLine.show("...", isRefusal: false)
            return .synchronise
        case .laps(nil): return load(.laps)
        case .laps: return refuse("only the newest laps are here, use auction-client laps")
        case .who: return load(.bidders)
        case .standings: return load(.standings)
        case .rooms: return load(.rooms)
        case .quit: return .quit
        case .help:
            helpPage = 0
            return nil
        case .name: return refuse(bidder.map { "you are \($0) here" } ?? "")
        case .results: return load(.results)
        case .resume: return refuse("the view shows all news already")
        case .format: return refuse("the view needs its own format, use --plain for lines")
        }
    }

    private mutating func load(_ list: List) -> Order {
        feedbackLine.show("...", isRefusal: false, topic: .load(list))
        return .load(list)
    }

    private mutating func refuse(_ reason: String) -> Order? {
        feedbackLine.show(reason, isRefusal: true)
        return nil
    }

    /// Parses a line, in which an amount may have the commas that the screen shows.
    private static func parse(_ line: String) throws(ParseError) -> Request.Command? {
        do throws(ParseError) {
            return try Request(line: line)?.command
        } catch {
            return try Request(line: line.ungrouped)?.command
        }
    }

    /// Completes the auctioneer's commands too.
    mutating func completeAuctioneerCommands() {
        isAuctioneer = true
        complete()
    }

    /// Completes the names of the rooms after `join`.
    mutating func complete(_ rooms: [RoomName]) {
        self.rooms = rooms
        complete()
    }

    private mutating func complete() {
        input.completions =
            Self.commands + (rooms.isEmpty ? ["join"] : rooms.map { "join \($0)" })
            + (isAuctioneer ? AuctioneerCommand.Verb.allCases.map(\.rawValue) : [])
    }

    /// Updates the prompt after news, which has changed the lot.
    ///
    /// `maximum` is the price up to which the server bids for the bidder.
    mutating func follow(
        from former: LotState, to lot: LotState, bidder: Bidder, maximum: Price?
    ) {
        feedbackLine.follow(from: former, to: lot, bidder: bidder, maximum: maximum)
        if former.lot > 0, lot.lot != former.lot, lot.isOpen {
            feedbackLine.clear()
            clearOffer("lot \(lot.lot) is open")
        } else if former.isOpen, !lot.isOpen {
            clearOffer("the lot has ended")
        }
    }

    /// Empties the line if it has an offer, which was typed for a lot that is over.
    private mutating func clearOffer(_ reason: String) {
        let line = input.text
        guard line.seemsOffer else { return }
        input.clear()
        feedbackLine.show("\(reason): \(line) was not sent", isRefusal: false, topic: .moment)
    }

    /// Forgets a sale that was left.
    mutating func leaveSale() {
        feedbackLine.leaveSale()
        if input.text.seemsOffer { input.clear() }
    }
}

extension Model {
    /// The line that the up arrow proposes; nil if there is none.
    fileprivate var proposal: String? {
        offer.map { lot.isFalling ? "\(Request.Offer.take)" : "\($0.amount)" }
    }

    /// The warning before a command that may cost more than the lot is worth, or a bid that buys.
    ///
    /// Nil if it can do neither.
    fileprivate func warning(of command: Request.Command) -> String? {
        guard case .offer(let offer, _) = command else { return nil }
        var purchase: Price?
        if case .bid(let price) = offer, let buy = lot.buy, price >= buy { purchase = buy }
        let price: Price? =
            switch offer {
            case .bid(let price): purchase ?? price
            case .maximum(let price): price
            case .take: lot.isFalling ? lot.price : nil
            case .buy: lot.buy
            }
        var risks = purchase.map { ["this buys the lot for \($0.grouped)"] } ?? []
        if let price, let own, let worth = own.worth, price.amount > worth {
            risks.append("above your \(own.isEstimate ? "estimate" : "value") \(worth.grouped)")
        }
        return risks.isEmpty ? nil : (risks + ["Enter again"]).joined(separator: ", ")
    }
}

extension Request.Command {
    /// Whether the command has a token.
    fileprivate var hasSecret: Bool {
        if case .name(_, _?) = self { return true }
        return if case .auctioneer = self { true } else { false }
    }
}

extension String {
    /// Whether a word is as long as a token, as after a misspelt command.
    fileprivate var mayHaveSecret: Bool {
        split(separator: " ").contains { $0.utf8.count >= 32 }
    }

    /// Whether the line is an offer for a lot, or the beginning of one.
    fileprivate var seemsOffer: Bool {
        guard let word = split(separator: " ").first?.lowercased() else { return false }
        return word.first?.isLetter == false
            || ["bid", "max", "take", "buy"].contains { $0.hasPrefix(word) }
    }

    /// Whether the line begins like an amount, as `-5` and `５` do.
    fileprivate var seemsAmount: Bool {
        guard let first = first(where: { $0 != " " }) else { return false }
        return first.isNumber || first == "-" || first == "+"
    }

    /// The line without the commas between digits.
    fileprivate var ungrouped: String {
        replacing(/(\d),(?=\d)/) { $0.output.1 }
    }
}
