import AuctionRules

/// The content of a bidder's screen at one instant.
public struct Model: Equatable, Sendable {
    /// The name of the player; nil for a spectator.
    public let bidder: Bidder?
    /// The address of the server, for display.
    public let server: String
    /// The connection, with the greeting of the server.
    public internal(set) var connection = Loadable<Greeting>()
    /// The state of the sale.
    public internal(set) var sale = SaleState()
    /// The time since the lot opened.
    public internal(set) var elapsed: Duration?
    /// The time left of the countdown; nil if none runs.
    public internal(set) var countdown: TimeLeft?
    /// The accepted bids of the lot.
    public internal(set) var laps = Loadable<Laps>()
    /// The ages of the newest laps, by their numbers.
    public internal(set) var ages: [Int: String] = [:]
    /// The number of bids in the last five seconds.
    public internal(set) var pace = 0
    /// The price and the pace over the time of the lot.
    public internal(set) var series = Series()
    /// The newest news as a sentence.
    public internal(set) var ticker = ""
    /// The connected bidders.
    public internal(set) var bidders = Loadable<[Bidder]>()
    /// The picture number of the spinner; nil while nothing loads.
    public internal(set) var spinner: Int?
    /// The command line, and the answer beside it.
    public internal(set) var prompt = CommandPrompt()

    init(bidder: Bidder?, server: String) {
        self.bidder = bidder
        self.server = server
    }

    /// Whether the view is connected and up to date.
    public var isConnected: Bool {
        connection.result != nil && connection.lastError == nil && !connection.isLoading
    }

    /// The minimum of the next bid.
    public var leastBid: Price? {
        connection.result.flatMap { sale.leastBid(step: $0.step) }
    }
}

/// The state of a load, whose error is shown beside the last result.
public struct Loadable<Value> {
    /// Whether a load is under way.
    public var isLoading = false
    /// The result of the newest load that succeeded.
    public var result: Value?
    /// Why the newest load failed; nil once one has succeeded.
    public var lastError: String?

    /// Makes the state before any load.
    public init() {}
}

extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Sendable where Value: Sendable {}
