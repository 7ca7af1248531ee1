import AuctionRules
import Typing

/// All that a bidder's screen shows, at one instant.
public struct Model: Equatable, Sendable {
    /// What became of the line that was typed last.
    public struct Feedback: Equatable, Sendable {
        /// In plain words.
        public let text: String
        /// Whether it was refused.
        public let isRefusal: Bool

        package init(text: String, isRefusal: Bool) {
            self.text = text
            self.isRefusal = isRefusal
        }
    }

    /// Who plays; nil for one who watches.
    public let bidder: Bidder?
    /// The server's address, as the user gave it.
    public let server: String
    /// The connection, with what the server said of the sale.
    public internal(set) var connection = Loadable<Greeting>()
    /// How the sale stands.
    public internal(set) var standing = Standing()
    /// The time since the lot opened.
    public internal(set) var elapsed: Duration?
    /// What is left of the countdown; nil while none runs.
    public internal(set) var countdown: Countdown?
    /// The accepted bids of the lot.
    public internal(set) var laps = Loadable<Laps>()
    /// How long ago the newest laps were, by their numbers.
    public internal(set) var ages: [Int: String] = [:]
    /// The bids of the last five seconds.
    public internal(set) var pace = 0
    /// The price and the pace over the time of the lot.
    public internal(set) var series = Series()
    /// The newest line of news.
    public internal(set) var ticker = ""
    /// Who is here.
    public internal(set) var bidders = Loadable<[Bidder]>()
    /// Which of its pictures the spinner shows; nil while nothing is loaded.
    public internal(set) var spinner: Int?
    /// The line being typed.
    public internal(set) var input = LineEditor(completions: LiveView.commands)
    /// The answer to the line before.
    public internal(set) var feedback: Feedback?
    /// Whether the help covers the view.
    public internal(set) var isHelpShown = false

    init(bidder: Bidder?, server: String) {
        self.bidder = bidder
        self.server = server
    }

    /// Whether the news is heard as it happens.
    public var isConnected: Bool {
        connection.result != nil && connection.lastError == nil && !connection.isLoading
    }

    /// The least amount of the next bid.
    public var leastBid: Price? {
        connection.result.flatMap { standing.leastBid(step: $0.step) }
    }
}
