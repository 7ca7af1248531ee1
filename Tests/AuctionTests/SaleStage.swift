import Auction
import Basics
import Testing

/// A sale that is played by hand, and records what a server would write to its journal.
struct SaleStage {
    var sale: Sale
    /// Every event so far.
    private(set) var events: [SaleEvent] = []
    var now = Instant(nanoseconds: 0)
    private let rules: Rules

    /// Begins a sale, without a lot yet.
    init(_ rules: Rules = Rules(seconds: 7), options: GameOptions? = nil) throws {
        (sale, self.rules) = (Sale(rules: rules), rules)
        try commit(.saleBegan(try #require(Identity("k3v9"))))
        if let options { try commit(.gameSet(options)) }
    }

    /// Opens the next lot, with the rules of the sale unless others are given.
    mutating func open(_ rules: Rules? = nil, title: String = "Vase") throws {
        let rules = rules ?? self.rules
        if rules != rules.plain {
            try commit(.lotPlanned(rules.terms, reserve: rules.reserve))
        }
        try commit(.lotOpened(Lot(number: sale.auction.lot.number + 1, title: title)))
    }

    /// Lets bidders take their names.
    mutating func join(_ names: String...) throws {
        for name in names {
            let bidder = try #require(Bidder(name))
            var generator = SystemRandomNumberGenerator()
            if sale.names[bidder] == nil {
                try commit(.nameTaken(bidder, TokenHash(of: Token(using: &generator))))
            }
            try commit(.bidderJoined(bidder))
        }
        sale.startCountdown(at: now)
    }

    /// Gives a command to the sale, and commits what it causes.
    mutating func play(_ command: Auction.Command) throws {
        guard !sale.isOver else { throw Auction.Refusal.closed }
        guard let event = try sale.auction.decide(command, at: now) else { return }
        try sale.requirePurse(for: event)
        try commit(event)
    }

    mutating func bid(_ amount: Int64, by name: String) throws {
        try play(.bid(try #require(Price(amount)), by: try #require(Bidder(name))))
    }

    /// Lets the countdown end.
    mutating func fallHammer() throws {
        now = try #require(sale.auction.deadline)
        while let due = sale.dueEvent(at: now) { try record(due) }
        try play(.expire)
    }

    /// Records an event and what follows by itself.
    mutating func commit(_ event: SaleEvent) throws {
        try record(event)
        while let due = sale.dueEvent(at: now) { try record(due) }
    }

    private mutating func record(_ event: SaleEvent) throws {
        try #require(sale.canApply(event), "\(event)")
        sale.apply(event, at: now)
        events.append(event)
    }

    /// The sale that is recovered from its state alone.
    func recovered() throws -> Sale {
        var replay = ServerReplay()
        let state = sale.state
        replay.beginSegment(first: sale.eventNumber + 1, state: state.count)
        for (record, number) in state {
            let isRead = replay.replay(record, number: number)
            try #require(isRead, "\(record) \(number ?? 0)")
        }
        #expect(replay.main.state.map(\.record) == state.map(\.record))
        return replay.main
    }

    /// The sale that is recovered from all its events.
    func replayed() throws -> Sale {
        var replay = ServerReplay()
        replay.beginSegment(first: 1, state: 0)
        var number = 0
        for event in events {
            if event.audience == .everyone { number += 1 }
            let isRead = replay.replay(
                .event(event), number: event.audience == .everyone ? number : nil)
            try #require(isRead, "\(event)")
        }
        return replay.main
    }
}
