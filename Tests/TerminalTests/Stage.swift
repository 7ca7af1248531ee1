import Auction
import Bidder
import BidderSupport
import MarbleSupport
import Reactive
import Terminal
import Testing
import Wire

/// A live view with a server and a clock that the test controls.
///
/// The server answers at once from the properties of the stage, unless it holds the command.
final class Stage {
    /// What the server has in one room.
    struct Room {
        var snapshot: [ServerMessage] = []
        /// The sale; nil before it is made of the snapshot.
        fileprivate var sale: StageSale?
        var bids: [Bid] = []
        var bidders: [Bidder] = []
        var standings: [StandingsRow] = []
        var secrets: [SaleEvent] = []
        fileprivate var history: [(message: ServerMessage, time: Duration)] = []

        init(
            snapshot: [ServerMessage] = [], bids: [Bid] = [], bidders: [Bidder] = [],
            standings: [StandingsRow] = [], secrets: [SaleEvent] = []
        ) {
            (self.snapshot, self.bids, self.bidders) = (snapshot, bids, bidders)
            (self.standings, self.secrets) = (standings, secrets)
        }
    }

    let view: LiveView
    /// The rooms of the server, except for the one of the connection.
    var otherRooms: [RoomName: Room] = [:]
    /// The room of the connection, and of the properties below.
    private(set) var room = RoomName.main
    /// The results of the lots that have ended.
    var results: [ServerMessage] = []
    /// The rows of the list of rooms.
    var rooms: [RoomRow] = []
    /// What has happened in the sale of the server, instead of what has happened there before.
    var snapshot: [ServerMessage] = [] {
        didSet { madeSale = nil }
    }
    var bids: [Bid] = []
    var bidders: [Bidder] = []
    var standings: [StandingsRow] = []
    /// What has happened in the sale that not everybody knows, beside the snapshot.
    var secrets: [SaleEvent] = [] {
        didSet { madeSale = nil }
    }
    /// When the lot opened, by the clock of the view.
    var openedAt = Duration.zero
    /// Whether the server holds the answer to a command.
    var isHeld: (Request.Command) -> Bool = { _ in false }
    private(set) var held: [Request] = []
    private(set) var sentLines: [String] = []
    /// The effects except for lines to the server, in order.
    private(set) var effects: [ClientEffect] = []
    /// The commands sent to the server, without tags and the lot that an offer is for.
    var commands: [String] {
        sentLines.compactMap { line in
            guard let command = (try? Request(line: line))?.command else { return nil }
            return if case .offer(let offer, _) = command { "\(offer)" } else { "\(command)" }
        }
    }

    /// Whether the server sends each second of a countdown, as it promises.
    var isCounting = true
    /// Whether the server still has the news that was missed.
    var keepsNews = false
    /// The news of the server, of which the number of the first is 1.
    private var history: [(message: ServerMessage, time: Duration)] = []
    private var format = Format.text
    private var isNamed = false
    private var isConnected = false
    private var toldOwn: OwnState?
    private var madeSale: StageSale?
    private var rules = (seconds: 7, step: price(1), serverID: Identity("k3v9"))
    /// The identity of the sale in a room other than the main one.
    var sale = Identity("x7p2mb")

    init(
        of name: String? = "alice", in room: RoomName = .main, columns: Int = 80, rows: Int = 24,
        ringsBell: Bool = false,
        token: @escaping (Identity?) -> String? = { _ in nil }
    ) {
        view = LiveView(
            of: name.flatMap { Bidder($0) }, in: room, token: token,
            at: .network(host: "127.0.0.1", port: 7777), size: Size(columns: columns, rows: rows),
            ringsBell: ringsBell, chance: { 0.5 })
        view.begin()
        attend()
    }

    var now: Duration { view.timeline.now }
    var model: Model { view.model }
    /// The feedback beside the command line.
    var feedback: CommandPrompt.Feedback? { model.prompt.feedback }
    /// The command line.
    var line: String { model.prompt.input.text }

    /// The sale of the room, which is made of the snapshot when it is needed.
    var server: StageSale {
        makeSale()
        return madeSale ?? StageSale()
    }

    private func makeSale() {
        guard madeSale == nil else { return }
        var made = StageSale(seconds: rules.seconds, step: rules.step, snapshot, at: now)
        for secret in secrets { _ = made.apply(.event(secret), at: now) }
        madeSale = made
    }

    /// Makes the connection, which begins in the main room, and sends the greeting.
    func connect(seconds: Int = 7, step: Int64 = 1, serverID: String = "k3v9") {
        (format, isNamed, isConnected) = (.text, false, true)
        rules = (seconds, price(step), Identity(serverID))
        if room != .main { move(to: .main) }
        view.receive([.connected])
        greet()
        attend()
    }

    private func greet() {
        deliver(
            .hello(
                seconds: rules.seconds, step: rules.step, serverID: rules.serverID, room: room,
                sale: room == .main ? nil : sale))
    }

    /// Moves the connection to a room, which has nothing yet if it is new.
    private func move(to next: RoomName) {
        var left = Room(
            snapshot: snapshot, bids: bids, bidders: bidders, standings: standings,
            secrets: secrets)
        (left.sale, left.history) = (madeSale, history)
        otherRooms[room] = left
        let content = otherRooms.removeValue(forKey: next) ?? Room()
        (snapshot, bids, bidders) = (content.snapshot, content.bids, content.bidders)
        (standings, secrets, history) = (content.standings, content.secrets, content.history)
        madeSale = content.sale
        room = next
    }

    /// Greets the connection in another room, and sends the snapshot.
    private func enter(_ next: RoomName) {
        move(to: next)
        greet()
        deliverSnapshot()
    }

    /// Ends the connection, or the attempt.
    func lose(_ reason: String = "the server closed the connection") {
        isConnected = false
        view.receive([.unreachable(.unresolved(host: "there", reason: reason))])
        attend()
    }

    /// Sends messages of the server.
    func send(_ messages: ServerMessage...) {
        for (index, message) in messages.enumerated() {
            deliver(message, before: messages.dropFirst(index + 1).first)
        }
        attend()
    }

    /// Accepts a bid.
    func bid(_ amount: Int64, by name: String, at elapsed: Duration) {
        let bid = Bid(
            number: bids.count + 1, price: price(amount), bidder: bidder(name), elapsed: elapsed)
        bids.append(bid)
        send(.event(.bidPlaced(bid)))
        if let seconds = server.secondsLeft(at: now) { send(.event(.secondsLeft(seconds))) }
    }

    /// Voids the last bid, and repeats the price of the one before.
    func void() {
        let last = bids.removeLast()
        send(.event(.bidVoided(VoidedBid(last, leading: bids.last))))
        guard let leading = bids.last else { return }
        send(.event(.bidPlaced(leading)))
        if let seconds = server.secondsLeft(at: now) { send(.event(.secondsLeft(seconds))) }
    }

    /// Advances the time from deadline to deadline, and returns the number of wake-ups.
    @discardableResult
    func pass(_ duration: Duration) -> Int {
        let end = now + duration
        var wakes = 0
        while let deadline = [view.timeline.nextDeadline, nextSecond].compactMap({ $0 }).min(),
            deadline <= end
        {
            let seconds =
                deadline == nextSecond ? server.secondsLeft(at: now).map { $0 - 1 } : nil
            if view.timeline.nextDeadline == deadline { wakes += 1 }
            view.timeline.advance(to: deadline)
            if let seconds {
                deliver(.event(.secondsLeft(seconds)))
            }
            attend()
        }
        view.timeline.advance(to: end)
        return wakes
    }

    /// When the server sends the next second of its countdown.
    private var nextSecond: Duration? {
        isCounting && isConnected ? server.nextSecond(at: now) : nil
    }

    /// Presses the keys of a text.
    func type(_ text: String) {
        for character in text { view.press(.character(character)) }
        attend()
    }

    func press(_ keys: Key...) {
        for key in keys { view.press(key) }
        attend()
    }

    /// Types a line and Enter.
    func enter(_ line: String) {
        type(line)
        press(.enter)
    }

    /// Answers held commands, all or some, and holds no further ones.
    func release(_ isReleased: (Request.Command) -> Bool = { _ in true }) {
        isHeld = { _ in false }
        let requests = held.filter { isReleased($0.command) }
        held.removeAll { isReleased($0.command) }
        for request in requests { answer(request) }
        attend()
    }

    /// Refuses the held commands.
    func refuse(_ error: ErrorReply) {
        let requests = held
        held = []
        for request in requests { deliver(.error(error, tag: request.tag)) }
        attend()
    }

    /// The lines on the screen after a due frame was drawn.
    var screen: [String] {
        pass(.milliseconds(50))
        return frame.lines
    }

    /// The last due frame, which is drawn when a test looks at it.
    var frame: Frame { drawing() }
    private var drawing = { Frame(Size(columns: 0, rows: 0)) }
    /// The number of due frames.
    private(set) var frames = 0

    private func attend() {
        var due = view.takeEffects()
        while !due.isEmpty {
            for effect in due { carryOut(effect) }
            due = view.takeEffects()
        }
        if let next = view.takeDrawing() {
            drawing = next
            frames += 1
        }
    }

    private func carryOut(_ effect: ClientEffect) {
        guard case .send(let line) = effect else { return effects.append(effect) }
        sentLines.append(line)
        guard let request = try? Request(line: line) else { return }
        if isHeld(request.command) { held.append(request) } else { answer(request) }
    }

    private func answer(_ request: Request) {
        switch request.command {
        case .format(let chosen):
            deliver(.ok(.format(chosen), tag: request.tag))
            format = chosen
        case .name(let bidder, let token):
            deliver(.ok(.name(bidder, token: token ?? "t0ken"), tag: request.tag))
            isNamed = true
            tellOwn(all: true)
        case .status:
            deliverSnapshot()
            tellOwn(all: true)
            deliver(.ok(.status, tag: request.tag))
        case .resume(let number):
            guard keepsNews, number <= history.count else {
                return deliver(.error(.gone, tag: request.tag))
            }
            for (missed, event) in history.enumerated().dropFirst(number) {
                deliver(event.message, number: missed + 1, at: event.time)
            }
            deliver(.ok(.resumed(history.count - number), tag: request.tag))
            deliver(server.stateMessage(at: now), number: history.count, isSnapshot: true)
        case .laps(let range):
            let listed = range.map { bids.dropFirst($0.first - 1).prefix($0.count) }
            for bid in listed ?? bids.suffix(20) { deliver(.lap(bid)) }
            deliver(.ok(.laps(bids.count), tag: request.tag))
        case .who:
            for bidder in bidders { deliver(.who(bidder)) }
            deliver(.ok(.who(bidders.count), tag: request.tag))
        case .standings:
            for row in standings { deliver(.standing(row)) }
            deliver(.ok(.standings(standings.count), tag: request.tag))
        case .results:
            for result in results { deliver(result) }
            deliver(.ok(.results(results.count), tag: request.tag))
        case .rooms:
            for row in rooms { deliver(.room(row)) }
            deliver(.ok(.rooms(rooms.count), tag: request.tag))
        case .join(let next):
            guard otherRooms[next] != nil else {
                return deliver(.error(.noRoom, tag: request.tag))
            }
            enter(next)
            deliver(.ok(.joined(next), tag: request.tag))
            tellOwn(all: true)
        case .open(let next, _):
            enter(next)
            deliver(.ok(.opened(next, key: "5ab3c1f0e8d24b7795d3a6c41e0f8b62"), tag: request.tag))
        case .offer(.bid(let price), _):
            if let bidder = view.model.bidder, server.sale.auction.rules.format.isSealed {
                let bid = SealedBid(bidder: bidder, price: price, elapsed: .zero)
                deliver(.event(.bidSealed(bid)))
            }
            deliver(.ok(.bid(price), tag: request.tag))
        case .offer(.maximum(let price), _):
            if let bidder = view.model.bidder { deliver(.event(.maximumSet(bidder, price))) }
            deliver(.ok(.maximum(price), tag: request.tag))
        case .offer(.take, _):
            guard let ask = server.state(at: now).price else { break }
            deliver(.ok(.take(ask), tag: request.tag))
        case .offer(.buy, _):
            guard let price = server.state(at: now).buy else { break }
            deliver(.ok(.buy(price), tag: request.tag))
        case .say: deliver(.ok(.said, tag: request.tag))
        case .display(let text): deliver(.ok(.displayed(text), tag: request.tag))
        case .react(let reaction): deliver(.ok(.reacted(reaction), tag: request.tag))
        case .ping: deliver(.ok(.ping, tag: request.tag))
        case .auctioneer: deliver(.ok(.auctioneer, tag: request.tag))
        case .rule(let ruling): deliver(.ok(.ruled(ruling.verb), tag: request.tag))
        case .quit:
            deliver(.ok(.quit, tag: request.tag))
        default: break
        }
    }

    /// Adds news that the view misses, because it is not connected.
    ///
    /// The server says that it is of this time.
    func miss(_ messages: ServerMessage..., at time: Duration = .zero) {
        for message in messages {
            makeSale()
            _ = madeSale?.apply(message, at: now)
            history.append((message, time))
        }
    }

    private func deliverSnapshot() {
        for message in server.snapshot(at: now) {
            deliver(message, number: history.count, isSnapshot: true)
        }
    }

    private func deliver(_ message: ServerMessage, before next: ServerMessage? = nil) {
        guard message.event != nil else { return deliver(message, number: nil) }
        makeSale()
        let sent = madeSale?.apply(message, before: next, at: now) ?? message
        if message.event?.audience == .everyone {
            history.append((message, now))
            deliver(sent, number: history.count)
        }
        tellOwn()
    }

    /// Tells the bidder what only the bidder may know, if it has changed.
    private func tellOwn(all: Bool = false) {
        guard isNamed, let bidder = view.model.bidder else { return }
        let own = server.sale.ownState(of: bidder)
        if all || own != toldOwn {
            deliver(.you(own.json(after: all ? nil : toldOwn)), number: nil)
        }
        toldOwn = own
    }

    /// Delivers a line with a number, at the time of the view.
    private func deliver(_ message: ServerMessage, number: Int?, isSnapshot: Bool = false) {
        deliver(message, number: number, isSnapshot: isSnapshot, at: now)
    }

    /// Delivers a line that the server sent at a time.
    func deliver(
        _ message: ServerMessage, number: Int?, isSnapshot: Bool = false, at time: Duration
    ) {
        var bytes: [UInt8] = []
        switch format {
        case .text:
            if case .state = message { return }
            message.appendText(to: &bytes)
        case .json:
            message.appendJSON(
                to: &bytes, seq: number, isSnapshot: isSnapshot,
                millisecondsSince1970: 1_000_000 + Int64(time / .milliseconds(1)))
        }
        view.receive([.line(String(decoding: bytes.dropLast(), as: UTF8.self))])
    }
}
