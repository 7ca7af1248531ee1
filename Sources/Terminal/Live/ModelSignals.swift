import Auction
import Bidder
import Reactive
import Wire

/// The signals that change the model of a view: the news, the lists, the connection and the clocks.
final class ModelSignals {
    /// How long an answer is shown that was true only when it was given.
    private static let momentTime = Duration.seconds(5)
    /// The minimum time between two loads of the standings.
    private static let standingsPeriod = Duration.milliseconds(500)

    private let connection: LiveConnection
    private let store: ModelStore
    private let timeline: Timeline
    /// False while the timeline catches up after a standstill.
    private let isMoving: Signal<Bool>
    private let bag = SubscriptionBag()

    /// Begins to change the model; `ring` is called when the bidder is outbid.
    init(
        of connection: LiveConnection, to store: ModelStore, on timeline: Timeline,
        isMoving: Signal<Bool>, ring: @escaping () -> Void
    ) {
        self.connection = connection
        self.store = store
        self.timeline = timeline
        self.isMoving = isMoving
        followNews(ring)
        followConnection()
        followLists()
        followStandings()
        runClocks()
        expireFeedback()
        showAges()
        spin()
    }

    /// Changes the model with each value of a signal.
    private func follow<Value>(
        _ signal: Signal<Value>, _ update: @escaping (inout Model, Value) -> Void
    ) {
        signal.observe(in: bag) { [store] value in store.update { update(&$0, value) } }
    }

    /// Applies news, of which lines that arrive together are shown at once.
    private func followNews(_ ring: @escaping () -> Void) {
        connection.news.observe(in: bag) { [store, timeline] news in
            let outbidCount = store.model.prompt.feedbackLine.outbidCount
            store.updateLater { $0.receive(news.message, news.stamp, at: timeline.now) }
            if store.model.prompt.feedbackLine.outbidCount > outbidCount { ring() }
        }
        follow(connection.gaps.signal) { model, _ in
            model.log.add(.loss, "some news was missed while the connection was lost", elapsed: nil)
        }
    }

    private func followConnection() {
        follow(connection.isLive.signal.removeDuplicates()) { [timeline] in
            $0.follow(isLive: $1, at: timeline.now)
        }
        follow(connection.retryAt.signal) { [timeline] in
            $0.awaitRetry(at: $1, now: timeline.now)
        }
        follow(connection.attempt.signal) { $0.connection = $1 }
        follow(connection.notices.signal) { $0.tell($1, isRefusal: true) }
    }
}

// MARK: - Lists

extension ModelSignals {
    /// Changes the model with each load of a list, and tells its result to a user who asked for it.
    private func followLists() {
        for (list, resource) in connection.lists {
            follow(resource.isLoading) { $0.loads[list, default: LoadState()].isLoading = $1 }
            follow(resource.result) { [timeline] in
                $0.load(list, $1.answer, $1.data, at: timeline.now)
            }
            follow(resource.lastError) { $0.noteError((($1 as? ClientError)?.reason), of: list) }
        }
    }

    /// Loads the standings when they may have changed, but not with each bidder of a crowd.
    private func followStandings() {
        store.models.map { $0.isGame || $0.isOver ? $0.standingsVersion : nil }.removeDuplicates()
            .filter { $0 != nil }
            .throttle(Self.standingsPeriod, on: timeline)
            .observe(in: bag) { [connection] _ in connection.load(.standings) }
    }
}

// MARK: - Time

extension ModelSignals {
    private func runClocks() {
        let runningSince = store.models.map(\.runningSince).combineLatest(isMoving)
            .map { start, isMoving in isMoving ? start : nil }.removeDuplicates().replay(1)
        // The clocks show the present at once, also after they were stopped.
        follow(runningSince) { [timeline] model, _ in model.advance(to: timeline.now) }
        let awaited = store.models.map(\.awaitedInstant).removeDuplicates()
        for pulses in [
            runningSince.pulses(every: .milliseconds(100), on: timeline),
            awaited.pulses(every: .seconds(1), on: timeline),
        ] {
            follow(pulses) { [timeline] model, _ in model.advance(to: timeline.now) }
        }
        follow(runningSince.pulses(every: Series.tick, on: timeline)) { [timeline] model, _ in
            model.endTick(at: timeline.now)
        }
    }

    /// Turns the spinner while anything loads.
    private func spin() {
        let isLoading = store.models.map(\.isLoading).combineLatest(isMoving)
        follow(isLoading.map { $0 && $1 }.spinner(on: timeline)) { $0.spinner = $1 }
    }

    private func expireFeedback() {
        let moments = store.models.map(\.prompt.feedbackLine.momentNumber).removeDuplicates()
        follow(moments.expiries(after: Self.momentTime, on: timeline)) {
            $0.prompt.feedbackLine.expire($1)
        }
    }

    /// Shows the ages of the laps for which there is room.
    private func showAges() {
        let isPlaying = store.model.bidder != nil
        let parts = store.models.map(\.parts).removeDuplicates()
        let lapRows = store.size.signal.combineLatest(parts).map {
            Layout(size: $0, isPlaying: isPlaying, parts: $1).lapRows
        }
        let ages = store.models.map(\.laps).removeDuplicates()
            .throttle(.milliseconds(100), on: timeline)
            .ages(
                rows: lapRows.removeDuplicates(),
                openedAt: store.models.map(\.sale.openedAt).removeDuplicates(), on: timeline)
        follow(ages) { $0.ages = $1 }
    }
}

extension Signal where Value == Duration? {
    /// A pulse in each period since or until this signal's newest instant; none if that is nil.
    ///
    /// The periods begin at the instant and not at the observation, so that everything that moves
    /// with the clock of a lot moves at the same time.
    package func pulses(every period: Duration, on timeline: Timeline) -> Signal<Void> {
        map { start in
            guard let start else { return .never }
            let passed = timeline.now - start
            let first = period * (Int64((passed / period).rounded(.down)) + 1) - passed
            return Signal<Int>.of(0).delay(first, on: timeline)
                .concat(.interval(period, on: timeline)).map { _ in }
        }
        .switchToLatest()
    }
}

extension Signal where Value == Int? {
    /// Each number of this signal that stays the newest for a time, after that time.
    package func expiries(after time: Duration, on timeline: Timeline) -> Signal<Int> {
        map { number in number.map { Signal<Int>.of($0).delay(time, on: timeline) } ?? .never }
            .switchToLatest()
    }
}

extension Signal<Bool> {
    /// The picture number of the spinner, ten a second while this is true; else nil.
    package func spinner(on timeline: Timeline) -> Signal<Int?> {
        removeDuplicates().map { isLoading in
            guard isLoading else { return .of(nil) }
            return Signal<Int>.interval(.milliseconds(100), on: timeline).map { $0 + 1 }
                .startWith(0).map(Optional.some)
        }
        .switchToLatest()
    }
}

extension Signal<Laps> {
    /// The ages of the newest laps that fit on the screen, by their numbers.
    package func ages(
        rows: Signal<Int>, openedAt: Signal<Duration?>, on timeline: Timeline
    ) -> Signal<[Int: String]> {
        combineLatest(rows).combineLatest(openedAt).map { shown, openedAt in
            guard let openedAt else { return .of([:]) }
            let (laps, rowCount) = shown
            let bids = laps.rows(rowCount).map(\.bid)
            let instants = bids.map { openedAt + $0.elapsed }
            return RelativeAge.texts(since: instants, on: timeline).map { texts in
                Dictionary(uniqueKeysWithValues: zip(bids.map(\.number), texts))
            }
        }
        .switchToLatest()
    }
}

/// The model of a view, which only the store changes, and the frames that show it.
final class ModelStore {
    /// The minimum time between two frames: at most 30 a second.
    private static let framePeriod = Duration.milliseconds(35)

    /// The content of the view.
    private(set) var model: Model
    /// The size of the terminal.
    let size: Subject<Size>

    private let published: Subject<Model>
    private let changes = Subject<Void>(remembering: 0)
    private let bag = SubscriptionBag()
    private var hasUnpublished = false
    private var isFrameDue = true

    /// Makes a store whose first frame is due.
    init(_ model: Model, size: Size, on timeline: Timeline) {
        self.model = model
        self.size = Subject(size)
        published = Subject(model)
        changes.signal.throttle(Self.framePeriod, on: timeline)
            .observe(in: bag) { [unowned self] in isFrameDue = true }
    }

    /// The model after each change; of changes that belong together, after the last one.
    var models: Signal<Model> { published.signal }

    /// Changes the model.
    func update(_ change: (inout Model) -> Void) {
        change(&model)
        publish()
    }

    /// Changes the model as one of several changes, which `endUpdates` ends.
    func updateLater(_ change: (inout Model) -> Void) {
        change(&model)
        hasUnpublished = true
    }

    /// Publishes the model after changes that belong together, if there were any.
    func endUpdates() {
        if hasUnpublished { publish() }
    }

    /// Sets the size of the terminal.
    func resize(to newSize: Size) {
        size.notify(newSize)
        requestFrame()
    }

    /// Takes what draws the frame; nil if none is due.
    func takeDrawing(isASCII: Bool) -> (() -> Frame)? {
        guard isFrameDue, let size = size.value else { return nil }
        isFrameDue = false
        return { [model] in Frame(of: model, size: size, isASCII: isASCII) }
    }

    /// Schedules a frame; it will contain all changes up to then.
    func requestFrame() {
        if !isFrameDue { changes.notify(()) }
    }

    private func publish() {
        hasUnpublished = false
        published.notify(model)
        requestFrame()
    }
}
