import AuctionRules
import Reactive
import Wire

/// Everything of the sale that can be seen, as signals over the stream of news.
struct Sights {
    /// What the sights are made of.
    struct Sources {
        let news: Signal<ServerMessage>
        let greeting: Signal<Greeting>
        let loadedLaps: Signal<[Bid]>
        let loadedBidders: Signal<[Bidder]>
        /// Whether the news is heard as it happens.
        let isLive: Signal<Bool>
        /// How many laps have a place on the screen.
        let lapRows: Signal<Int>
    }

    /// How the sale stands.
    let standing: Signal<Standing>
    /// The time since the lot opened, ten times a second while it is open.
    let elapsed: Signal<Duration?>
    /// What is left of the countdown, ten times a second while it runs.
    let countdown: Signal<Countdown?>
    /// The accepted bids.
    let laps: Signal<Laps>
    /// How long ago the newest laps were, by their numbers.
    let ages: Signal<[Int: String]>
    /// How many bids there were in the last five seconds, once a second while a lot is open.
    let pace: Signal<Int>
    /// The price and the pace over time.
    let series: Signal<Series>
    /// The newest line of news as a sentence.
    let ticker: Signal<String>
    /// Who is here.
    let bidders: Signal<[Bidder]>

    /// The ages and what else is worked out from many values are so at most ten times a second.
    private static let rest = Duration.milliseconds(100)

    init(_ sources: Sources, on timeline: Timeline) {
        let news = sources.news
        let bids = news.compactMap(\.bid)
        standing = news.scan(Standing()) { $0.hearing($1) }.replay(1)
        let lots = standing.map(\.lot).removeDuplicates()

        let clock = news.lotClock(on: timeline).replay(1)
        let openedAt = clock.map(\.openedAt).removeDuplicates()
        let runningSince = clock.combineLatest(sources.isLive)
            .map { clock, isLive in isLive ? clock.runningSince : nil }.removeDuplicates().replay(1)
        // At once too where it goes on: what stood still is shown as it is by now.
        let beat = Signal.merge([
            runningSince.map { _ in },
            runningSince.pulses(every: .milliseconds(100), on: timeline),
        ]).share().startWith(())
        elapsed = clock.combineLatest(beat).map { clock, _ in clock.elapsed(at: timeline.now) }
        countdown = news.hammer(sources.greeting, on: timeline).combineLatest(beat)
            .map { hammer, _ in hammer.countdown(at: timeline.now) }

        laps = Signal.laps(
            of: lots, bids: bids, voided: news.compactMap(\.voidedNumber),
            loaded: sources.loadedLaps
        ).replay(1)
        ages = laps.throttle(Self.rest, on: timeline)
            .ages(rows: sources.lapRows, openedAt: openedAt, on: timeline)
        let additions = laps.additions
        pace = runningSince.map { $0 != nil }.removeDuplicates()
            .map { isOpen in isOpen ? additions.pace(on: timeline).startWith(0) : .of(0) }
            .switchToLatest().replay(1)
        series = Signal.series(
            of: lots, loaded: sources.loadedLaps,
            readings: standing.combineLatest(pace)
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
