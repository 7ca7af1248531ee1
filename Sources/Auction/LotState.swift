import Basics

/// What everybody may know of the newest lot, and of the sale around it.
///
/// A client that has it needs no rule of the auction to show the lot.
package struct LotState: Equatable, Sendable {
    /// The stage of the newest lot, or of the sale.
    package enum Stage: String, Sendable {
        /// No lot has opened yet.
        case waiting
        /// It is open for bids.
        case open
        /// The auctioneer has paused the sale; the lot may have ended.
        case paused
        /// It was sold.
        case sold
        /// It ended unsold.
        case passed
        /// It has ended, and was the last.
        case over
    }

    /// Whether the lot has a price below which it is not sold, and whether its price has met it.
    package enum Reserve: String, Sendable {
        case none, unmet, met
    }

    /// The most titles of lots to come.
    package static let mostTitles = 10

    /// The number of the lot; 0 before the first.
    package var lot = 0
    package var title = ""
    package var format = AuctionFormat.english
    package var stage = Stage.waiting
    /// Why the lot was not sold, in one word; nil if it was, or has not ended.
    package var reason: String?
    /// The leading, asking or paid price; nil if there is none, or it is secret.
    package var price: Price?
    /// Who leads, or has won.
    package var leader: Bidder?
    /// The number of bids, or of bidders with a sealed bid.
    package var bids = 0
    /// The amounts that are accepted next; nil if none is.
    package var amounts: ClosedRange<Int64>?
    /// The price at which a bid of that much or more buys the lot; nil if no bid does.
    package var buy: Price?
    package var reserve = Reserve.none
    /// The common value of a lot that has ended, once it is revealed; nil if there is none.
    package var value: Int64?
    /// What the lot was worth to its winner, where profits are told; nil else.
    package var winnerWorth: Int64?
    /// The minimum of the first bid.
    package var start = Price.lowest
    /// The step: by how much a bid must exceed the price, or an asking price falls.
    package var step = Price.lowest
    /// The seconds of a full countdown.
    package var seconds = 1
    /// The time from the first bid after which bids stop resetting the countdown; nil for none.
    package var longest: Duration?
    /// The warning that was given in this countdown.
    package var warning: Warning?
    /// Whether bids no longer reset the countdown.
    package var isLast = false
    /// The seconds that the countdown of the open lot showed last, while the sale is paused.
    package var secondsAtPause: Int?
    /// The time left of the countdown; nil while none runs.
    package var remaining: Duration?
    /// The time since the lot opened, which stops at its end; nil if it is not known.
    package var elapsed: Duration?
    /// How many lots the sale has; nil if they never end.
    package var lots: Int?
    /// The number of the game, which a rematch raises, and of its first lot.
    package var games = 1
    package var firstLot = 1
    /// The titles of the next lots, at most `mostTitles`.
    package var next: [String] = []
    /// The time until the next lot opens; nil while one is open, or none is planned.
    package var nextOpening: Duration?
    /// The purses and values; nil in a sale without.
    package var game: PublicGame?
    /// The number of bidders who are present.
    package var people = 0

    /// Makes the state before any lot.
    package init() {}

    /// Shows how a lot is sold under these rules.
    package mutating func show(_ rules: Rules) {
        (format, seconds, longest) = (rules.format, rules.seconds, rules.longest)
        (start, step) = (rules.start, rules.step)
    }

    /// The members that change as time passes.
    package struct Clocks: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let remaining = Clocks(rawValue: 1)
        package static let elapsed = Clocks(rawValue: 2)
        package static let nextOpening = Clocks(rawValue: 4)
        package static let all: Clocks = [.remaining, .elapsed, .nextOpening]
    }
}

extension Sale {
    /// What everybody may know at an instant; `lots`, `next` and `nextOpening` are left unset.
    package func publicState(remaining: Duration?, at now: Instant) -> LotState {
        var state = LotState()
        let rules = auction.rules
        state.lot = auction.lot.number
        state.title = auction.lot.title
        state.show(rules)
        state.stage = stage
        state.bids = rules.format.isSealed ? auction.announced : auction.leading?.number ?? 0
        state.reserve = rules.reserve == nil ? .none : isReserveMet ? .met : .unmet
        (state.warning, state.isLast) = (warning, auction.isLast)
        state.value = valuations.isRevealed ? valuations.common : nil
        (state.game, state.people) = (publicGame(lots: nil), names.presentCount)
        (state.games, state.firstLot) = (games, firstLot)
        guard hasLot else { return state }
        state.leader = leader
        switch result?.outcome {
        case .sold(let sold)?:
            (state.price, state.elapsed) = (sold.price, sold.elapsed)
            if tellsProfits { state.winnerWorth = valuations.value(for: sold.bidder) }
        case .passed(let reason, let elapsed)?: (state.reason, state.elapsed) = (reason, elapsed)
        case nil:
            state.price = auction.leading?.price ?? auction.ask
            state.remaining = remaining
            state.elapsed = auction.openedAt.duration(to: now)
            if auction.isPaused, numbers.countdown != nil { state.secondsAtPause = secondsLeft }
            guard !auction.isClosed else { break }
            let leading = auction.leading?.price
            let asking = leading == nil ? auction.ask : nil
            state.amounts =
                asking.map { Rules.amounts(asking: $0) } ?? rules.amounts(at: leading)
            if let buy = rules.buy, state.price.map({ $0 < buy }) ?? true { state.buy = buy }
        }
        return state
    }

    /// Whether the price has met the reserve; an asking price never falls below it.
    private var isReserveMet: Bool {
        switch result?.outcome {
        case .sold?: true
        case .passed?: auction.isReserveMet
        case nil: auction.isReserveMet || auction.ask != nil
        }
    }

    private var stage: LotState.Stage {
        if isOver { return .over }
        if auction.isPaused { return .paused }
        return switch result?.outcome {
        case .sold?: .sold
        case .passed?: .passed
        case nil: hasLot ? .open : .waiting
        }
    }
}

/// What only one bidder may know of the sale.
package struct OwnState: Equatable, Sendable {
    package var name: Bidder
    /// Whether the bidder leads the newest lot, or has won it.
    package var leads = false
    /// What is left of the purse, less what the open lot may cost; nil without a purse.
    package var left: Int64?
    /// The highest bid on the open lot that the purse allows; nil without a purse.
    package var most: Int64?
    /// What the newest lot is worth to the bidder; nil if it has no values, or none was drawn.
    package var worth: Int64?
    /// Whether `worth` is an estimate of a value that is common to all.
    package var isEstimate = false
    /// The price up to which the server bids for the bidder; nil if it does not.
    package var maximum: Price?
    /// The sealed bid on the open lot; nil if there is none.
    package var sealed: Price?
    /// What the bidder has paid for the newest lot; nil if nothing.
    ///
    /// Nil also after a restart, for a bidder who has not won it.
    package var paid: Price?
    /// The rank in the standings; nil for a bidder who has not bid.
    package var rank: Int?

    /// Makes a state in which only the name is known.
    package init(_ name: Bidder) {
        self.name = name
    }

    /// Whether a bid of another bidder may change this state: it ends a lead, or frees money.
    package var dependsOnBids: Bool { leads || most != nil && (maximum != nil || sealed != nil) }
}

extension Sale {
    /// What only this bidder may know, without the rank.
    package func ownState(of bidder: Bidder) -> OwnState {
        var state = OwnState(bidder)
        state.leads = leader == bidder
        (state.left, state.most) = (left(of: bidder), most(of: bidder))
        if let worth = worth(of: bidder) {
            (state.worth, state.isEstimate) = (worth.amount, worth.isEstimate)
        }
        if case .sold(let sold)? = result?.outcome {
            let isWinner = sold.bidder == bidder
            state.paid = isWinner ? sold.price : auction.price(losing: bidder)
        }
        guard !auction.isClosed else { return state }
        state.maximum = auction.maximum(of: bidder)
        state.sealed = auction.sealedBid(of: bidder)?.price
        return state
    }

    /// Who leads the newest lot, or has won it.
    var leader: Bidder? {
        guard hasLot else { return nil }
        return switch result?.outcome {
        case .sold(let sold)?: sold.bidder
        case .passed?: nil
        case nil: auction.leading?.bidder
        }
    }
}
