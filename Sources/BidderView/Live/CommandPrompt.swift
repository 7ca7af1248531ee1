import AuctionRules
import Typing
import Wire

/// The command line of a live view, and the answer shown beside it while it is true.
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

    /// The subject of the feedback, which decides when it is no longer true.
    enum Topic: Equatable {
        /// The user's bid of this amount: until a higher price, a void or the end of the lot.
        case bid(Price)
        /// A refusal because of the price: until the price changes, or the lot ends.
        case price
        /// A higher bid of another bidder: until the user leads again, or the lot ends.
        case outbid
        /// The pause: until the sale goes on, or the lot ends.
        case pause
        /// That no lot is open: until one opens.
        case closed
        /// The connection: until it is lost, or made again.
        case connection
        /// A list that loads: until it is loaded.
        case load(List)
        /// What was true when it was answered: for a few seconds.
        case moment
        /// The line: until the next line, or the next lot.
        case line
    }

    /// A list that the user can load again.
    enum List { case laps, bidders }

    /// What the view must do for a submitted line.
    enum Order {
        /// Sends a command; `success` is shown when the server accepts it.
        case request(Request.Command, success: String, topic: Topic)
        case synchronise
        case load(List)
        case retry
        case quit
    }

    private static let commands = ["bid", "help", "laps", "ping", "quit", "status", "who"]

    /// The line being typed.
    public private(set) var input = LineEditor(completions: commands)
    /// The feedback; nil if there is none.
    public private(set) var feedback: Feedback?
    /// The page of the help that is shown, from 0; nil if none is.
    public private(set) var helpPage: Int?
    /// How often another bidder took the lead from the user.
    private(set) var outbidCount = 0
    /// The number of feedback texts so far.
    private(set) var feedbackCount = 0
    private var topic = Topic.line
    /// Whether the user's bid leads.
    private var isLeading = false
    /// The number of the lot that opened last.
    private var lot: Int?

    init() {}

    /// Edits the line of a player, and returns what a submitted line asks for.
    ///
    /// `offer` is the amount that the up arrow proposes.
    mutating func press(_ key: Key, offer: Price?, bidder: Bidder) -> Order? {
        let offer = offer.map { "\($0.amount)" }
        guard case .submitted(let line) = input.press(key, offer: offer) else { return nil }
        feedback = nil
        topic = .line
        do throws(ParseError) {
            guard let command = try Self.parse(line) else { return .retry }
            if command.hasSecret { input.forget() }
            return order(for: command, bidder: bidder)
        } catch {
            if line.mayHaveSecret { input.forget() }
            return refuse(ErrorReply(line.seemsAmount ? .badAmount : error.reason).reason)
        }
    }

    private mutating func order(for command: Request.Command, bidder: Bidder) -> Order? {
        switch command {
        case .bid(let price):
            return request(command, success: "you bid \(price.grouped)", topic: .bid(price))
        case .take, .buy, .maximum, .say:
            return request(command, success: "\(command): done", topic: .moment)
        case .ping: return request(command, success: "the server is there", topic: .moment)
        case .auctioneer:
            return request(command, success: "you are the auctioneer", topic: .connection)
        case .rule(let ruling):
            return request(command, success: "\(ruling.verb.rawValue): done", topic: .moment)
        case .status:
            show("...", isRefusal: false)
            return .synchronise
        case .laps(nil): return load(.laps)
        case .laps: return refuse("only the newest laps are here, use auction-client laps")
        case .who: return load(.bidders)
        case .quit: return .quit
        case .help:
            helpPage = 0
            return nil
        case .name: return refuse("you are \(bidder) here")
        case .results: return refuse("this view does not list results, use auction-client results")
        case .standings:
            return refuse("this view does not list standings, use auction-client send standings")
        case .resume: return refuse("the view shows all news already")
        case .format: return refuse("the view needs its own format, use --plain for lines")
        }
    }

    private mutating func request(
        _ command: Request.Command, success: String, topic: Topic
    ) -> Order {
        show("...", isRefusal: false)
        return .request(command, success: success, topic: topic)
    }

    private mutating func load(_ list: List) -> Order {
        show("...", isRefusal: false, topic: .load(list))
        return .load(list)
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

    /// Shows a page of the help, from 0; hides the help if that is nil.
    mutating func showHelp(_ page: Int?) {
        helpPage = page
    }

    /// Completes the auctioneer's commands too.
    mutating func completeAuctioneerCommands() {
        input.completions = Self.commands + AuctioneerCommand.Verb.allCases.map(\.rawValue)
    }
}

// MARK: - Feedback

extension CommandPrompt {
    /// Shows feedback.
    mutating func show(_ text: String, isRefusal: Bool, topic: Topic = .line) {
        feedback = Feedback(text: text, isRefusal: isRefusal)
        feedbackCount += 1
        self.topic = topic
    }

    /// Shows that a command was accepted, or that the bid has been outbid meanwhile.
    mutating func showSuccess(_ text: String, topic: Topic, in sale: SaleState) {
        if sale.isOpen, let leading = sale.leading, topic.isBid(below: leading.price) {
            showOutbid(in: sale)
        } else {
            show(text, isRefusal: false, topic: topic)
        }
    }

    /// Shows that a list was loaded, or why not, if the user asked for it.
    mutating func showLoad(of list: List, _ text: String, isRefusal: Bool) {
        guard topic == .load(list) else { return }
        show(text, isRefusal: isRefusal, topic: .moment)
    }

    /// The number of the feedback, if it is true only for a moment.
    var momentNumber: Int? { feedback != nil && topic == .moment ? feedbackCount : nil }

    /// Removes the feedback with this number, which was true for a moment.
    mutating func expire(_ number: Int) {
        if number == momentNumber { remove { _ in true } }
    }

    /// Removes feedback that the loss of the connection makes untrue.
    mutating func disconnected() {
        remove { $0 == .connection || $0 == .moment }
    }

    /// Removes feedback from before the connection was made, except that the user was outbid.
    mutating func reconnected() {
        remove { $0 != .outbid }
    }

    /// Updates the feedback after news; `sale` is the state after it.
    mutating func receive(_ message: ServerMessage, in sale: SaleState, bidder: Bidder?) {
        switch message {
        case .lot(let opened, _, _):
            if let lot, lot != opened.number {
                isLeading = false
                remove { _ in true }
            }
            remove { $0 == .closed }
            lot = opened.number
        case .price(let bid, _, _): follow(bid, isOwn: bid.bidder == bidder, in: sale)
        case .voided:
            isLeading = false
            remove { $0.isAboutPrice }
        case .winner, .passed, .over:
            isLeading = false
            remove { $0.isAboutPrice || $0 == .pause }
        case .paused: if topic == .outbid { showOutbid(in: sale) }
        case .resumed:
            remove { $0 == .pause }
            if topic == .outbid { showOutbid(in: sale) }
        default: break
        }
    }

    /// Removes feedback that a new price makes untrue, or shows that the user was outbid.
    private mutating func follow(_ bid: Bid, isOwn: Bool, in sale: SaleState) {
        if !isOwn, isLeading || topic == .outbid || topic.isBid(below: bid.price) {
            if topic != .outbid { outbidCount += 1 }
            showOutbid(in: sale)
        } else {
            remove { $0 == .price || $0 == .outbid || $0.isBid(below: bid.price) }
        }
        isLeading = isOwn
    }

    private mutating func showOutbid(in sale: SaleState) {
        guard let leading = sale.leading else { return }
        let least = sale.acceptsBids ? sale.leastBid : nil
        show(
            "OUTBID by \(leading.bidder)" + (least.map { ", bid \($0.grouped)" } ?? ""),
            isRefusal: true, topic: .outbid)
    }

    private mutating func remove(_ isUntrue: (Topic) -> Bool) {
        guard isUntrue(topic) else { return }
        feedback = nil
        topic = .line
    }
}

extension CommandPrompt.Topic {
    /// Whether a void, or the end of the lot, makes it untrue.
    fileprivate var isAboutPrice: Bool {
        switch self {
        case .bid, .price, .outbid: true
        case .pause, .closed, .connection, .load, .moment, .line: false
        }
    }

    fileprivate func isBid(below price: Price) -> Bool {
        if case .bid(let amount) = self { amount < price } else { false }
    }
}

extension ClientError {
    /// The subject of the error as feedback.
    var topic: CommandPrompt.Topic {
        guard case .refused(let error) = self else { return .connection }
        return switch error.code {
        case .tooLow, .tooHigh, .leading: .price
        case .paused: .pause
        case .closed: .closed
        default: .line
        }
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
