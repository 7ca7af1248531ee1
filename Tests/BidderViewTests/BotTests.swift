import AuctionRules
import BidderView
import Strategies
import Testing

@Suite struct BotTests {
    private static let hello = "HELLO auction/1 seconds=7 step=5 game=k3v9 (type help)"

    /// A bot, the lines that it has sent, and a clock that only the test moves.
    private struct Table {
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

        /// Takes the lines that were sent since the last time.
        mutating func takeSent() -> [String] {
            defer { sent = [] }
            return sent
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
            receive(BotTests.hello, "OK format json")
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

    private static func terms(_ format: String) -> String {
        #"{"seq":2,"snapshot":true,"type":"terms","content":"\#(format)","format":"\#(format)","#
            + #""seconds":20,"start":10,"step":5,"reserve":false}"#
    }

    @Test func greetsTakesANameAndBidsUpToItsValue() {
        var table = Table(.truthful)
        table.sitDown()
        #expect(
            table.takeSent() == ["format json", "status", "name truthful-1", "who", "bid 10"])
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.price(10, "truthful-1", seq: 2, bid: 1)
        #expect(table.takeSent() == [])
        table.price(90, "eve", seq: 3, bid: 2)
        #expect(table.takeSent() == ["bid 95"])
        table.receive(#"{"type":"ok","content":"bid 95"}"#)
        table.price(96, "eve", seq: 4, bid: 3)
        #expect(table.takeSent() == [])
    }

    @Test func sendsOneMoveAtATime() {
        var table = Table(.truthful)
        table.sitDown()
        _ = table.takeSent()
        table.price(20, "eve", seq: 2, bid: 1)
        table.price(30, "eve", seq: 3, bid: 2)
        #expect(table.takeSent() == [])
        table.receive(
            #"{"type":"error","code":"too-low","minimum":35,"content":"bid at least 35"}"#)
        #expect(table.takeSent() == ["bid 35"])
    }

    @Test func repeatsARefusedMoveOnceASecondAtMost() {
        var table = Table(.truthful)
        table.sitDown()
        for _ in 0..<3 {
            #expect(table.takeSent().last == "bid 10")
            table.receive(
                #"{"type":"error","code":"too-low","minimum":10,"content":"bid at least 10"}"#)
            table.wait(.milliseconds(999))
            #expect(table.takeSent() == [])
            table.wait(.milliseconds(1))
        }
    }

    @Test func givesALotUpOnWhichItsCommandsMakeNoSense() {
        var table = Table(.truthful)
        table.sitDown()
        _ = table.takeSent()
        table.receive(#"{"type":"error","code":"wrong-format","content":"say take"}"#)
        table.wait(.seconds(10))
        #expect(table.takeSent() == [])
    }

    @Test func keepsToItsPurse() {
        var table = Table(.truthful)
        table.sitDown(terms: Self.terms("sealed"))
        #expect(table.takeSent().last == "bid 100")
        table.receive(
            #"{"type":"error","code":"over-purse","left":60,"content":"you can bid at most 60"}"#)
        table.wait(.seconds(1))
        #expect(table.takeSent() == ["bid 60"])
    }

    @Test func takesAFallingPrice() {
        var table = Table(.truthful)
        table.sitDown(
            terms: #"{"seq":2,"snapshot":true,"type":"terms","content":"dutch","format":"dutch","#
                + #""seconds":20,"start":150,"step":10,"reserve":false}"#)
        _ = table.takeSent()
        table.receive(#"{"seq":3,"type":"ask","content":"110","amount":110}"#)
        #expect(table.takeSent() == [])
        table.receive(#"{"seq":4,"type":"ask","content":"100","amount":100}"#)
        #expect(table.takeSent() == ["take"])
    }

    @Test func setsAMaximum() {
        var table = Table(.proxy)
        table.sitDown()
        #expect(table.takeSent().last == "max 100")
        table.receive(#"{"type":"ok","content":"max 100"}"#)
        table.price(10, "proxy-1", seq: 2, bid: 1)
        table.price(40, "eve", seq: 3, bid: 2)
        #expect(table.takeSent() == [])
    }

    @Test func waitsForItsValueOfEachLot() {
        var table = Table(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.receive(
            #"{"seq":2,"type":"passed","lot":1,"reason":"closed","content":"Vase"}"#,
            #"{"seq":3,"type":"lot","lot":2,"content":"Clock","start":10}"#)
        table.wait(.seconds(5))
        #expect(table.takeSent() == [])
        table.receive(#"{"type":"worth","content":"80","amount":80}"#)
        #expect(table.takeSent() == ["bid 10"])
    }

    @Test func drawsItsOwnValueWhereTheServerDrawsNone() {
        var table = Table(.truthful, prior: 60...60)
        table.sitDown(terms: Self.terms("sealed"), worth: nil)
        _ = table.takeSent()
        table.wait(.milliseconds(500))
        #expect(table.takeSent() == [])
        table.wait(.milliseconds(500))
        #expect(table.takeSent() == ["bid 60"])
    }

    @Test func thinksBeforeItMovesButNotLongerThanTheCountdown() {
        var table = Table(.truthful, delay: .seconds(4))
        table.sitDown()
        _ = table.takeSent()
        table.wait(.milliseconds(1_999))
        #expect(table.takeSent() == [])
        table.wait(.milliseconds(4_001))
        #expect(table.takeSent() == ["bid 10"])
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.price(20, "eve", seq: 2, bid: 1)
        table.receive(
            #"{"seq":3,"type":"countdown","content":"1","seconds":1,"remainingMilliseconds":1000}"#)
        table.wait(.milliseconds(700))
        #expect(table.takeSent() == ["bid 25"])
    }

    @Test func triesAnotherNameIfItsOwnIsTaken() {
        var table = Table(.truthful)
        table.connect()
        table.receive(Self.hello, "OK format json", #"{"type":"ok","content":"status"}"#)
        _ = table.takeSent()
        table.receive(#"{"type":"error","code":"name-taken","content":"choose another name"}"#)
        #expect(table.takeSent() == ["name truthful-2", "who"])
    }

    @Test func waitsAsLongAsTheServerSaysForAName() {
        var table = Table(.truthful)
        table.connect()
        table.receive(
            Self.hello, "OK format json", #"{"type":"ok","content":"status"}"#,
            #"{"type":"error","code":"slow-down","seconds":3,"content":"too many new names"}"#,
            #"{"type":"ok","content":"who 0"}"#)
        _ = table.takeSent()
        table.wait(.milliseconds(2_999))
        #expect(table.takeSent() == [])
        table.wait(.milliseconds(1))
        #expect(table.takeSent() == ["name truthful-1", "who"])
    }

    @Test func resumesWithItsTokenAfterALostConnection() {
        var table = Table(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.price(10, "truthful-1", seq: 7, bid: 1)
        _ = table.takeSent()
        table.lose()
        table.wait(.milliseconds(300))
        #expect(table.effects.suffix(2) == [.disconnect, .connect])
        table.connect()
        table.receive(Self.hello, "OK format json")
        #expect(
            table.takeSent()
                == ["format json", "resume 7", "status", "name truthful-1 t0ken", "who"])
    }

    @Test func endsIfItNeverReachesAServer() {
        var table = Table(.truthful)
        table.lose()
        #expect(table.effects.last == .exit(.lost))
        #expect(table.bot.hasEnded)
    }

    @Test func looksForALostServerForAMinute() {
        var table = Table(.truthful)
        table.sitDown()
        let start = table.now
        while !table.bot.hasEnded, start.duration(to: table.now) < .seconds(120) {
            table.lose()
            if let deadline = table.bot.deadline { table.wait(table.now.duration(to: deadline)) }
        }
        // The longest time between two attempts is six seconds.
        #expect((.seconds(60)...Duration.seconds(66)).contains(start.duration(to: table.now)))
    }

    @Test func aServerThatAdmitsNobodyCountsAsLost() {
        var table = Table(.truthful)
        table.sitDown()
        let start = table.now
        while !table.bot.hasEnded, start.duration(to: table.now) < .seconds(120) {
            table.lose()
            guard let deadline = table.bot.deadline else { continue }
            table.wait(table.now.duration(to: deadline))
            table.connect()
            table.receive(#"ERROR full too many are connected, try again later"#, "BYE full")
        }
        #expect((.seconds(60)...Duration.seconds(66)).contains(start.duration(to: table.now)))
    }

    @Test func asksForTheStandingsWhenTheSaleIsOver() {
        var table = Table(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.receive(#"{"seq":9,"type":"over","content":"1","lots":1}"#)
        #expect(table.takeSent() == ["standings"])
        table.receive(
            #"{"type":"standing","rank":1,"content":"eve","bidder":"eve","lots":1,"spent":9}"#,
            #"{"type":"ok","content":"standings 1"}"#)
        let said = table.effects.compactMap {
            if case .say(let line) = $0 { line.text } else { nil }
        }
        #expect(said == ["rank  bidder  lots  spent", "   1  eve        1      9"])
        #expect(table.effects.last == .exit(.done))
        #expect(table.bot.hasEnded)
    }

    @Test func asksForTheStandingsWhenItIsInterrupted() {
        var table = Table(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.finish()
        table.finish()
        #expect(table.takeSent() == ["standings"])
    }

    @Test func endsWhenTheAuctioneerKicksIt() {
        var table = Table(.truthful)
        table.sitDown()
        table.receive(#"{"type":"bye","content":"kicked"}"#)
        #expect(table.effects.last == .exit(.refused))
    }
}
