/// The kind of an auction: how its bids are made, and which of them wins.
public enum AuctionFormat: String, CaseIterable, Sendable {
    /// Rising open bids; each accepted one restarts the countdown.
    case english
    /// A falling asking price; the first to take it has won.
    case dutch
    /// Sealed bids; the highest wins and pays its own amount.
    case sealed
    /// Sealed bids; the highest wins and pays the second-highest amount.
    ///
    /// Source: W. Vickrey, "Counterspeculation, Auctions, and Competitive Sealed Tenders", Journal
    /// of Finance 16 (1961).
    case vickrey

    /// How a lot is sold, in one sentence.
    public var rule: String {
        switch self {
        case .english: "each bid restarts the countdown, and the last one wins"
        case .dutch: "the price falls: the first taker wins"
        case .sealed: "secret bids: the highest wins and pays its amount"
        case .vickrey: "secret bids: the highest wins, but pays the second-highest"
        }
    }

    /// Whether bids are secret until the countdown has ended.
    public var isSealed: Bool { self == .sealed || self == .vickrey }

    /// Whether the countdown begins with the opening of a lot, not with its first bid.
    public var beginsAtOpening: Bool { self != .english }
}
