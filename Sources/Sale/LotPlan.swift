import AuctionRules

/// A lot that will be sold: its title, and where its rules differ from those of the sale.
public struct LotPlan: Hashable, Sendable {
    /// The title, one line of text.
    public let title: String

    /// The options that replace rules of the sale.
    public let options: LotOptions

    /// Creates a plan; `title` must satisfy `Lot.isTitle`, which is not checked.
    public init(title: String, options: LotOptions = LotOptions()) {
        (self.title, self.options) = (title, options)
    }
}

/// The rules that a lot has instead of those of its sale; what is nil is as in the sale.
public struct LotOptions: Hashable, Sendable {
    /// How the lot is sold.
    public var format: AuctionFormat?
    /// The full countdown in seconds.
    public var seconds: Int?
    /// The minimum of the first bid, or the first asking price.
    public var start: Price?
    /// The least raise, or the least fall of the asking price.
    public var step: Price?
    /// The least price at which the lot is sold.
    public var reserve: Price?
    /// The price at which a bidder buys the lot at once.
    public var buy: Price?
    /// The time from the first bid after which bids stop resetting the countdown, in whole seconds.
    public var longest: Duration?

    /// Creates options that replace nothing.
    public init() {}
}
