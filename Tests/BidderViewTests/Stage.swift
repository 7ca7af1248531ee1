import AuctionRules
import BidderView
import Drawing
import MarbleSupport
import Reactive
import Testing
import Typing
import Wire

/// A live view with a server that is played by the test, and time by hand.
///
/// The server answers at once, and truthfully from what it is given here, unless it is told to wait.
final class Stage {
    let view: LiveView
    /// The lot as a newcomer hears of it, and what holds beside it.
    var snapshot: [ServerMessage] = []
    var bids: [Bid] = []
    var bidders: [Bidder] = []
    /// When the lot opened, by the clock of the view.
    var openedAt = Duration.zero
    /// Commands that wait for their answers, for as long as this is true of them.
    var isHeld: (Request.Command) -> Bool = { _ in false }
    private(set) var held: [Request] = []
    private(set) var said: [String] = []
    /// What was wished for and is no line to the server, in order.
    private(set) var effects: [ClientEffect] = []
    /// What was said to the server, without the tags.
    var commands: [String] {
        said.compactMap { try? Request(line: $0)?.command.description }
    }

    private var format = Format.text

    init(
        of name: String? = "alice", columns: Int = 80, rows: Int = 24,
        token: @escaping (GameID?) -> String? = { _ in nil }
    ) {
        view = LiveView(
            of: name.flatMap { Bidder($0) }, token: token, server: "127.0.0.1 port 7777",
            size: Size(columns: columns, rows: rows), chance: { 0.5 })
        view.begin()
        attend()
    }

    var now: Duration { view.timeline.now }

    /// Lets the connection that was wished for come about, and the server greet.
    func connect(seconds: Int = 7, step: Int64 = 1, game: String = "k3v9") {
        format = .text
        view.connected()
        hear(.hello(seconds: seconds, step: price(step), game: GameID(game)))
        attend()
    }

    /// Breaks the connection, or fails the attempt to make it.
    func lose(_ reason: String = "the server closed the connection") {
        view.lost(reason)
        attend()
    }

    /// The server tells everybody.
    func tell(_ messages: ServerMessage...) {
        for message in messages { hear(message) }
        attend()
    }

    /// A bid is accepted and told.
    func bid(_ amount: Int64, by name: String, at elapsed: Duration, seconds: Int = 7) {
        let bid = Bid(
            number: bids.count + 1, price: price(amount), bidder: bidder(name), elapsed: elapsed)
        bids.append(bid)
        tell(.price(bid, lot: nil, remaining: .seconds(seconds)))
        tell(.countdown(seconds, remaining: .seconds(seconds)))
    }

    /// The last bid is taken back, and the one before leads again, if there is one.
    func void(restating seconds: Int) {
        let last = bids.removeLast()
        tell(.voided(last.price, by: last.bidder, number: last.number, lot: 1))
        guard let leading = bids.last else { return }
        tell(.price(leading, lot: 1, remaining: .seconds(seconds)))
        tell(.countdown(seconds, remaining: .seconds(seconds)))
    }

    /// Lets time pass as a loop would, from deadline to deadline, and returns how often it woke.
    @discardableResult
    func pass(_ duration: Duration) -> Int {
        let end = now + duration
        var wakes = 0
        while let deadline = view.timeline.nextDeadline, deadline <= end {
            view.timeline.advance(to: deadline)
            wakes += 1
            attend()
        }
        view.timeline.advance(to: end)
        return wakes
    }

    /// Presses keys: letters as they are.
    func type(_ text: String) {
        for character in text { view.press(.character(character)) }
        attend()
    }

    func press(_ keys: Key...) {
        for key in keys { view.press(key) }
        attend()
    }

    /// Types a line and ends it.
    func enter(_ line: String) {
        type(line)
        press(.enter)
    }

    /// Lets the server answer what it was told to hold, or some of it, and hold nothing more.
    func release(_ isReleased: (Request.Command) -> Bool = { _ in true }) {
        isHeld = { _ in false }
        let requests = held.filter { isReleased($0.command) }
        held.removeAll { isReleased($0.command) }
        for request in requests { answer(request) }
        attend()
    }

    /// The server refuses what it held.
    func refuse(_ fault: ErrorReply) {
        let requests = held
        held = []
        for request in requests { hear(.error(fault, tag: request.tag)) }
        attend()
    }

    /// What is on the screen now, a frame being due or not.
    var screen: [String] {
        pass(.milliseconds(50))
        return frame.lines
    }

    /// The frame as it would be drawn now.
    private(set) var frame = Frame(Size(columns: 0, rows: 0))
    /// How many frames were drawn.
    private(set) var frames = 0

    private func attend() {
        var wished = view.takeEffects()
        while !wished.isEmpty {
            for wish in wished { carryOut(wish) }
            wished = view.takeEffects()
        }
        if let next = view.takeFrame() {
            frame = next
            frames += 1
        }
    }

    private func carryOut(_ wish: ClientEffect) {
        guard case .send(let line) = wish else { return effects.append(wish) }
        said.append(line)
        guard let request = try? Request(line: line) else { return }
        if isHeld(request.command) { held.append(request) } else { answer(request) }
    }

    private func answer(_ request: Request) {
        switch request.command {
        case .format(let chosen):
            hear(.ok(.format(chosen), tag: request.tag))
            format = chosen
        case .name(let bidder, let token):
            hear(.ok(.name(bidder, token: token ?? "t0ken"), tag: request.tag))
        case .status:
            for message in snapshot { hear(message) }
            hear(.ok(.status, tag: request.tag))
        case .laps(let range):
            let listed = range.map { bids.dropFirst($0.first - 1).prefix($0.count) }
            for bid in listed ?? bids.suffix(20) { hear(.lap(bid)) }
            hear(.ok(.laps(bids.count), tag: request.tag))
        case .who:
            for bidder in bidders { hear(.who(bidder)) }
            hear(.ok(.who(bidders.count), tag: request.tag))
        case .bid(let price): hear(.ok(.bid(price), tag: request.tag))
        case .ping: hear(.ok(.ping, tag: request.tag))
        case .auctioneer: hear(.ok(.auctioneer, tag: request.tag))
        case .rule(let ruling): hear(.ok(.ruled(ruling.verb), tag: request.tag))
        case .quit: hear(.ok(.quit, tag: request.tag))
        case .help: break
        }
    }

    private func hear(_ message: ServerMessage) {
        var bytes: [UInt8] = []
        switch format {
        case .text: message.appendText(to: &bytes)
        case .json: message.appendJSON(to: &bytes, seq: nil, millisecondsSince1970: 0)
        }
        view.receive(String(decoding: bytes.dropLast(), as: UTF8.self))
    }
}

func bidder(_ name: String) -> Bidder {
    guard let bidder = Bidder(name) else { preconditionFailure("\(name) is no name") }
    return bidder
}

func price(_ amount: Int64) -> Price {
    guard let price = Price(amount) else { preconditionFailure("\(amount) is no price") }
    return price
}

extension Stage {
    static let title = "Walnut bureau, about 1760"

    /// Alice, or somebody who watches, in a sale whose lot has just opened.
    static func opened(
        _ size: Size, by name: String? = "alice", title: String = title,
        others: [String] = ["bob", "carol"], elapsed: Duration = .zero
    ) -> Stage {
        let stage = Stage(of: name, columns: size.columns, rows: size.rows)
        stage.snapshot = [
            .lot(Lot(number: 1, title: title), start: price(100), elapsed: elapsed)
        ]
        stage.bidders = (name.map { [$0] } ?? []).map(bidder) + others.map(bidder)
        stage.connect(step: 10)
        return stage
    }

    /// Time passes, the server counts it down, and then somebody bids.
    @discardableResult
    func later(_ seconds: Double, _ name: String, _ amount: Int64) -> Stage {
        pass(.seconds(seconds))
        bid(amount, by: name, at: now - openedAt)
        return self
    }

    /// Time passes while the server counts down.
    @discardableResult
    func count(to last: Int) -> Stage {
        for seconds in stride(from: 6, through: last, by: -1) {
            pass(.seconds(1))
            tell(.countdown(seconds, remaining: .seconds(seconds)))
            if seconds == 4 { tell(.going(.once)) }
            if seconds == 2 { tell(.going(.twice)) }
        }
        return self
    }

    /// Twelve laps in a minute and a half, with people who come and go.
    static func busy(_ size: Size, by name: String? = "alice") -> Stage {
        let stage = opened(size, by: name)
        stage.later(34.2, "bob", 100).later(3.1, "alice", 120).later(6.4, "carol", 150)
        stage.tell(.joined(bidder("dora-the-collector")))
        stage.later(5.9, "dora-the-collector", 200).later(0.4, "bob", 210)
        stage.later(0.3, "carol", 260).later(6.9, "alice", 300).later(6.8, "bob", 320)
        stage.tell(.joined(bidder("eve")), .left(bidder("carol")))
        stage.later(6.6, "eve", 400).later(2.2, "dora-the-collector", 410)
        stage.later(6.1, "alice", 800).later(6.7, "bob", 1_050)
        stage.pass(.seconds(2.4))
        return stage
    }

    /// A lot that has been open for an hour, with a bid in most minutes.
    static func long(_ size: Size) -> Stage {
        let stage = Stage(columns: size.columns, rows: size.rows)
        stage.bids = (0..<58).map { index in
            Bid(
                number: index + 1, price: price(100 + Int64(index * index) * 10),
                bidder: bidder(["bob", "alice", "carol"][index % 3]),
                elapsed: .seconds(37) + .seconds(61) * index)
        }
        stage.snapshot =
            [.lot(Lot(number: 1, title: title), start: nil, elapsed: .seconds(3_600))]
            + (stage.bids.last.map {
                [.price($0, lot: 1, remaining: .seconds(40))]
            } ?? [])
        stage.bidders = ["alice", "bob", "carol"].map(bidder)
        stage.connect(seconds: 120, step: 10)
        stage.pass(.seconds(2))
        return stage
    }
}

/// A bid in few words.
func lap(_ number: Int, _ amount: Int64, _ name: String, at elapsed: Duration = .zero) -> Bid {
    Bid(number: number, price: price(amount), bidder: bidder(name), elapsed: elapsed)
}

extension Marbles {
    /// Plays the signal against the expected lines; after that nothing may be left of it.
    ///
    /// It stands here and not in MarbleSupport, which every build compiles, also one that has no
    /// module Testing.
    func expect(
        _ signal: Signal<Character>, until end: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(differences(signal, until: end) == [], sourceLocation: sourceLocation)
    }
}
