import AuctionRules
import Typing
import Wire

/// The command line of a live view, and the answer shown beside it.
public struct CommandPrompt: Equatable, Sendable {
    /// The answer to the last line, or a notice about a bid.
    public struct Feedback: Equatable, Sendable {
        /// The answer in plain words.
        public let text: String
        /// Whether it is a refusal.
        public let isRefusal: Bool

        package init(text: String, isRefusal: Bool) {
            self.text = text
            self.isRefusal = isRefusal
        }
    }

    /// The subject of the feedback, which decides when it is removed.
    enum Topic {
        /// The user's bid: removed when the price changes.
        case bid
        /// A higher bid of another bidder: removed when the user leads again or the lot ends.
        case outbid
        /// Anything else: removed at the next line or the next lot.
        case other
    }

    /// What the view must do for a submitted line.
    enum Order {
        /// Sends a command; `success` is shown when the server accepts it.
        case request(Request.Command, success: String, topic: Topic = .other)
        case synchronise
        case loadLaps
        case loadBidders
        case quit
    }

    private static let commands = ["bid", "help", "laps", "ping", "quit", "status", "who"]

    /// The line being typed.
    public private(set) var input = LineEditor(completions: commands)
    /// The feedback; nil if there is none.
    public private(set) var feedback: Feedback?
    /// Whether the help covers the view.
    public private(set) var isHelpShown = false
    private var topic = Topic.other
    /// Whether the user's bid leads.
    private var isLeading = false

    init() {}

    /// Edits the line of a player, and returns what a submitted line asks for.
    ///
    /// `offer` is the amount that the up arrow proposes.
    mutating func press(_ key: Key, offer: Price?, bidder: Bidder) -> Order? {
        if key == .character("?"), input.text.isEmpty {
            isHelpShown = true
            return nil
        }
        let offer = offer.map { "\($0.amount)" }
        guard case .submitted(let line) = input.press(key, offer: offer) else { return nil }
        feedback = nil
        topic = .other
        do throws(ParseError) {
            guard let command = try Self.parse(line) else { return nil }
            if command.hasSecret { input.forget() }
            return order(for: command, bidder: bidder)
        } catch {
            if line.mayHaveSecret { input.forget() }
            return refuse(ErrorReply(error.reason).reason)
        }
    }

    private mutating func order(for command: Request.Command, bidder: Bidder) -> Order? {
        switch command {
        case .bid(let price):
            return request(command, success: "you bid \(price.grouped)", topic: .bid)
        case .ping: return request(command, success: "the server is there")
        case .auctioneer: return request(command, success: "you are the auctioneer")
        case .rule(let ruling): return request(command, success: "\(ruling.verb.rawValue): done")
        case .status: return .synchronise
        case .laps: return .loadLaps
        case .who: return .loadBidders
        case .quit: return .quit
        case .help:
            isHelpShown = true
            return nil
        case .name: return refuse("you are \(bidder) here")
        case .results: return refuse("the view has no such list, use auction-client send results")
        case .resume: return refuse("the view shows all news already")
        case .format: return refuse("the view needs its own format, use --plain for lines")
        }
    }

    private mutating func request(
        _ command: Request.Command, success: String, topic: Topic = .other
    ) -> Order {
        show("...", isRefusal: false)
        return .request(command, success: success, topic: topic)
    }

    private mutating func refuse(_ reason: String) -> Order? {
        show(reason, isRefusal: true)
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

    /// Shows feedback.
    mutating func show(_ text: String, isRefusal: Bool, topic: Topic = .other) {
        feedback = Feedback(text: text, isRefusal: isRefusal)
        self.topic = topic
    }

    /// Shows or hides the help.
    mutating func showHelp(_ isShown: Bool) {
        isHelpShown = isShown
    }

    /// Completes the auctioneer's commands too.
    mutating func completeAuctioneerCommands() {
        input.completions = Self.commands + AuctioneerCommand.Verb.allCases.map(\.rawValue)
    }

    /// Removes feedback from before the connection was made, except that the user was outbid.
    mutating func reconnected() {
        if topic != .outbid { feedback = nil }
    }

    /// Updates the feedback after news; `sale` is the state before it.
    mutating func receive(_ message: ServerMessage, in sale: SaleState, bidder: Bidder?) {
        switch message {
        case .lot(let opened, _, _):
            if let lot = sale.lot, lot.number != opened.number {
                feedback = nil
                isLeading = false
            }
        case .price(let bid, _, _):
            follow(bid, isOwn: bid.bidder == bidder, step: sale.greeting?.step)
        case .voided, .winner, .passed:
            isLeading = false
            removeBidFeedback()
        default: break
        }
    }

    /// Removes feedback that a new price makes wrong, or shows that the user was outbid.
    private mutating func follow(_ bid: Bid, isOwn: Bool, step: Price?) {
        if !isOwn, isLeading || topic == .outbid {
            let next = Price(bid.price.amount + (step?.amount ?? 1))
            let advice = next.map { ", bid \($0.grouped)" } ?? ""
            show("outbid by \(bid.bidder)\(advice)", isRefusal: true, topic: .outbid)
        } else if !isOwn || topic == .outbid {
            removeBidFeedback()
        }
        isLeading = isOwn
    }

    private mutating func removeBidFeedback() {
        guard topic != .other else { return }
        feedback = nil
        topic = .other
    }
}

extension Request.Command {
    /// Whether the command has a token.
    fileprivate var hasSecret: Bool {
        switch self {
        case .auctioneer: true
        case .name(_, let token): token != nil
        default: false
        }
    }
}

extension String {
    /// Whether a word is as long as a token, as after a misspelt command.
    fileprivate var mayHaveSecret: Bool {
        split(separator: " ").contains { $0.utf8.count >= 32 }
    }

    /// The line without the commas between digits.
    fileprivate var ungrouped: String {
        replacing(/(\d),(?=\d)/) { $0.output.1 }
    }
}
