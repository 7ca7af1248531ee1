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

extension Move {
    /// The command of a bidder to an auction.
    public func command(by bidder: Bidder) -> Auction.Command {
        switch self {
        case .bid(let price): .bid(price, by: bidder)
        case .maximum(let price): .setMaximum(price, by: bidder)
        case .take: .take(by: bidder)
        case .buy: .buy(by: bidder)
        }
    }
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

extension StrategyKind {
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
