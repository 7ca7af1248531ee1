import AuctionRules
import Wire

/// The content of a bidder's screen at one instant.
public struct Model: Equatable, Sendable {
    /// The name of the player; nil for a spectator.
    public let bidder: Bidder?
    /// The address of the server, for display.
    public let server: String
    /// The attempts to connect.
    public internal(set) var connection = LoadState()
    /// The state of the sale.
    public private(set) var sale = SaleState()
    /// The accepted bids of the lot.
    public private(set) var laps = Laps()
    /// The load of the laps.
    public internal(set) var lapsLoad = LoadState()
    /// The ages of the newest laps, by their numbers.
    public internal(set) var ages: [Int: String] = [:]
    /// The number of bids in the last five seconds, once a second while the lot is open.
    public private(set) var recentBids = 0
    /// The price and the rate of bids over the time of the lot.
    public private(set) var series = Series()
    /// The newest news as a sentence.
    public private(set) var ticker = ""
    /// The connected bidders; nil before they are loaded.
    public private(set) var bidders: [Bidder]?
    /// The load of the bidders.
    public internal(set) var biddersLoad = LoadState()
    /// The picture number of the spinner; nil while nothing loads.
    public internal(set) var spinner: Int?
    /// The command line, and the answer beside it.
    public internal(set) var prompt = CommandPrompt()

    /// The time that the clocks show.
    private var now = Duration.zero
    /// When the lot opened whose news arrives as it happens; nil if there is none.
    private var liveSince: Duration?
    /// The bids accepted since then, by second of the lot; only the newest seconds.
    private var bidsOfSeconds: [Int: Int] = [:]

    /// Makes the model before a connection is made.
    package init(bidder: Bidder?, server: String) {
        self.bidder = bidder
        self.server = server
    }

    /// The time since the lot opened.
    public var elapsed: Duration? { sale.elapsed(at: now) }

    /// The time left of the countdown; nil if none runs.
    public var countdown: TimeLeft? { sale.timeLeft(at: now) }

    /// Whether the view is connected and up to date.
    public var isConnected: Bool {
        sale.greeting != nil && connection.lastError == nil && !connection.isLoading
    }

    /// Whether anything loads.
    var isLoading: Bool {
        connection.isLoading || lapsLoad.isLoading || biddersLoad.isLoading
    }
}

/// The state of a load, whose error is shown beside the last result.
public struct LoadState: Equatable, Sendable {
    /// Whether a load is under way.
    public internal(set) var isLoading = false
    /// Why the newest load failed; nil once one has succeeded.
    public internal(set) var lastError: String?
}

// MARK: - News, loads and time

extension Model {
    /// Updates the content after a message that was received at `now`.
    package mutating func receive(_ message: ServerMessage, at now: Duration) {
        prompt.receive(message, in: sale, bidder: bidder)
        let lot = sale.lot
        let isRepeated = repeatsLeader(message)
        sale = sale.applying(message, at: now)
        self.now = now
        if sale.lot != lot { (laps, series) = (Laps(), Series()) }
        if !isRepeated, let sentence = message.sentence { ticker = sentence }
        switch message {
        case .price(let bid, _, _): add(bid)
        case .voided(let bid, _):
            series = series.voiding(bid.price)
            laps = laps.voiding(bid.number)
        case .joined(let bidder):
            bidders = others(than: bidder) + [bidder]
            if let liveSince {
                series = series.adding(
                    Series.Point(hasJoin: true), at: Series.tick(at: now - liveSince))
            }
        case .left(let bidder): bidders = others(than: bidder)
        default: break
        }
    }

    /// Whether a message repeats the price of the leading bid, as after a void.
    private func repeatsLeader(_ message: ServerMessage) -> Bool {
        guard case .price(let bid, _, _) = message else { return false }
        return sale.leading == bid
    }

    /// Adds a bid; one that a snapshot repeats, or that follows missed ones, does not count as new.
    private mutating func add(_ bid: Bid) {
        let count = laps.count
        laps = laps.led(by: bid)
        guard let liveSince, laps.count == count + 1 else { return }
        bidsOfSeconds[Series.tick(at: now - liveSince) / 2, default: 0] += 1
    }

    private func others(than bidder: Bidder) -> [Bidder] {
        (bidders ?? []).filter { $0 != bidder }
    }

    /// Replaces the laps, and fills in the chart, with bids that were loaded at `now`.
    package mutating func load(_ bids: [Bid], at now: Duration) {
        laps = laps.replaced(with: bids)
        series = series.filled(with: bids, at: liveSince.map { Series.tick(at: now - $0) })
    }

    /// Replaces the connected bidders.
    package mutating func load(_ bidders: [Bidder]) {
        self.bidders = bidders
    }

    /// Starts the clock of a lot that opened at `start`, or stops it if that is nil.
    package mutating func run(since start: Duration?, at now: Duration) {
        if (start == nil) != (liveSince == nil) { (recentBids, bidsOfSeconds) = (0, [:]) }
        liveSince = start
        self.now = now
    }

    /// Moves the clocks to `now`.
    package mutating func advance(to now: Duration) {
        self.now = now
    }

    /// Adds the point of the tick of the chart that ends at `now`.
    package mutating func endTick(at now: Duration) {
        guard let liveSince else { return }
        let tick = Series.tick(at: now - liveSince)
        let second = tick / 2
        bidsOfSeconds = bidsOfSeconds.filter { $0.key >= second - 5 }
        recentBids = bidsOfSeconds.reduce(0) { $1.key < second ? $0 + $1.value : $0 }
        series = series.adding(
            Series.Point(price: sale.leading?.price, bids: recentBids), at: tick - 1)
    }
}
