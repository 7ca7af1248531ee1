import AuctionRules
import Sale
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
    enum List { case laps, bidders, standings, rooms }

    /// What the prompt must know of the lot.
    struct Situation {
        /// The line that the up arrow proposes; nil if there is none.
        var offer: String?
        /// Whether the price falls, so that Enter on an empty line proposes the offer too.
        var isFalling = false
        /// What the lot is worth to the user; nil if that is unknown.
        var worth: PrivateState.Worth?
        /// The price at which `take` takes the lot.
        var ask: Price?
        /// The price at which `buy` buys the lot.
        var buyPrice: Price?
    }

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
        "bid", "buy", "help", "laps", "max", "open", "ping", "quit", "rooms", "say",
        "standings", "status", "take", "who",
    ]

    /// The abbreviation of `take` while the price falls.
    private static let shortTake = "t"

    /// The line being typed.
    public private(set) var input = LineEditor(completions: commands + ["join"])
    /// The feedback; nil if there is none.
    public private(set) var feedback: Feedback?
    /// The page of the help that is shown, from 0; nil if none is.
    public private(set) var helpPage: Int?
    /// How often another bidder took the lead from the user.
    private(set) var outbidCount = 0
    /// The number of feedback texts so far.
    private(set) var feedbackCount = 0
    private var topic = Topic.line
    /// The rooms to complete, and whether to complete the auctioneer's commands.
    private var rooms: [RoomName] = []
    private var isAuctioneer = false
    /// The command that the user was warned of, and which the next Enter sends.
    private var confirmable: Request.Command?
    /// Whether the user's bid leads.
    private var isLeading = false
    /// The number of the lot that opened last.
    private var lot: Int?

    init() {}

    /// Edits the line of a user, and returns what a submitted line asks for.
    mutating func press(_ key: Key, in situation: Situation, bidder: Bidder) -> Order? {
        guard case .submitted(let line) = input.press(key, offer: situation.offer) else {
            return nil
        }
        let former = confirmable.take()
        feedback = nil
        topic = .line
        if line.isEmpty, situation.isFalling { return propose(situation.offer) }
        do throws(ParseError) {
            let isShortTake = situation.isFalling && line == Self.shortTake
            guard let command = try isShortTake ? .take : Self.parse(line) else { return .retry }
            if command.hasSecret { input.forget() }
            if command != former, let warning = situation.warning(of: command) {
                return ask(to: command, warning)
            }
            return order(for: command, bidder: bidder)
        } catch {
            if line.mayHaveSecret { input.forget() }
            return refuse(ErrorReply(line.seemsAmount ? .badAmount : error.reason).reason)
        }
    }

    /// Puts the offer into the line, where the next Enter submits it.
    private mutating func propose(_ offer: String?) -> Order? {
        guard let offer else { return .retry }
        _ = input.press(.up, offer: offer)
        show("Enter again to \(offer) it", isRefusal: false)
        return nil
    }

    /// Shows a warning, and leaves the line as it is for a second Enter.
    private mutating func ask(to command: Request.Command, _ warning: String) -> Order? {
        confirmable = command
        // The newest line of the history is the submitted one.
        _ = input.press(.up, offer: nil)
        return refuse(warning)
    }

    private mutating func order(for command: Request.Command, bidder: Bidder) -> Order? {
        switch command {
        case .bid, .take, .buy, .maximum, .say, .ping, .join, .open, .auctioneer, .rule:
            show("...", isRefusal: false)
            return .request(command)
        case .status:
            show("...", isRefusal: false)
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
        case .name: return refuse("you are \(bidder) here")
        case .results: return refuse("this view does not list results, use auction-client results")
        case .resume: return refuse("the view shows all news already")
        case .format: return refuse("the view needs its own format, use --plain for lines")
        }
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
    mutating func showSuccess(of answer: Answer, in sale: SaleState) {
        let topic = answer.topic
        if sale.isOpen, let leading = sale.leading, topic.isBid(below: leading.price) {
            showOutbid(in: sale)
        } else {
            show(answer.feedback(isSealed: sale.format.isSealed), isRefusal: false, topic: topic)
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

    /// Removes what was about a sale that was left.
    mutating func leaveSale() {
        (isLeading, lot, confirmable) = (false, nil, nil)
        remove { $0.isAboutPrice || $0 == .pause || $0 == .closed || $0 == .moment }
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
    ///
    /// `maximum` is the price up to which the server bids for the bidder.
    mutating func receive(
        _ message: ServerMessage, in sale: SaleState, bidder: Bidder?, maximum: Price? = nil
    ) {
        switch message {
        case .lot(let opened, _, _):
            if let lot, lot != opened.number {
                (isLeading, confirmable) = (false, nil)
                remove { _ in true }
            }
            remove { $0 == .closed }
            lot = opened.number
        case .price(let bid, _, _):
            // The server answers a bid below the maximum at once.
            let isAnswered = bid.bidder != bidder && maximum.map { $0 > bid.price } ?? false
            if !isAnswered { follow(bid, isOwn: bid.bidder == bidder, in: sale) }
        case .ask: remove { $0 == .price }
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
        case .tooLow, .tooHigh, .leading, .overPurse: .price
        case .paused: .pause
        case .closed: .closed
        default: .line
        }
    }
}

extension Answer {
    /// The subject of the answer as feedback.
    fileprivate var topic: CommandPrompt.Topic {
        switch self {
        case .bid(let price), .take(let price), .buy(let price), .maximum(let price?): .bid(price)
        case .auctioneer: .connection
        default: .moment
        }
    }

    /// The answer in plain words.
    fileprivate func feedback(isSealed: Bool) -> String {
        switch self {
        case .ping: "the server is there"
        case .joined(let room): "you are in the room \(room)"
        case .opened(let room, _): "you opened the room \(room)"
        case .auctioneer: "you are the auctioneer"
        case .ruled(let verb): "\(verb.rawValue): done"
        default: success(isSealed: isSealed) ?? "done"
        }
    }
}

extension CommandPrompt.Situation {
    /// The warning before a command that may cost more than the lot is worth; nil if it cannot.
    fileprivate func warning(of command: Request.Command) -> String? {
        let price: Price? =
            switch command {
            case .bid(let price): price
            case .maximum(let price): price
            case .take: ask
            case .buy: buyPrice
            default: nil
            }
        guard let price, let worth, price.amount > worth.amount else { return nil }
        let noun = worth.isEstimate ? "estimate" : "value"
        return "above your \(noun) \(worth.amount.grouped), Enter again"
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
