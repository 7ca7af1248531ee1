import Auction
import Wire

/// What the server tells one bidder alone.
public struct PrivateState: Equatable, Sendable {
    /// What a lot is worth to the bidder.
    public struct Worth: Equatable, Sendable {
        /// The value, or the estimate of the common value.
        public let amount: Int64
        /// Whether it is an estimate.
        public let isEstimate: Bool

        package init(amount: Int64, isEstimate: Bool) {
            (self.amount, self.isEstimate) = (amount, isEstimate)
        }
    }

    /// What is left of the purse; nil if there is none.
    public private(set) var purse: Int64?
    /// What the lot is worth to the bidder; nil if it has no values.
    public private(set) var worth: Worth?
    /// Up to which price the server bids for the bidder; nil if it does not.
    public private(set) var maximum: Price?
    /// The sealed bid on the lot; nil if there is none.
    public private(set) var sealedBid: Price?

    /// Makes the state before anything was told.
    public init() {}

    /// Updates the state after a message; `isSameLot` tells whether the lot is still the one before.
    ///
    /// Everything is told again after the name was opened on a new connection. While missed news
    /// is repeated, this was already told about the lot that the news ends with, so a repeated
    /// `LOT` removes nothing.
    mutating func receive(
        _ message: ServerMessage, isReplay: Bool, isSameLot: Bool, bidder: Bidder?
    ) {
        switch message {
        case .hello: self = PrivateState()
        case .event(.lotOpened, _) where !isReplay:
            (maximum, sealedBid) = (nil, nil)
            if !isSameLot { worth = nil }
        case .event(.bidVoided(let bid), _) where bid.bidder == bidder: maximum = nil
        case .purse(let left): purse = left
        case .worth(let amount, let isEstimate):
            worth = Worth(amount: amount, isEstimate: isEstimate)
        case .maximum(let price): maximum = price
        case .ownBid(let price): sealedBid = price
        default: break
        }
    }

    /// Updates the state after a command of the bidder was accepted.
    mutating func accept(_ answer: Answer, isSealed: Bool) {
        switch answer {
        case .bid(let price) where isSealed: sealedBid = price
        case .maximum(let price): maximum = price
        default: break
        }
    }
}
