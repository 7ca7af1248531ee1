import Auction
import Basics

/// A way to bid: a small value that looks at a lot and decides what to do.
///
/// It has no clock, no connection and no source of chance but its seed, so the same views give the
/// same moves: on a server, in a simulation, and in a test.
public protocol Strategy: Sendable {
    /// Returns what to do now; nil to wait.
    ///
    /// It is asked after each change of the view, and once a second while a lot is open.
    mutating func decide(_ view: LotView, at now: Instant) -> Move?

    /// Learns how a lot ended; does nothing unless a strategy implements it.
    mutating func learn(_ end: LotEnd)
}

extension Strategy {
    /// Learns nothing.
    public mutating func learn(_ end: LotEnd) {}
}

/// What a bidder can do.
public enum Move: Equatable, Sendable {
    /// Bids this price: openly in a rising auction, in private in a sealed one.
    case bid(Price)
    /// Lets the server bid in the bidder's place, each time the least that leads, up to this price.
    case maximum(Price)
    /// Takes the lot at the price that is asked.
    case take
    /// Buys the lot at its buy-now price.
    case buy
}

/// How a lot ended, as a bidder sees it.
public struct LotEnd: Equatable, Sendable {
    /// The number of the lot.
    public let lot: Int
    /// What the winner paid; nil if the lot was not sold.
    public let price: Price?
    /// Whether this bidder has won.
    public let isWon: Bool

    /// Creates the end of a lot.
    public init(lot: Int, price: Price?, isWon: Bool) {
        (self.lot, self.price, self.isWon) = (lot, price, isWon)
    }
}

/// The strategies by name; a new one needs a file and one line in each of these lists.
public enum StrategyKind: String, CaseIterable, Sendable {
    /// Bids its value.
    case truthful
    /// Waits for the last second.
    case sniper
    /// Raises by more than it must.
    case jumper
    /// Bids less than its value, by the number of rivals.
    case shader
    /// Bids at random, but never more than its value.
    case random
    /// Learns its margin from how lots end.
    case zip
    /// Leaves the bidding to the server.
    case proxy
    /// Bids as the theory of auctions says.
    case equilibrium

    /// How it bids, in a few words.
    public var summary: String {
        switch self {
        case .truthful: "its value; in a rising auction the least raise up to it"
        case .sniper: "in the last second"
        case .jumper: "halfway to its value at once, then the least raise"
        case .shader: "less than its value, by the number of rivals"
        case .random: "anything up to its value"
        case .zip: "less than its value, as it learns from how lots end"
        case .proxy: "its value as a maximum, up to which the server bids"
        case .equilibrium: "as theory says, by the number of rivals; corrects an estimate"
        }
    }

    /// Makes a strategy whose chance, if it needs any, comes from the seed.
    public func make(seed: UInt64) -> any Strategy {
        switch self {
        case .truthful: Truthful()
        case .sniper: Sniper()
        case .jumper: Jumper()
        case .shader: Shader()
        case .random: ZeroIntelligence(seed: seed)
        case .zip: ZeroIntelligencePlus(seed: seed)
        case .proxy: EquilibriumBidder(correctsEstimates: false)
        case .equilibrium: EquilibriumBidder(correctsEstimates: true)
        }
    }
}
