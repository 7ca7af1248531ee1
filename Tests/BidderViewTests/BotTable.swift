import Auction
import Basics
import BidderView
import Strategies
import Testing

/// A bot, the lines that it has sent, and a clock that only the test moves.
struct BotTable {
    /// The greeting of the server.
    static let hello = "HELLO auction/1 seconds=7 step=5 game=k3v9 (type help)"

    var bot: Bot
    var now = Instant(nanoseconds: 0)
    private(set) var sent: [String] = []
    private(set) var effects: [ClientEffect] = []

    init(_ kind: StrategyKind, delay: Duration = .zero, prior: ClosedRange<Int64> = 50...150) {
        bot = Bot(Bot.Settings(kind, number: 1, prior: prior, delay: delay, seed: 1))
    }

    /// Gives the bot lines, and wakes it when it wants to be woken at this time.
    mutating func receive(_ lines: String...) {
        for line in lines { collect(bot.receive(line, at: now)) }
        wake()
    }

    mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        wake()
    }

    mutating func connect() {
        collect(bot.connected(at: now))
    }

    mutating func lose() {
        collect(bot.lost("lost", at: now))
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
        effects += more
        sent += more.compactMap { if case .send(let line) = $0 { line } else { nil } }
    }

    /// Brings the bot to its name, with a lot that is worth 100 to it.
    mutating func sitDown(terms: String? = nil, worth: Int? = 100) {
        connect()
        receive(Self.hello, "OK format json")
        let lot = #"{"seq":1,"snapshot":true,"type":"lot","lot":1,"content":"Vase","start":10}"#
        receive(lot)
        if let terms { receive(terms) }
        receive(#"{"type":"ok","content":"status"}"#)
        receive(#"{"type":"ok","content":"name \#(bot.bidder) t0ken"}"#)
        if let worth {
            receive(#"{"type":"worth","content":"\#(worth)","amount":\#(worth)}"#)
        }
        receive(
            #"{"type":"who","content":"\#(bot.bidder)","bidder":"\#(bot.bidder)"}"#,
            #"{"type":"who","content":"eve","bidder":"eve"}"#,
            #"{"type":"ok","content":"who 2"}"#)
    }

    mutating func price(_ amount: Int, _ bidder: String, seq: Int, bid: Int) {
        receive(
            #"{"seq":\#(seq),"type":"price","content":"\#(amount)","amount":\#(amount),"#
                + #""bidder":"\#(bidder)","elapsedMilliseconds":1000,"bid":\#(bid),"lot":1,"#
                + #""remainingMilliseconds":7000}"#)
    }
}
