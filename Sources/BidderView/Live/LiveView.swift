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

    /// The time of the view, driven by `advance`.
    public let timeline: Timeline
    /// The content of the view.
    public private(set) var model: Model

    private let connection: LiveConnection
    private let effects = Subject<ClientEffect>(remembering: 0)
    private let changes = Subject<Void>(remembering: 0)
    private let size: Subject<Size>
    private let sale = Subject(SaleState())
    private let laps = Subject(Laps())
    /// False while `advance` catches up after a standstill.
    private let isMoving = Subject(true)
    private let bag = SubscriptionBag()
    private var pendingEffects: [ClientEffect] = []
    private var isOver = false
    private var isFrameDue = true
    private let isASCII: Bool

    /// Makes the view of a bidder, or of a spectator, on a terminal of this size.
    ///
    /// `token` returns the stored token of the name; `server` is the address to show. With
    /// `isASCII` the frames contain only ASCII characters. `chance` returns uniform random numbers
    /// from 0 to 1.
    public init(
        of bidder: Bidder?, token: @escaping (GameID?) -> String?, server: String, size: Size,
        on timeline: Timeline = Timeline(),
        isASCII: Bool = false, chance: @escaping () -> Double = { .random(in: 0...1) }
    ) {
        self.timeline = timeline
        self.size = Subject(size)
        self.isASCII = isASCII
        model = Model(bidder: bidder, server: server)
        connection = LiveConnection(
            of: bidder, storedToken: token, on: timeline, backoff: Backoff(chance: chance),
            effects: effects)
        effects.observe(in: bag) { [unowned self] in collect($0) }
        changes.signal.throttle(Self.framePeriod, on: timeline)
            .observe(in: bag) { [unowned self] in isFrameDue = true }
        followNews()
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
    /// start again, because answers may have arrived unread.
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

    /// Handles a line of the server, without its line end.
    public func receive(_ line: String) {
        connection.receive(line)
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
    public func takeFrame() -> Frame? {
        guard isFrameDue, let size = size.value else { return nil }
        isFrameDue = false
        return Frame(of: model, size: size, isASCII: isASCII)
    }

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
        connection.news.observe(in: bag) { [unowned self] message in
            model.receive(message, at: timeline.now)
            publish()
        }
        connection.laps.result.observe(in: bag) { [unowned self] bids in
            model.load(bids, at: timeline.now)
            publish()
        }
        connection.bidders.result.observe(in: bag) { [unowned self] bidders in
            model.load(bidders)
            change()
        }
        connection.isLive.signal.removeDuplicates().filter { $0 }.observe(in: bag) {
            [unowned self] _ in
            model.prompt.reconnected()
        }
    }

    /// Sends what the clocks depend on.
    private func publish() {
        sale.notify(model.sale)
        laps.notify(model.laps)
        change()
    }

    private func runClocks() {
        let liveSince = sale.signal.combineLatest(whileMoving(connection.isLive.signal))
            .map { sale, isLive in isLive ? sale.runningSince : nil }.removeDuplicates().replay(1)
        // The clocks show the present at once, also after they were stopped.
        liveSince.observe(in: bag) { [unowned self] start in
            model.run(since: start, at: timeline.now)
            change()
        }
        liveSince.pulses(every: .milliseconds(100), on: timeline).observe(in: bag) {
            [unowned self] in
            model.advance(to: timeline.now)
            change()
        }
        liveSince.pulses(every: Series.tick, on: timeline).observe(in: bag) { [unowned self] in
            model.endTick(at: timeline.now)
            change()
        }
        let lapRows = size.signal.map { [isPlaying = model.bidder != nil] in
            Layout(size: $0, isPlaying: isPlaying).lapRows
        }
        let ages = laps.signal.removeDuplicates().throttle(.milliseconds(100), on: timeline)
            .ages(
                rows: lapRows.removeDuplicates(),
                openedAt: sale.signal.map(\.openedAt).removeDuplicates(), on: timeline)
        show(ages, as: \.ages)
    }

    private func showLoads() {
        let (server, laps, bidders) = (connection.server, connection.laps, connection.bidders)
        showState(of: server, as: \.connection)
        showState(of: laps, as: \.lapsLoad)
        showState(of: bidders, as: \.biddersLoad)
        let loading = [server.isLoading, laps.isLoading, bidders.isLoading].map(whileMoving)
        show(Signal.spinner(while: loading, on: timeline), as: \.spinner)
    }

    private func whileMoving(_ signal: Signal<Bool>) -> Signal<Bool> {
        signal.combineLatest(isMoving.signal).map { $0 && $1 }
    }

    private func show<Value>(_ signal: Signal<Value>, as path: WritableKeyPath<Model, Value>) {
        signal.observe(in: bag) { [unowned self] value in
            model[keyPath: path] = value
            change()
        }
    }

    private func showState<Value>(
        of resource: Resource<Value>, as path: WritableKeyPath<Model, LoadState>
    ) {
        show(resource.isLoading, as: path.appending(path: \.isLoading))
        show(resource.lastError.map(Self.reason), as: path.appending(path: \.lastError))
    }

    private static func reason(_ error: (any Error)?) -> String? {
        (error as? ClientError)?.reason
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
        case .control("z"): effects.notify(.suspend)
        case _ where model.prompt.isHelpShown: model.prompt.showHelp(false)
        case .control("d") where model.prompt.input.text.isEmpty: quit()
        case _ where model.bidder != nil:
            if let command = model.prompt.press(key, offer: model.sale.leastBid) {
                carryOut(command)
            }
        case .character("?"): model.prompt.showHelp(true)
        case .character("q"): quit()
        default: break
        }
    }

    private func carryOut(_ command: Request.Command) {
        switch command {
        case .bid(let price): request(command, success: "you bid \(price.grouped)", topic: .bid)
        case .ping: request(command, success: "the server is there")
        case .status: connection.synchronise()
        case .laps: connection.loadLaps()
        case .who: connection.loadBidders()
        case .help: model.prompt.showHelp(true)
        case .quit: quit()
        case .name: refuse("you are \(model.bidder?.description ?? "nobody") here")
        case .auctioneer:
            request(command, success: "you are the auctioneer") { [unowned self] in
                model.prompt.completeAuctioneerCommands()
            }
        case .rule(let ruling): request(command, success: "\(ruling.verb.rawValue): done")
        case .results: refuse("the view has no such list, use auction-client send results")
        case .resume: refuse("the view shows all news already")
        case .format: refuse("the view needs its own format, use --plain for lines")
        }
    }

    /// Sends a command, and shows its result.
    private func request(
        _ command: Request.Command, success: String, topic: CommandPrompt.Topic = .other,
        then action: @escaping () -> Void = {}
    ) {
        model.prompt.show("...", isRefusal: false)
        connection.request(command).observe(in: bag) { [unowned self] _ in
            model.prompt.show(success, isRefusal: false, topic: topic)
            action()
            change()
        } onEnd: { [unowned self] error in
            guard let reason = Self.reason(error) else { return }
            model.prompt.show(reason, isRefusal: true, topic: topic)
            change()
        }
    }

    private func refuse(_ reason: String) {
        model.prompt.show(reason, isRefusal: true)
    }

    private func quit() {
        if !model.isConnected {
            let reason = model.connection.lastError ?? "not connected to \(model.server)"
            effects.notify(.complain(reason))
        }
        effects.notify(.exit(model.isConnected ? .done : .lost))
    }
}
