import Auction
import Basics
import Bidder
import BidderSupport
import Strategies
import Testing
import Wire

/// A bot, the lines that it has sent, and a clock that only the test moves.
struct BotTable {
    /// The greeting of the server.
    static let hello = "HELLO auction/1 seconds=7 step=5 game=k3v9 (type help)"

    var bot: Bot
    var now = Instant(nanoseconds: 0)
    private(set) var sent: [String] = []
    private(set) var effects: [ClientEffect] = []
    private var server = StageSale(seconds: 7, step: Price(5) ?? .lowest)
    private var seq = 0
    /// The tags of the requests without an answer.
    private var unanswered: [String] = []

    /// Makes a quiet bot, unless `change` lets it speak.
    init(
        _ kind: StrategyKind, in room: RoomName = .main, delay: Duration = .zero,
        prior: ClosedRange<Int64> = 50...150, change: (inout Bot.Settings) -> Void = { _ in }
    ) {
        let names = (1...2).map { bidder("\(kind.rawValue)-\($0)") }
        var settings = Bot.Settings(kind, names: names, prior: prior, seed: 1)
        (settings.delay, settings.room, settings.isQuiet) = (delay, room, true)
        change(&settings)
        bot = Bot(settings)
        collect(bot.begin())
    }

    /// Gives the bot lines, and wakes it when it wants to be woken at this time.
    mutating func receive(_ lines: String...) { receive(lines) }

    private mutating func receive(_ lines: [String]) {
        for line in lines { collect(bot.receive(.line(tagged(line)), at: now)) }
        wake()
    }

    /// The line with the tag of the oldest request, if it is an answer.
    private mutating func tagged(_ line: String) -> String {
        let isJSON = ["ok", "error"].contains { line.hasPrefix("{\"type\":\"\($0)\"") }
        guard isJSON || line.hasPrefix("OK "), !unanswered.isEmpty else { return line }
        let tag = unanswered.removeFirst()
        return isJSON ? line.dropLast() + #","tag":"\#(tag)"}"# : "OK #\(tag)" + line.dropFirst(2)
    }

    /// Lets time pass, with the countdown of the server.
    mutating func wait(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while let next = server.nextSecond(at: time), time < next,
            let left = server.secondsLeft(at: time), origin.advanced(by: next) <= end
        {
            now = origin.advanced(by: next)
            news(.secondsLeft(left - 1))
        }
        now = end
        wake()
    }

    mutating func connect() {
        unanswered = []
        collect(bot.receive(.connected, at: now))
    }

    mutating func lose() {
        collect(bot.receive(.lost, at: now))
    }

    mutating func finish() {
        collect(bot.finish(at: now))
    }

    /// Takes the lines that were sent since the last time, without the lot that a move is for.
    mutating func takeSent() -> [String] {
        defer { sent = [] }
        return sent.map {
            String($0.prefix(upTo: $0.firstRange(of: " lot=")?.lowerBound ?? $0.endIndex))
        }
    }

    /// Wakes the bot until it wants to sleep; a bot that never does spins.
    private mutating func wake() {
        for _ in 0..<10 {
            guard let deadline = bot.deadline, deadline <= now else { return }
            collect(bot.wake(at: now))
        }
        Issue.record("the bot does not sleep")
    }

    private mutating func collect(_ more: [ClientEffect]) {
        for effect in more {
            guard case .send(let line) = effect, let request = try? Request(line: line) else {
                effects.append(effect)
                continue
            }
            unanswered += request.tag.map { [$0] } ?? []
            sent.append(request.command.description)
            effects.append(.send(request.command.description))
        }
    }

    /// The time of the sale.
    private var time: Duration { origin.duration(to: now) }
    private let origin = Instant(nanoseconds: 0)

    /// Sends news of the sale, with what it changes, and what changes for the bot alone.
    mutating func news(_ events: SaleEvent..., own: String = "{}") {
        let lines = events.indices.map { index in
            seq += 1
            let next = events.dropFirst(index + 1).first.map { ServerMessage.event($0) }
            return line(of: server.apply(.event(events[index]), before: next, at: time))
        }
        receive(lines + [#"{"type":"you","content":"","you":\#(own)}"#])
    }

    private func line(of message: ServerMessage, isSnapshot: Bool = false) -> String {
        var bytes: [UInt8] = []
        message.appendJSON(to: &bytes, seq: seq, isSnapshot: isSnapshot, millisecondsSince1970: nil)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// Sends the snapshot, as the answer to `status`.
    mutating func snapshot() {
        for message in server.snapshot(at: time) { receive(line(of: message, isSnapshot: true)) }
        receive(#"{"type":"ok","content":"status"}"#)
    }

    /// Brings the bot to its name, with a lot that is worth 100 to it.
    mutating func sitDown(_ terms: Terms? = nil, worth: Int? = 100, game: PublicGame? = nil) {
        connect()
        receive(Self.hello, "OK format json")
        let plain = Terms(format: .english, seconds: 7, start: price(10), step: price(5))
        let values = worth.map { _ in PublicGame(values: .personal(50...150)) }
        if let game = game ?? values {
            let options = GameOptions(purse: game.purse, values: game.values, seed: Seed(1))
            _ = server.apply(.event(.gameSet(options)), at: time)
        }
        for event in [SaleEvent.bidderJoined(bot.bidder), .bidderJoined(bidder("eve"))] {
            _ = server.apply(.event(event), at: time)
        }
        open(1, "Vase", terms ?? plain)
        snapshot()
        receive(#"{"type":"ok","content":"name \#(bot.bidder) t0ken"}"#)
        if sent.last?.hasPrefix("display ") == true {
            receive(#"{"type":"ok","content":"display"}"#)
        }
        if let worth {
            receive(#"{"type":"you","content":"","you":{"worth":\#(worth)}}"#)
        }
    }

    private mutating func open(_ number: Int, _ title: String, _ terms: Terms) {
        seq += 1
        let lot = ServerMessage.event(.lotOpened(Lot(number: number, title: title)))
        _ = server.apply(lot, before: .event(.termsAnnounced(terms)), at: time)
    }

    mutating func raise(_ amount: Int64, _ name: String, bid: Int) {
        news(
            .bidPlaced(
                Bid(number: bid, price: price(amount), bidder: bidder(name), elapsed: .seconds(1))))
    }
}
