import AuctionRules
import Drawing
import Reactive
import Sale
import Typing
import Wire

/// A bidder's view of the sale without I/O: lines, keys and time in, frames and effects out.
///
/// The owner calls `advance` with the time of its clock before every other call, and again at the
/// timeline's next deadline. Then it carries out the effects, and draws the frame if one is due.
public final class LiveView {
    /// The minimum time between two frames: at most 30 a second.
    private static let framePeriod = Duration.milliseconds(35)

    /// A delay that shows that the process was stopped, or the machine slept.
    private static let standstill = Duration.seconds(1)

    /// How long an answer is shown that was true only when it was given.
    private static let momentTime = Duration.seconds(5)

    /// The time of the view, driven by `advance`.
    public let timeline = Timeline()
    /// The content of the view.
    public private(set) var model: Model

    private let connection: LiveConnection
    private let effects = Subject<ClientEffect>(remembering: 0)
    private let changes = Subject<Void>(remembering: 0)
    private let size: Subject<Size>
    /// The model after each change by a signal.
    private let models: Subject<Model>
    /// False while `advance` catches up after a standstill.
    private let isMoving = Subject(true)
    private let bag = SubscriptionBag()
    private var pendingEffects: [ClientEffect] = []
    /// Whether there was news since the signals last saw the model.
    private var hasNews = false
    private var isOver = false
    private var isFrameDue = true
    private let isASCII: Bool
    private let ringsBell: Bool

    /// Makes the view of a bidder, or of an observer, on a terminal of this size.
    ///
    /// It begins in `room`, and exits if the server refuses that. `token` returns the stored token
    /// of the name; `server` is the address to show. With `isASCII` the frames contain only ASCII
    /// characters. With `ringsBell` the terminal rings when the bidder is outbid. `chance` returns
    /// uniform random numbers from 0 to 1.
    public init(
        of bidder: Bidder?, in room: RoomName = .main, token: @escaping (Identity?) -> String?,
        server: String, size: Size, isASCII: Bool = false, ringsBell: Bool = false,
        chance: @escaping () -> Double = { .random(in: 0...1) }
    ) {
        self.size = Subject(size)
        self.isASCII = isASCII
        self.ringsBell = ringsBell
        model = Model(bidder: bidder, server: server)
        models = Subject(model)
        connection = LiveConnection(
            of: bidder, in: room, storedToken: token, on: timeline,
            backoff: Backoff(chance: chance), effects: effects)
        effects.observe(in: bag) { [unowned self] in collect($0) }
        changes.signal.throttle(Self.framePeriod, on: timeline)
            .observe(in: bag) { [unowned self] in isFrameDue = true }
        followNews()
        followStandings()
        followRooms()
        runClocks()
        showLoads()
    }

    /// Begins to connect.
    public func begin() {
        connection.begin()
    }

    /// Advances the time, and does what is due.
    ///
    /// After a standstill, animations continue at the present instead of catching up, and timeouts
    /// start again, because answers may have arrived, but were not read.
    public func advance(to time: Duration) {
        let due = timeline.nextDeadline ?? time
        guard time - due > Self.standstill else { return timeline.advance(to: time) }
        isMoving.notify(false)
        connection.restartTimeouts(at: time)
        timeline.advance(to: time)
        isMoving.notify(true)
    }

    /// Reports that the connection was made.
    public func connected() {
        connection.connected()
    }

    /// Reports that the connection or the attempt failed.
    public func lost(_ reason: String) {
        connection.lose(.lost(reason))
    }

    /// Handles lines of the server that arrived together, without their line ends.
    ///
    /// What is shown follows once, after the last of them.
    public func receive(_ lines: String...) {
        receive(lines)
    }

    /// Handles lines of the server that arrived together, without their line ends.
    public func receive(_ lines: [String]) {
        for line in lines { connection.receive(line) }
        let unreadable = connection.requests.unreadableLines
        if unreadable > model.unreadableLines { model.countUnreadable(unreadable) }
        guard hasNews || unreadable > 0 else { return }
        hasNews = false
        models.notify(model)
        change()
    }

    /// Sets the size of the terminal.
    public func resize(to newSize: Size) {
        size.notify(newSize)
        change()
    }

    /// Takes the effects to carry out, in order.
    public func takeEffects() -> [ClientEffect] {
        defer { pendingEffects.removeAll() }
        return pendingEffects
    }

    /// Takes the frame to draw; nil if none is due.
    public func takeFrame() -> Frame? { takeDrawing()?() }

    /// Takes what draws the frame, for tests that look at few of many frames.
    package func takeDrawing() -> (() -> Frame)? {
        guard isFrameDue, let size = size.value else { return nil }
        isFrameDue = false
        return { [model, isASCII] in Frame(of: model, size: size, isASCII: isASCII) }
    }

    /// The title of the window: how the bidder stands, the price and the lot.
    public var title: String { isASCII ? model.title.asciiOnly : model.title }

    private func collect(_ effect: ClientEffect) {
        guard !isOver else { return }
        pendingEffects.append(effect)
        if case .exit = effect { isOver = true }
    }

    /// Schedules a frame; it will contain all changes up to then.
    private func change() {
        if !isFrameDue { changes.notify(()) }
    }
}

// MARK: - From signals to the model

extension LiveView {
    private func followNews() {
        connection.news.observe(in: bag) { [unowned self] news in
            let outbidCount = model.prompt.outbidCount
            model.receive(news.message, news.stamp, at: timeline.now)
            hasNews = true
            if ringsBell, model.prompt.outbidCount > outbidCount { effects.notify(.bell) }
        }
        follow(connection.gaps.signal) { model, _ in model.missNews() }
        follow(connection.laps.result) { [unowned self] model, bids in
            model.load(bids, at: timeline.now)
            model.prompt.showLoad(
                of: .laps, "\(model.laps.heading) loaded", isRefusal: false)
        }
        follow(connection.bidders.result) { model, bidders in
            model.load(bidders)
            model.prompt.showLoad(
                of: .bidders, "\(bidders.count) here", isRefusal: false)
        }
        follow(connection.standings.result) { model, standings in
            model.load(standings)
            let count = standings.isEmpty ? "nobody is" : "\(standings.count)"
            model.prompt.showLoad(
                of: .standings, "\(count) in the standings", isRefusal: false)
        }
        follow(connection.isLive.signal.removeDuplicates()) { [unowned self] in
            $0.follow(isLive: $1, at: timeline.now)
        }
        follow(connection.retryAt.signal) { [unowned self] in
            $0.awaitRetry(at: $1, now: timeline.now)
        }
    }

    /// Loads the standings when they may have changed.
    private func followStandings() {
        models.signal.map(\.wantedStandings).removeDuplicates()
            .observe(in: bag) { [unowned self] version in
                if version != nil { connection.loadStandings() }
            }
        // An error is of interest only to a user who has asked for them.
        connection.standings.lastError.observe(in: bag) { [unowned self] error in
            guard let reason = (error as? ClientError)?.reason else { return }
            model.prompt.showLoad(of: .standings, reason, isRefusal: true)
            change()
        }
    }

    private func followRooms() {
        follow(connection.rooms.result) { model, rooms in
            model.load(rooms)
            let count = rooms.count == 1 ? "1 room is" : "\(Int64(rooms.count).grouped) rooms are"
            model.prompt.showLoad(of: .rooms, "\(count) open", isRefusal: false)
        }
        follow(connection.rooms.lastError) { model, error in
            guard let reason = (error as? ClientError)?.reason else { return }
            model.prompt.showLoad(of: .rooms, reason, isRefusal: true)
        }
        follow(connection.roomLosses.signal) { $0.tell($1, isRefusal: true) }
    }

    private func runClocks() {
        let liveSince = models.signal.map(\.sale.runningSince)
            .combineLatest(whileMoving(connection.isLive.signal))
            .map { start, isLive in isLive ? start : nil }.removeDuplicates().replay(1)
        // The clocks show the present at once, also after they were stopped.
        follow(liveSince) { [unowned self] in $0.run(since: $1, at: timeline.now) }
        follow(liveSince.pulses(every: .milliseconds(100), on: timeline)) {
            [unowned self] model, _ in
            model.advance(to: timeline.now)
        }
        follow(liveSince.pulses(every: Series.tick, on: timeline)) { [unowned self] model, _ in
            model.endTick(at: timeline.now)
        }
        let awaited = models.signal.map(\.awaitedInstant).removeDuplicates()
        follow(awaited.pulses(every: .seconds(1), on: timeline)) { [unowned self] model, _ in
            model.wait(at: timeline.now)
        }
        let moments = models.signal.map(\.prompt.momentNumber).removeDuplicates()
        follow(moments.expiries(after: Self.momentTime, on: timeline)) { $0.prompt.expire($1) }
        let parts = models.signal.map(\.parts).removeDuplicates()
        let lapRows = size.signal.combineLatest(parts).map { [isPlaying = model.bidder != nil] in
            Layout(size: $0, isPlaying: isPlaying, parts: $1).lapRows
        }
        let ages = models.signal.map(\.laps).removeDuplicates()
            .throttle(.milliseconds(100), on: timeline)
            .ages(
                rows: lapRows.removeDuplicates(),
                openedAt: models.signal.map(\.sale.openedAt).removeDuplicates(), on: timeline)
        follow(ages) { $0.ages = $1 }
    }

    private func showLoads() {
        let (laps, bidders) = (connection.laps, connection.bidders)
        follow(connection.state.signal) { $0.connection = $1 }
        follow(laps.isLoading) { $0.lapsLoad.isLoading = $1 }
        follow(laps.lastError) { model, error in
            model.lapsLoad.lastError = (error as? ClientError)?.reason
            guard let reason = model.lapsLoad.lastError else { return }
            model.prompt.showLoad(of: .laps, reason, isRefusal: true)
        }
        follow(bidders.isLoading) { $0.biddersLoad.isLoading = $1 }
        follow(bidders.lastError) { model, error in
            model.biddersLoad.lastError = (error as? ClientError)?.reason
            guard let reason = model.biddersLoad.lastError else { return }
            model.prompt.showLoad(of: .bidders, reason, isRefusal: true)
        }
        let isLoading = whileMoving(models.signal.map(\.isLoading))
        follow(isLoading.spinner(on: timeline)) { $0.spinner = $1 }
    }

    private func whileMoving(_ signal: Signal<Bool>) -> Signal<Bool> {
        signal.combineLatest(isMoving.signal).map { $0 && $1 }
    }

    /// Changes the model with each value of a signal.
    private func follow<Value>(
        _ signal: Signal<Value>, _ update: @escaping (inout Model, Value) -> Void
    ) {
        signal.observe(in: bag) { [unowned self] value in
            update(&model, value)
            models.notify(model)
            change()
        }
    }
}

// MARK: - From keys to commands

extension LiveView {
    /// Handles a key.
    public func press(_ key: Key) {
        defer { change() }
        switch key {
        case .control("c"): quit()
        case .control("l"): effects.notify(.redraw)
        case .control("r"): connection.retryNow()
        case .control("z"): effects.notify(.suspend)
        case .escape:
            model.prompt.showHelp(nil)
            show(nil)
        case .pageUp: scrollLaps(byPages: -1)
        case .pageDown: scrollLaps(byPages: 1)
        case _ where model.prompt.input.text.isEmpty && pressOnEmptyLine(key): break
        case _ where model.bidder != nil: edit(key)
        default: break
        }
    }

    /// Handles a key that has another meaning while a line is typed; false if it has none.
    private func pressOnEmptyLine(_ key: Key) -> Bool {
        let isPlaying = model.bidder != nil
        switch key {
        case .control("d"): quit()
        case .character("?"): turnHelp()
        case .home: scrollLaps(by: -.max)
        case .end: scrollLaps(by: .max)
        case .up where !isPlaying: scrollLaps(by: -1)
        case .down where !isPlaying: scrollLaps(by: 1)
        case .character("q") where !isPlaying: quit()
        case .enter where !isPlaying: connection.retryNow()
        default: return false
        }
        return true
    }

    /// Shows the next page of the help, and hides it after the last one.
    private func turnHelp() {
        let pages = layout(isHelping: true).helpPages
        let page = model.prompt.helpPage.map { $0 + 1 } ?? 0
        model.prompt.showHelp(page < pages ? page : nil)
    }

    private func show(_ list: Model.AskedList?) {
        model.show(list)
        models.notify(model)
    }

    private func scrollLaps(byPages pages: Int) {
        scrollLaps(by: pages * max(1, layout(isHelping: false).lapRows - 1))
    }

    private func scrollLaps(by count: Int) {
        model.scrollLaps(by: count, rows: layout(isHelping: false).lapRows)
        models.notify(model)
    }

    private func layout(isHelping: Bool) -> Layout {
        Layout(of: model, size: size.value ?? Layout.smallest, isHelping: isHelping)
    }

    private func edit(_ key: Key) {
        guard let bidder = model.bidder else { return }
        switch model.prompt.press(key, in: model.situation, bidder: bidder) {
        case .request(let command)?: request(command)
        case .synchronise?:
            connection.synchronise { [unowned self] in
                model.prompt.show("up to date", isRefusal: false, topic: .moment)
                models.notify(model)
            }
        case .load(.laps)?: connection.loadLaps()
        case .load(.bidders)?: connection.loadBidders()
        case .load(.standings)?:
            show(.standings)
            connection.loadStandings()
        case .load(.rooms)?:
            show(.rooms)
            connection.loadRooms()
        case .retry?: connection.retryNow()
        case .quit?: quit()
        case nil: break
        }
    }

    /// Sends a command, and shows its result.
    private func request(_ command: Request.Command) {
        // While a connection enters the room of the one before, it can enter no other room.
        guard !command.changesRoom || connection.isLive.value == true else {
            return model.prompt.show("not connected", isRefusal: true, topic: .connection)
        }
        let replies = connection.requests.request(command)
        replies.observe(in: bag) { [unowned self] reply in
            model.accept(reply.answer)
            model.prompt.showSuccess(of: reply.answer, in: model.sale)
            if case .auctioneer = command { model.prompt.completeAuctioneerCommands() }
            if case .opened(let room, let key) = reply.answer { own(room, key) }
            models.notify(model)
            change()
        } onEnd: { [unowned self] error in
            guard let error = error as? ClientError else { return }
            model.prompt.show(error.reason, isRefusal: true, topic: error.topic)
            change()
        }
    }

    /// Becomes the auctioneer of a room that the user opened, and shows its key.
    private func own(_ room: RoomName, _ key: String) {
        connection.keep(key, of: room)
        model.prompt.completeAuctioneerCommands()
        model.tell("the key of your room: \(key)", isRefusal: false)
    }

    private func quit() {
        if !model.isConnected {
            let reason = model.connection.lastError ?? "not connected to \(model.server)"
            effects.notify(.complain(reason))
        }
        effects.notify(.exit(model.isConnected ? .done : .lost))
    }
}

extension Request.Command {
    /// Whether it moves the connection to another room.
    fileprivate var changesRoom: Bool {
        switch self {
        case .join, .open: true
        default: false
        }
    }
}

extension Model {
    /// The version of the standings to load; nil if nobody wants to see them.
    ///
    /// Private lines show a bidder whether the sale is a game; an observer needs the standings.
    fileprivate var wantedStandings: Int? {
        let isUnknown = bidder == nil && standings.isEmpty
        return isGame || isUnknown || sale.lotsDone != nil ? standingsVersion : nil
    }

    /// What the prompt must know of the lot.
    fileprivate var situation: CommandPrompt.Situation {
        let isFalling = sale.format == .dutch
        return CommandPrompt.Situation(
            offer: offer.map { isFalling ? "\(Request.Command.take)" : "\($0.amount)" },
            isFalling: isFalling, worth: own.worth, ask: sale.ask, buyPrice: sale.buyPrice)
    }
}
