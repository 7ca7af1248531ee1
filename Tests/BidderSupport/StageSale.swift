import Auction
import Basics
import Bidder
import Wire

/// The server's side of a sale: a real `Sale`, from which the states follow that a server sends.
///
/// A test chooses the events, and with `state` their times and the first minimum; each is applied
/// to the sale, and gets the state of a real server.
package struct StageSale {
    /// The sale.
    package private(set) var sale: Sale
    private var known = LotState()
    private var deadline: Instant?
    private var next: (title: String, opening: Instant?)?
    private var present: Set<Bidder> = []

    /// Begins before the first lot.
    package init(seconds: Int = 7, step: Price = .lowest) {
        sale = Sale(rules: Rules(seconds: seconds, step: step))
    }

    /// Begins with events that have happened.
    package init(seconds: Int, step: Price, _ messages: [ServerMessage], at now: Duration) {
        self.init(seconds: seconds, step: step)
        for (index, message) in messages.enumerated() {
            _ = apply(message, before: messages.dropFirst(index + 1).first, at: now)
        }
    }

    private static func instant(_ time: Duration) -> Instant {
        Instant(nanoseconds: 1_000_000_000_000_000).advanced(by: time)
    }

    /// Applies an event, and returns the message that a server sends of it.
    ///
    /// `next` is the message after it: the terms of a lot that opens.
    package mutating func apply(
        _ message: ServerMessage, before next: ServerMessage? = nil, at time: Duration
    ) -> ServerMessage {
        guard case .event(var event, let members) = message else { return message }
        let given = Given(members)
        let now = Self.instant(time)
        var applied = now
        switch event {
        case .lotOpened:
            applied = now.advanced(by: .zero - (given.elapsed ?? .zero))
            plan(given.start, next?.event)
            self.next = nil
        case .bidPlaced:
            let left = given.remaining ?? sale.auction.rules.countdown
            applied = now.advanced(by: min(left - sale.auction.rules.countdown, .zero))
        case .lotPassed(let lot, let reason, nil):
            let elapsed = sale.auction.openedAt.duration(to: now)
            event = .lotPassed(lot, reason: reason, elapsed: sale.hasLot ? elapsed : nil)
        case .lotSold(let sold):
            event = .lotSold(
                SoldLot(
                    number: sale.auction.lot.number, title: sold.title, bidder: sold.bidder,
                    price: sold.price, elapsed: sold.elapsed))
        case .nextAnnounced(let title, let seconds):
            self.next = (title, now.advanced(by: .seconds(seconds)))
        case .paused: self.next?.opening = nil
        case .bidRevealed(let bid): sale.apply(.bidSealed(bid), at: now)
        case .valueRevealed(let value): sale.apply(.valueDrawn(value), at: now)
        case .bidderJoined(let bidder, _): present.insert(bidder)
        case .bidderLeft(let bidder): present.remove(bidder)
        default: break
        }
        sale.apply(event, at: applied)
        guard event.audience == .everyone else { return message }
        if case .lotOpened = event { sale.startCountdown(at: applied) }
        return .event(event, change(by: event, at: now))
    }

    private mutating func plan(_ start: Price?, _ next: SaleEvent?) {
        if case .termsAnnounced(let terms) = next {
            // The falls of the asking prices fill the countdown.
            let floor =
                terms.start.amount - terms.step.amount
                * (Int64(terms.seconds) * 1_000 / 800 - 1)
            let lowest = terms.format == .dutch ? Price(floor) ?? .lowest : terms.start
            sale.apply(
                .lotPlanned(terms, reserve: terms.hasReserve ? lowest : nil),
                at: Self.instant(.zero))
        } else if let start {
            let terms = Terms(
                format: .english, seconds: sale.rules.seconds, start: start, step: sale.rules.step)
            sale.apply(.lotPlanned(terms, reserve: nil), at: Self.instant(.zero))
        }
    }

    private mutating func change(by event: SaleEvent, at now: Instant) -> [UInt8]? {
        let state = state(at: now)
        let isSameStage = state.lot == known.lot && state.stage == known.stage
        var clocks: LotState.Clocks = isSameStage ? [] : .all
        if case .secondsLeft = event { clocks.insert(.remaining) }
        if case .nextAnnounced = event { clocks.insert(.nextOpening) }
        if sale.auction.deadline != deadline { clocks.insert(.remaining) }
        if case .lotOpened = event { clocks = .all }
        defer { (known, deadline) = (state, sale.auction.deadline) }
        return state.json(after: known, clocks: clocks)
    }

    private func state(at now: Instant) -> LotState {
        var state = sale.publicState(remaining: sale.auction.remaining(at: now), at: now)
        state.next = next.map { [$0.title] } ?? []
        state.nextOpening = next?.opening.map { now.duration(to: $0) }
        state.people = present.count
        return state
    }

    /// The events of a game in which a bidder may have a purse, and the lot a value.
    package static func secrets(
        purse: Int64? = nil, worth: Int64? = nil, isEstimate: Bool = false,
        of name: String = "alice"
    ) -> [SaleEvent] {
        let range: ClosedRange<Int64> = 50...150
        let values: GameOptions.Values? =
            worth.map { _ in isEstimate ? .common(range, noise: 20) : .personal(range) }
        let options = GameOptions(purse: purse.map(price), values: values, seed: Seed(1))
        return [.gameSet(options)]
            + (worth.map { [drawn($0, isEstimate: isEstimate, of: name)] } ?? [])
    }

    /// What a lot is worth to a bidder.
    package static func drawn(
        _ worth: Int64, isEstimate: Bool = false, of name: String = "alice"
    ) -> SaleEvent {
        .worthDrawn(Worth(bidder: bidder(name), amount: worth, isEstimate: isEstimate))
    }

    /// What everybody may know at a time.
    package func state(at time: Duration) -> LotState { state(at: Self.instant(time)) }

    /// The whole state, as it follows a snapshot.
    package func stateMessage(at time: Duration) -> ServerMessage {
        .state(state(at: time).json(after: nil, clocks: .all) ?? [])
    }

    /// What a newcomer receives: the events that still hold, and the whole state.
    package func snapshot(at time: Duration) -> [ServerMessage] {
        sale.snapshot.map { .event($0.event) } + [stateMessage(at: time)]
    }

    /// The whole seconds left of the countdown; nil if none runs.
    package func secondsLeft(at time: Duration) -> Int? {
        let left = sale.auction.remaining(at: Self.instant(time)) ?? .zero
        return left > .zero ? Int(TimeLeft(remaining: left, warning: nil).seconds) : nil
    }

    /// When the server sends the next second; nil if no countdown runs.
    package func nextSecond(at time: Duration) -> Duration? {
        guard let deadline = sale.auction.deadline, let seconds = secondsLeft(at: time) else {
            return nil
        }
        return Self.instant(.zero).duration(to: deadline) - .seconds(seconds - 1)
    }
}

/// The members of the state that a test chooses for an event.
private struct Given {
    /// The minimum of the first bid.
    var start: Price?
    /// The time since the opening.
    var elapsed: Duration?
    /// The time left of the countdown.
    var remaining: Duration?

    init(_ members: [UInt8]?) {
        // No test begins at this price, so it means that no start was given.
        var state = LotState()
        state.start = .highest
        state.merge(json: members ?? [])
        (elapsed, remaining) = (state.elapsed, state.remaining)
        start = state.start == .highest ? nil : state.start
    }
}

extension [UInt8] {
    /// The members of a state at the opening of a lot, `elapsed` ago.
    package init(start: Price?, elapsed: Duration?) {
        let members = [
            start.map { "\"start\":\($0.amount)" },
            elapsed.map { "\"elapsedMilliseconds\":\($0.wholeMilliseconds)" },
        ]
        self = Array("{\(members.compactMap { $0 }.joined(separator: ","))}".utf8)
    }

    /// The members of a state with this time left.
    package init(remaining: Duration) {
        self = Array("{\"remainingMilliseconds\":\(remaining.wholeMilliseconds)}".utf8)
    }
}
