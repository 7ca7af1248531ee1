import AuctionRules
import Reactive
import Wire

/// The parts of a bidder's view as signals that follow from the news.
struct SaleSignals {
    /// The inputs of the signals.
    struct Sources {
        let news: Signal<ServerMessage>
        let greeting: Signal<Greeting>
        let loadedLaps: Signal<[Bid]>
        let loadedBidders: Signal<[Bidder]>
        /// Whether news arrives as it happens.
        let isLive: Signal<Bool>
        /// The number of laps that fit on the screen.
        let lapRows: Signal<Int>
    }

    /// The state of the sale.
    let sale: Signal<SaleState>
    /// The time since the lot opened, ten times a second while it is open.
    let elapsed: Signal<Duration?>
    /// The time left of the countdown, ten times a second while it runs.
    let countdown: Signal<TimeLeft?>
    /// The accepted bids of the lot.
    let laps: Signal<Laps>
    /// The ages of the newest laps, by their numbers.
    let ages: Signal<[Int: String]>
    /// The bids of the last five seconds, once a second while a lot is open.
    let pace: Signal<Int>
    /// The price and the pace over the time of the lot.
    let series: Signal<Series>
    /// The newest news as a sentence.
    let ticker: Signal<String>
    /// The bidders who are connected.
    let bidders: Signal<[Bidder]>

    init(_ sources: Sources, on timeline: Timeline) {
        let news = sources.news
        sale = news.scan(SaleState()) { $0.applying($1) }.replay(1)
        let lots = sale.map(\.lot).removeDuplicates()

        let clock = news.lotClock(on: timeline).replay(1)
        let openedAt = clock.map(\.openedAt).removeDuplicates()
        let runningSince = clock.combineLatest(sources.isLive)
            .map { clock, isLive in isLive ? clock.runningSince : nil }.removeDuplicates().replay(1)
        // The first beat is at once, so that a clock that was stopped shows the present.
        let beat = Signal.merge([
            runningSince.map { _ in },
            runningSince.pulses(every: .milliseconds(100), on: timeline),
        ]).share().startWith(())
        elapsed = clock.combineLatest(beat).map { clock, _ in clock.elapsed(at: timeline.now) }
        countdown = news.countdownClock(sources.greeting, on: timeline).combineLatest(beat)
            .map { clock, _ in clock.timeLeft(at: timeline.now) }

        laps = Signal.laps(
            of: lots, bids: news.compactMap(\.bid), voided: news.compactMap(\.voidedNumber),
            loaded: sources.loadedLaps
        ).replay(1)
        ages = laps.throttle(.milliseconds(100), on: timeline)
            .ages(rows: sources.lapRows, openedAt: openedAt, on: timeline)
        let additions = laps.additions
        pace = runningSince.map { $0 != nil }.removeDuplicates()
            .map { isOpen in isOpen ? additions.pace(on: timeline).startWith(0) : .of(0) }
            .switchToLatest().replay(1)
        series = Signal.series(
            of: lots, loaded: sources.loadedLaps,
            readings: sale.combineLatest(pace)
                .map { Series.Point(price: $0.leading?.price, bids: $1) },
            joins: news.compactMap(\.newcomer), voided: news.compactMap(\.voidedPrice),
            openedAt: runningSince, on: timeline)
        ticker = news.withoutRestatements.compactMap(\.sentence)
        bidders = Signal.bidders(loaded: sources.loadedBidders, news: news)
    }
}

extension ServerMessage {
    fileprivate var bid: Bid? { if case .price(let bid, _, _) = self { bid } else { nil } }

    fileprivate var voidedNumber: Int? {
        if case .voided(_, _, let number, _) = self { number } else { nil }
    }

    fileprivate var voidedPrice: Price? {
        if case .voided(let price, _, _, _) = self { price } else { nil }
    }

    fileprivate var newcomer: Bidder? {
        if case .joined(let bidder) = self { bidder } else { nil }
    }
}

extension Signal<[Bidder]> {
    /// The connected bidders: as loaded, and then as they join and leave.
    package static func bidders(
        loaded: Signal<[Bidder]>, news: Signal<ServerMessage>
    ) -> Signal<[Bidder]> {
        Signal<([Bidder]) -> [Bidder]>.merge([
            loaded.map { bidders in { _ in bidders } },
            news.compactMap { message in
                switch message {
                case .joined(let bidder): { $0.filter { $0 != bidder } + [bidder] }
                case .left(let bidder): { $0.filter { $0 != bidder } }
                default: nil
                }
            },
        ])
        .scan([]) { bidders, edit in edit(bidders) }
    }
}

extension Signal<ServerMessage> {
    /// The news without the price that the server repeats after a void, which is no new bid.
    package var withoutRestatements: Signal<ServerMessage> {
        typealias Step = (voided: Int?, message: ServerMessage?)
        return scan(Step(nil, nil)) { before, message in
            switch message {
            case .voided(_, _, let number, _): Step(number, message)
            case .price(let bid, _, _) where before.voided == bid.number + 1: Step(nil, nil)
            default: Step(nil, message)
            }
        }
        .compactMap(\.message)
    }
}

extension Signal where Value == Int? {
    /// The picture number of the spinner, ten a second while something loads; else nil.
    package static func spinner(
        while loading: [Signal<Bool>], on timeline: Timeline
    ) -> Signal<Int?> {
        loading.map { $0.startWith(false) }
            .reduce(Signal<Bool>.of(false)) { any, one in
                any.combineLatest(one).map { $0 || $1 }
            }
            .removeDuplicates()
            .map { isLoading in
                guard isLoading else { return .of(nil) }
                return Signal<Int>.interval(.milliseconds(100), on: timeline).map { $0 + 1 }
                    .startWith(0).map(Optional.some)
            }
            .switchToLatest()
    }
}
