import Auction
import Basics
import Strategies

/// One bidder of a simulated sale: a strategy under a name.
public struct Seat: Sendable {
    /// The name.
    public let bidder: Bidder
    /// The strategy, which changes while it plays.
    public var strategy: any Strategy

    /// Creates a seat; the number, from 0, makes the name.
    public init(_ strategy: any Strategy, number: Int) {
        guard let bidder = Bidder("seat-\(number)") else {
            preconditionFailure("a number makes a name")
        }
        (self.bidder, self.strategy) = (bidder, strategy)
    }
}

/// One lot that strategies play in virtual time, with the rules of the server.
///
/// There are no sockets and no waiting: the clock jumps to whatever happens next. Each bidder looks
/// at the lot a random time after each change, so nobody is always the first, and once a second.
struct SimulatedLot {
    /// A bidder who saw nothing new looks again after this.
    private static let patience = Duration.seconds(1)
    /// A rising auction that nobody opens for so long is closed.
    private static let unopened = Duration.seconds(60)

    /// What each seat knows of the worth to it.
    private let worths: [Int64]
    private let values: GameOptions.Values
    private let reaction: ClosedRange<Duration>
    /// What each seat may spend on the lot; nil without purses.
    private let purses: [Int64]?
    private let lotsLeft: Int
    /// When a lot that nobody has opened is closed.
    private let unopenedEnd: Instant
    private var auction: Auction
    private var now = Instant(nanoseconds: 0)
    /// When each seat looks next.
    private var looks: [Instant]
    private var chance: SeededGenerator

    /// Opens a lot of a sale; each seat has its worth, and with purses what it may spend.
    init(
        number: Int, of sale: SimulatedSale, worths: [Int64], purses: [Int64]?,
        chance: SeededGenerator
    ) {
        (self.worths, values, self.purses) = (worths, sale.values, purses)
        reaction = sale.reaction
        let rules = sale.rules
        self.chance = chance
        lotsLeft = sale.lots - number
        unopenedEnd = now.advanced(by: Self.unopened + .seconds(rules.seconds))
        auction = Auction(Lot(number: number), rules: rules, openedAt: now)
        looks = []
        looks = worths.map { _ in nextLook() }
    }

    /// Plays the lot to its end, tells every seat how it ended, and returns who paid what, the
    /// winner first.
    mutating func play(_ seats: inout [Seat]) -> [Payment] {
        auction.start(at: now)
        settle()
        while !auction.isClosed {
            advance(&seats)
            settle()
        }
        tell(auction.outcome, &seats)
        return auction.payments
    }

    /// Applies everything that follows by itself at this time.
    private mutating func settle() {
        while let event = auction.dueEvent(at: now) { apply(event) }
    }

    private mutating func apply(_ event: SaleEvent) {
        auction.apply(event, at: now)
        for seat in looks.indices { looks[seat] = min(looks[seat], nextLook()) }
    }

    /// Moves the clock to the next look, fall of the price or end, and lets that happen.
    private mutating func advance(_ seats: inout [Seat]) {
        let seat = looks.indices.min { looks[$0] < looks[$1] } ?? 0
        let deadline = auction.deadline ?? unopenedEnd
        if let fall = auction.nextFall, fall <= looks[seat], fall < deadline {
            now = fall
            return
        }
        guard looks[seat] < deadline else {
            now = deadline
            let command: Auction.Command = auction.deadline == nil ? .close : .expire
            if let event = try? auction.decide(command, at: now) { apply(event) }
            return
        }
        now = looks[seat]
        looks[seat] = now.advanced(by: Self.patience)
        guard let move = seats[seat].strategy.decide(view(of: seat, seats[seat]), at: now) else {
            return
        }
        let command = move.command(by: seats[seat].bidder)
        if let (bid, _) = auction.automaticBid(against: command, at: now) {
            apply(bid)
        } else if let event = try? auction.decide(command, at: now), isPayable(event, by: seat) {
            apply(event)
        }
    }

    private func isPayable(_ event: SaleEvent, by seat: Int) -> Bool {
        guard let purses, let offer = event.offer else { return true }
        return offer.price.amount <= purses[seat]
    }

    private func view(of seat: Int, _ bidder: Seat) -> LotView {
        var view = LotView(
            lot: auction.lot.number, terms: auction.rules.terms, rivals: worths.count - 1,
            worth: worths[seat], prior: values.range, noise: values.noise, purse: purses?[seat],
            lotsLeft: lotsLeft)
        view.follow(auction, as: bidder.bidder, at: now)
        return view
    }

    private func tell(_ outcome: Outcome, _ seats: inout [Seat]) {
        for index in seats.indices {
            let end: LotEnd
            switch outcome {
            case .sold(let winner, let price):
                end = LotEnd(
                    lot: auction.lot.number, price: price, isWon: winner == seats[index].bidder)
            case .passed: end = LotEnd(lot: auction.lot.number, price: nil, isWon: false)
            }
            seats[index].strategy.learn(end)
        }
    }

    private mutating func nextLook() -> Instant {
        let spread = reaction.upperBound - reaction.lowerBound
        return now.advanced(by: reaction.lowerBound + spread * .random(in: 0...1, using: &chance))
    }
}
