import Basics

/// The format of an auction: how its bids are made, and which of them wins.
///
/// The logic of each format is in a file beside this one. The members of `Traits` are members of
/// the format.
@dynamicMemberLookup
public enum AuctionFormat: String, CaseIterable, Sendable {
    /// Rising open bids; each accepted one restarts the countdown.
    case english
    /// A falling asking price; the first to take it has won.
    case dutch
    /// Sealed bids; the highest wins and pays its own amount.
    case sealed
    /// Sealed bids; the highest wins and pays the second-highest amount.
    case vickrey
    /// Sealed bids; the highest wins, and each bidder pays its own amount.
    case allpay

    /// What the format decides; the one `switch` over formats.
    ///
    /// It has at most three words, so that it is not stored on the heap.
    var logic: any FormatLogic {
        switch self {
        case .english: English()
        case .dutch: Dutch()
        case .sealed: Sealed(pricing: .ownBid)
        case .vickrey: Sealed(pricing: .rivalBid)
        case .allpay: Sealed(pricing: .everyBid)
        }
    }

    /// What everybody may know of the format.
    public var traits: Traits { logic.traits }

    /// A member of the traits.
    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember member: KeyPath<Traits, Value>) -> Value {
        traits[keyPath: member]
    }
}

extension AuctionFormat {
    /// What everybody may know of a format.
    public struct Traits: Sendable {
        /// How a lot is sold, in one sentence.
        public let rule: String
        /// How to bid, as advice after a command that the format does not have.
        public let advice: String
        /// What decides how much is paid.
        public let pricing: Pricing
        /// The command with which a bidder makes an offer.
        public var verb = Verb.bid
        /// Whether open bids follow each other, each above the one before.
        ///
        /// If not, an open bid ends the lot. Only then are there maxima, raises and fair warnings.
        public var isRising = false
        /// Whether bids are secret until the countdown has ended.
        public var isSealed = false
        /// Whether the countdown begins with the opening of a lot, not with its first bid.
        public var beginsAtOpening = true
    }

    /// The command with which a bidder makes an offer; the raw value is the word on the wire.
    public enum Verb: String, Sendable {
        /// A bid of an amount.
        case bid
        /// A bid of the price that is asked.
        case take
    }

    /// What decides how much is paid for a lot.
    public enum Pricing: Sendable {
        /// The winner pays its own bid.
        case ownBid
        /// The winner pays what the bids of others make it pay.
        case rivalBid
        /// Each bidder pays its own bid, also those who do not win.
        case everyBid
    }
}

/// What a format decides from the state of a lot, which it does not change.
///
/// What all formats share, such as purchases and the auctioneer's commands, is in `Auction`.
protocol FormatLogic: Sendable {
    /// What everybody may know of the format.
    var traits: AuctionFormat.Traits { get }

    /// What is contradictory in terms, as part of a sentence; see `Rules.problem`.
    func problem(of terms: Terms, reserve: Price?) -> String?

    /// Returns the event of a bid that is no purchase; nil if nothing changes.
    ///
    /// - Throws: The first refusal that applies, in the order of `Auction.decide`.
    func decideBid(
        _ price: Price, by bidder: Bidder, in auction: Auction, at now: Instant
    ) throws(Auction.Refusal) -> SaleEvent?

    /// Returns the event of a bid of the asking price.
    ///
    /// - Throws: `wrongFormat` if the format has no asking price, and the errors of `decideBid`.
    func decideTake(
        by bidder: Bidder, in auction: Auction, at now: Instant
    ) throws(Auction.Refusal) -> SaleEvent

    /// Returns the event of a maximum bid; nil if nothing changes.
    ///
    /// - Throws: `wrongFormat` if the format has no maximum bids, and the errors of `decideBid`.
    func decideMaximum(
        _ maximum: Price?, of bidder: Bidder, in auction: Auction
    ) throws(Auction.Refusal) -> SaleEvent?

    /// The event that follows by itself in an open lot; nil if none does.
    func dueEvent(in auction: Auction, at now: Instant) -> SaleEvent?

    /// The time of a countdown that begins now.
    func countdown(of auction: Auction) -> Duration

    /// The most that a bidder may still have to pay by a secret bid.
    func cost(of bid: SealedBid, in auction: Auction) -> Int64

    /// How a lot without an open bid ends.
    func outcome(of bids: SecretBids, under rules: Rules) -> Outcome

    /// What a secret bid costs its bidder if another one wins; nil if nothing.
    func price(ofLosing bid: SealedBid) -> Price?
}

extension FormatLogic {
    func problem(of terms: Terms, reserve: Price?) -> String? {
        if let reserve, reserve < terms.start {
            return "the reserve is below the start: use a reserve of at least "
                + "\(terms.start.amount)"
        }
        guard let buy = terms.buy else { return nil }
        guard buy > terms.start else {
            return "the buy price is not above the start: use more than \(terms.start.amount)"
        }
        guard buy >= reserve ?? buy else {
            return "the buy price is below the reserve: use at least the reserve"
        }
        return nil
    }

    func decideTake(
        by bidder: Bidder, in auction: Auction, at now: Instant
    ) throws(Auction.Refusal) -> SaleEvent {
        throw .wrongFormat(auction.rules.format)
    }

    func decideMaximum(
        _ maximum: Price?, of bidder: Bidder, in auction: Auction
    ) throws(Auction.Refusal) -> SaleEvent? {
        throw .wrongFormat(auction.rules.format)
    }

    func countdown(of auction: Auction) -> Duration { auction.rules.countdown }

    func cost(of bid: SealedBid, in auction: Auction) -> Int64 { 0 }

    func outcome(of bids: SecretBids, under rules: Rules) -> Outcome { .passed(reason: .noBids) }

    func price(ofLosing bid: SealedBid) -> Price? { nil }
}
