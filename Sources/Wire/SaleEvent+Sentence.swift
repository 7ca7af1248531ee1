import Auction

extension SaleEvent {
    /// The event as a sentence for a person, who may be `user`; nil if it is not told to everybody,
    /// or is only a second of the countdown.
    package func sentence(to user: Bidder? = nil) -> String? {
        switch self {
        case .lotOpened(let lot):
            "lot \(lot.number) is open" + (lot.isUntitled ? "" : ": \(lot.title)")
        case .termsAnnounced(let terms): terms.format.rule
        case .askFell(let price): "the price falls to \(price.grouped)"
        case .bidsSealed(let count): Self.heading(ofSealedBids: count)
        case .bidRevealed(let bid): "\(bid.bidder) had bid \(bid.price.grouped)"
        case .reserveMet: "the reserve is met"
        case .valueRevealed(let value): "the lot was worth \(value.grouped)"
        case .championNamed(let bidder, let score):
            "\(bidder.verb("are", "is", user)) the champion with \(score.grouped)"
        case .awardGiven(let award): award.sentence(to: user)
        case .messageSaid(let bidder, let text): "\(bidder): \(text)"
        case .reacted(let bidder, let reaction): "\(bidder) \(reaction.rawValue)"
        case .displayNameSet(let bidder, ""): "\(bidder.verb("are", "is", user)) called \(bidder)"
        case .displayNameSet(let bidder, let text):
            "\(bidder.verb("are", "is", user)) now called \(text)"
        case .waiting(1): "1 bidder is here"
        case .waiting(let people): "\(Int64(people).grouped) bidders are here"
        case .rematchBegan(let games, _): "game \(games) begins"
        case .bidPlaced(let bid): "\(bid.bidder.verb("bid", "bids", user)) \(bid.price.grouped)"
        case .lastReset: "last round: bids no longer reset the countdown"
        case .warned(let warning): "going \(warning.rawValue)"
        case .lotSold(let sold):
            "\(sold.bidder.verb("have", "has", user)) won \(sold.title) for \(sold.price.grouped)"
        case .lotPassed(let lot, let reason, _):
            "\(lot.title) is unsold: \(Self.words(ofReason: reason))"
        case .nextAnnounced(let title, let seconds):
            "\(title) opens in \(seconds) \(seconds == 1 ? "second" : "seconds")"
        case .ended(let lots): "the sale is over after \(lots) \(lots == 1 ? "lot" : "lots")"
        case .paused: "the sale is paused"
        case .resumed: "the sale is resumed"
        case .hammered: "the auctioneer sells the lot now"
        case .bidVoided(let bid): "\(bid.bidder)'s bid of \(bid.price.grouped) is void"
        case .bidderKicked(let bidder, let reason):
            "\(bidder.verb("were", "was", user)) removed: \(reason)"
        case .stopped: "the auctioneer has stopped the server"
        case .bidderJoined(let bidder, _): "\(bidder.verb("have", "has", user)) joined"
        case .bidderLeft(let bidder): "\(bidder.verb("have", "has", user)) left"
        case .secondsLeft, .worthDrawn, .saleBegan, .gameSet, .nameTaken, .nameFreed, .nameKept,
            .nameBarred, .barEnded, .timeNoted, .lotPlanned, .lotAdded, .lotRenamed, .optionsSet,
            .roundBegan, .memberDrawn, .memberEarned,
            .valueDrawn,
            .bidSealed,
            .maximumSet, .bidderMuted, .bidderUnmuted:
            nil
        }
    }

    /// A number of sealed bids in words.
    package static func heading(ofSealedBids count: Int) -> String {
        switch count {
        case 0: "no sealed bids"
        case 1: "1 sealed bid"
        default: "\(Int64(count).grouped) sealed bids"
        }
    }

    /// Why a lot was not sold, in plain words; an unknown reason is returned unchanged.
    package static func words(ofReason reason: String) -> String {
        switch reason {
        case "no-bids": "nobody bid"
        case "reserve-not-met": "the reserve was not met"
        case "closed": "closed by the auctioneer"
        default: reason
        }
    }
}

extension Award {
    fileprivate func sentence(to user: Bidder?) -> String {
        let (bidder, amount) = (bidder == user ? "you" : "\(bidder)", amount.grouped)
        return switch kind {
        case .bargain: "best bargain: \(bidder) earned \(amount) with \(title)"
        case .overpay: "worst overpay: \(bidder) paid \(amount) too much for \(title)"
        case .closest where self.amount == 0:
            "closest second: \(bidder) bid as much for \(title), but later"
        case .closest: "closest second: \(bidder) missed \(title) by \(amount)"
        }
    }
}

extension Bidder {
    /// The bidder and a verb: in the second person if it is the user.
    fileprivate func verb(_ second: String, _ third: String, _ user: Bidder?) -> String {
        self == user ? "you \(second)" : "\(self) \(third)"
    }
}

extension Lot {
    /// Whether the title is only the number of the lot.
    package var isUntitled: Bool { self == Lot(number: number) }
}

extension Price {
    /// The amount with commas between thousands, as in `1,050`.
    package var grouped: String { amount.grouped }
}

extension Int64 {
    /// The number with commas between thousands.
    package var grouped: String {
        guard magnitude >= 1_000 else { return "\(self)" }
        let rest = "\(magnitude % 1_000)"
        return (self / 1_000).grouped + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
