/// Something that happened in a sale, as its journal records it.
///
/// Public events are news for everybody and are numbered from 1 without a gap. The others are for
/// one bidder or for the journal alone, and have no number, so that nobody can count them.
///
/// Large, rare cases are indirect, so that the others are cheap to copy.
public enum SaleEvent: Equatable, Sendable {
    // For everybody

    /// A lot opened for bids.
    case lotOpened(Lot)
    /// A bid was accepted; or, after a void, the price of the bid that leads again is repeated.
    case bidPlaced(Bid)
    /// Later bids on the lot no longer reset the countdown.
    case lastReset
    /// The number of whole seconds left in the countdown changed.
    case secondsLeft(Int)
    /// A fair warning was given.
    case warned(Warning)
    /// A lot ended, and a bidder won it.
    indirect case lotSold(SoldLot)
    /// A lot ended unsold, for a reason of one word; the time since it opened, if it is known.
    indirect case lotPassed(Lot, reason: String, elapsed: Duration?)
    /// The lot with this title opens after this number of seconds, from 1.
    case nextAnnounced(title: String, seconds: Int)
    /// All lots of the catalogue have ended; the value is their number.
    case ended(lots: Int)
    /// The auctioneer paused the sale.
    case paused
    /// The auctioneer continued the sale.
    case resumed
    /// The auctioneer sold the lot early; `lotSold` follows.
    case hammered
    /// The leading bid was voided, and the bid before it leads again, if there is one.
    indirect case bidVoided(VoidedBid)
    /// The auctioneer removed a bidder, for a reason in words.
    case bidderKicked(Bidder, reason: String)
    /// The auctioneer stopped the server.
    case stopped
    /// The owner of a name arrived; only JSON has the display name, if there is one.
    indirect case bidderJoined(Bidder, display: String? = nil)
    /// The owner of a name left; the name becomes free unless a bid was accepted under it.
    case bidderLeft(Bidder)
    /// The terms of the lot that has opened, which are not those of a plain English auction.
    indirect case termsAnnounced(Terms)
    /// The asking price fell.
    case askFell(Price)
    /// The number of bidders with a sealed bid changed.
    case bidsSealed(Int)
    /// A sealed bid was opened, the highest first.
    case bidRevealed(SealedBid)
    /// The price has reached the reserve.
    case reserveMet
    /// The common value of the lot that has ended.
    case valueRevealed(Int64)
    /// A bidder has won the most: the profit, or without values the number of lots.
    case championNamed(Bidder, score: Int64)
    /// A bidder received an award, after the champions.
    indirect case awardGiven(Award)
    /// A bidder said something to all.
    case messageSaid(Bidder, text: String)
    /// A bidder showed all a reaction.
    case reacted(Bidder, Reaction)
    /// People see a name in this form from now on; empty if it was taken back.
    indirect case displayNameSet(Bidder, text: String)
    /// The sale waits for its start, and this number of bidders is present.
    case waiting(people: Int)
    /// The game of this number began, from 2, with the lot of this number as its first.
    case rematchBegan(games: Int, firstLot: Int)

    // For one bidder

    /// What a lot is worth to a bidder, who alone receives it.
    case worthDrawn(Worth)

    // For the journal alone

    /// The sale began, on the server with this identity.
    case saleBegan(Identity)
    /// A name is owned; its owner proves it with the token of this hash.
    indirect case nameTaken(Bidder, TokenHash)
    /// A name is free again.
    case nameFreed(Bidder)
    /// An absent owner's name counts as used now, because it has bid on the open lot.
    case nameKept(Bidder)
    /// A name cannot be taken before this time, in milliseconds since 1970.
    case nameBarred(Bidder, until: Int64)
    /// A barred name can be taken again.
    case barEnded(Bidder)
    /// The time of day, in milliseconds since 1970.
    case timeNoted(Int64)
    /// The options of the game were set, from now on.
    case gameSet(GameOptions)
    /// The next lot to open has these terms, and this reserve.
    indirect case lotPlanned(Terms, reserve: Price?)
    /// A lot was added after those that were planned.
    indirect case lotAdded(LotPlan)
    /// The lot of this number, which has not opened, has this title now.
    indirect case lotRenamed(Lot)
    /// The sale has these options now, whatever it was opened with.
    indirect case optionsSet(RoomOptions)
    /// A round of the class began, for which this number of bidders is drawn; with 0 it was left out.
    indirect case roundBegan(ClassRound, members: Int)
    /// A bidder plays the round in this group, whose room has it as the lot of this number.
    indirect case memberDrawn(Bidder, ClassPlace)
    /// What the lot of the round has brought a member, also one who has not won it.
    indirect case memberEarned(Tally)
    /// The common value of the open lot was drawn.
    case valueDrawn(Int64)
    /// A sealed bid was accepted, in place of the bidder's earlier one.
    case bidSealed(SealedBid)
    /// The server bids for the bidder up to a maximum; nil if the maximum was withdrawn.
    case maximumSet(Bidder, Price?)
    /// A bidder cannot say anything until unmuted.
    case bidderMuted(Bidder)
    /// A muted bidder can say something again.
    case bidderUnmuted(Bidder)

    /// The bidder and the amount of a bid, a sealed bid or a maximum; nil for any other event.
    ///
    /// It is the most that the event can cost the bidder.
    public var offer: (bidder: Bidder, price: Price)? {
        if case .bidPlaced(let bid) = self { return (bid.bidder, bid.price) }
        if case .bidSealed(let bid) = self { return (bid.bidder, bid.price) }
        if case .maximumSet(let bidder, let maximum?) = self { return (bidder, maximum) }
        return nil
    }

    /// Who receives an event.
    public enum Audience: Equatable, Sendable {
        /// Everybody; the event is news and has a number.
        case everyone
        /// One bidder; the event has no number.
        case bidder(Bidder)
        /// Nobody; the event is recorded in the journal alone.
        case journal
    }

    /// Who receives the event.
    public var audience: Audience {
        switch self {
        case .lotOpened, .bidPlaced, .lastReset, .secondsLeft, .warned, .lotSold, .lotPassed,
            .nextAnnounced, .ended, .paused, .resumed, .hammered, .bidVoided, .bidderKicked,
            .stopped, .bidderJoined, .bidderLeft, .termsAnnounced, .askFell, .bidsSealed,
            .bidRevealed, .reserveMet, .valueRevealed, .championNamed, .awardGiven, .messageSaid,
            .reacted,
            .displayNameSet, .waiting, .rematchBegan:
            .everyone
        case .worthDrawn(let worth): .bidder(worth.bidder)
        case .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded, .timeNoted,
            .gameSet, .lotPlanned, .lotAdded, .lotRenamed, .optionsSet, .roundBegan, .memberDrawn,
            .memberEarned, .valueDrawn, .bidSealed,
            .maximumSet,
            .bidderMuted,
            .bidderUnmuted:
            .journal
        }
    }
}

/// A bid that was voided, and the bid that leads again.
public struct VoidedBid: Equatable, Sendable {
    /// The number of the voided bid, which the next bid has again.
    public let number: Int
    /// Its price.
    public let price: Price
    /// Its bidder.
    public let bidder: Bidder
    /// The bid that leads again; nil if there is none.
    public let leading: Bid?

    /// Creates the record of a void.
    public init(number: Int, price: Price, bidder: Bidder, leading: Bid?) {
        (self.number, self.price, self.bidder, self.leading) = (number, price, bidder, leading)
    }

    /// Creates the record of the void of a bid.
    public init(_ bid: Bid, leading: Bid?) {
        self.init(number: bid.number, price: bid.price, bidder: bid.bidder, leading: leading)
    }
}

/// What a bidder can show everybody with one tap.
public enum Reaction: String, CaseIterable, Sendable {
    case applause = "👏"
    case shock = "😱"
    case spending = "💸"
    case laughter = "😂"
    case fire = "🔥"
    case shyness = "🙈"
    case party = "🎉"
    case thinking = "🤔"
}

/// The two fair warnings before a lot is sold.
public enum Warning: String, CaseIterable, Sendable {
    /// The first.
    case once
    /// The last.
    case twice
}
