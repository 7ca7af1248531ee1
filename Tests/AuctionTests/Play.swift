import Auction
import Basics
import Testing

/// A lot that opens at second 0 and is played by lines such as `3.5 alice bid 120` or `7 expire`.
///
/// As its owner does, it asks what is due before and after each command, until nothing is.
struct Play {
    private(set) var auction: Auction

    /// The most events that may follow from one.
    static let mostDue = 60

    init(_ rules: Rules) {
        auction = Auction(Lot(number: 1), rules: rules, openedAt: .atSeconds(0))
        auction.start(at: .atSeconds(0))
    }

    /// Plays a line, and returns the events and refusals in words, separated by commas.
    mutating func say(_ line: String) throws -> String {
        var words = line.split(separator: " ").map(String.init)[...]
        let second = try #require(words.popFirst().flatMap(Double.init), "\(line)")
        let now = Instant(nanoseconds: Int64(second * 1e9))
        if words == ["restart"] {
            auction.resume(with: auction.rules, at: now)
            auction.start(at: now)
            words = []
        } else if words.first == "remove" {
            let bidder = try #require(words.last.flatMap(Bidder.init))
            auction.apply(.bidderKicked(bidder, reason: "none"), at: now)
            words = []
        }
        var said = try follow(at: now)
        guard !words.isEmpty else { return said.joined(separator: ", ") }
        let command = try #require(Auction.Command(words), "\(line)")
        if let (bid, refusal) = auction.automaticBid(against: command, at: now) {
            said.append(take(bid, at: now))
            said += try follow(at: now)
            said.append(refusal.words)
            return said.joined(separator: ", ")
        }
        do throws(Auction.Refusal) {
            if let event = try auction.decide(command, at: now) {
                said.append(take(event, at: now))
            }
        } catch {
            said.append(error.words)
        }
        said += try follow(at: now)
        return said.joined(separator: ", ")
    }

    private mutating func follow(at now: Instant) throws -> [String] {
        var said: [String] = []
        while let event = auction.dueEvent(at: now) {
            said.append(take(event, at: now))
            try #require(said.count <= Self.mostDue, "\(said)")
        }
        return said
    }

    private mutating func take(_ event: SaleEvent, at now: Instant) -> String {
        auction.apply(event, at: now)
        return event.words
    }
}

/// Lines that are played in a lot, and what each of them causes.
struct PlayedCase: CustomTestStringConvertible, Sendable {
    let name: String
    let rules: Rules
    let steps: [(line: String, events: String)]
    /// How the lot ends.
    let outcome: String

    init(
        _ name: String, _ rules: Rules, _ steps: [(String, String)], outcome: String
    ) {
        (self.name, self.rules, self.outcome) = (name, rules, outcome)
        self.steps = steps.map { (line: $0.0, events: $0.1) }
    }

    var testDescription: String { name }

    /// Plays the lines, and compares.
    func check() throws {
        var play = Play(rules)
        for step in steps {
            #expect(try play.say(step.line) == step.events, "\(name), \(step.line)")
        }
        #expect(play.auction.outcome.words == outcome, "\(name)")
    }
}

extension Auction.Command {
    /// A command in words: `alice bid 5`, `alice max none`, `pause`.
    init?(_ words: ArraySlice<String>) {
        let words = Array(words)
        switch words.count {
        case 1:
            let commands: [String: Self] = [
                "expire": .expire, "pause": .pause, "resume": .resume, "hammer": .hammer,
                "void": .void, "close": .close,
            ]
            guard let command = commands[words[0]] else { return nil }
            self = command
        case 2, 3:
            guard let bidder = Bidder(words[0]) else { return nil }
            let price = words.last.flatMap { Int64($0) }.flatMap { Price($0) }
            switch (words[1], price) {
            case ("take", nil): self = .take(by: bidder)
            case ("buy", nil): self = .buy(by: bidder)
            case ("bid", let price?): self = .bid(price, by: bidder)
            case ("max", let price): self = .setMaximum(price, by: bidder)
            default: return nil
            }
        default: return nil
        }
    }
}

extension SaleEvent {
    var words: String {
        switch self {
        case .bidPlaced(let bid): "\(bid.bidder) \(bid.price.amount)"
        case .askFell(let price): "ask \(price.amount)"
        case .bidSealed(let bid): "\(bid.bidder) seals \(bid.price.amount)"
        case .bidsSealed(let count): "sealed \(count)"
        case .bidRevealed(let bid): "reveal \(bid.price.amount) \(bid.bidder)"
        case .maximumSet(let bidder, let price):
            "max \(bidder) \(price.map { "\($0.amount)" } ?? "none")"
        case .reserveMet: "reserve met"
        case .lastReset: "last"
        case .lotPassed(_, reason: "closed", _): "closed"
        case .lotSold, .lotPassed: "end"
        case .hammered: "hammer"
        case .paused: "paused"
        case .resumed: "resumed"
        case .bidVoided(let voided): "void \(voided.bidder) \(voided.price.amount)"
        default: "no event of a lot: \(self)"
        }
    }
}

extension Auction.Refusal {
    var words: String {
        switch self {
        case .closed: "no: closed"
        case .otherLot(let open): "no: lot \(open)"
        case .paused: "no: paused"
        case .leading: "no: leading"
        case .belowMinimum(let amount): "no: at least \(amount)"
        case .aboveMaximum(let amount): "no: at most \(amount)"
        case .outbid(let minimum): "no: outbid" + (minimum.map { " \($0)" } ?? "")
        case .notDue: "no: not due"
        case .wrongFormat(let format): "no: \(format)"
        case .noBuyPrice: "no: no buy price"
        case .overPurse(let left): "no: purse \(left)"
        case .noBids: "no: no bids"
        case .lastKnown: "no: last known"
        }
    }
}

extension Outcome {
    var words: String {
        switch self {
        case .sold(let bidder, let price): "\(bidder) pays \(price.amount)"
        case .passed(let reason): reason.rawValue
        }
    }
}
