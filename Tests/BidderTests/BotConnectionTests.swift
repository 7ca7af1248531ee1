import Auction
import Bidder
import Strategies
import Testing

@Suite struct BotConnectionTests {
    @Test func triesAnotherNameIfItsOwnIsTaken() {
        var table = BotTable(.truthful)
        table.connect()
        table.receive(BotTable.hello, "OK format json", #"{"type":"ok","content":"status"}"#)
        _ = table.takeSent()
        table.receive(#"{"type":"error","code":"name-taken","content":"choose another name"}"#)
        #expect(table.takeSent() == ["name truthful-2"])
    }

    @Test func waitsAsLongAsTheServerSaysForAName() {
        var table = BotTable(.truthful)
        table.connect()
        table.receive(
            BotTable.hello, "OK format json", #"{"type":"ok","content":"status"}"#,
            #"{"type":"error","code":"slow-down","seconds":3,"content":"too many new names"}"#)
        _ = table.takeSent()
        table.wait(.milliseconds(2_999))
        #expect(table.takeSent() == [])
        table.wait(.milliseconds(1))
        #expect(table.takeSent() == ["name truthful-1"])
    }

    @Test func resumesWithItsTokenAfterALostConnection() {
        var table = BotTable(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.raise(10, "truthful-1", bid: 1)
        _ = table.takeSent()
        table.lose()
        table.wait(.milliseconds(300))
        #expect(table.effects.last == .connect)
        table.connect()
        table.receive(BotTable.hello, "OK format json")
        #expect(
            table.takeSent()
                == ["format json", "resume 2", "name truthful-1 t0ken"])
    }

    @Test func endsIfItNeverReachesAServer() {
        var table = BotTable(.truthful)
        table.lose()
        #expect(table.effects.last == .exit(.lost))
        #expect(table.bot.hasEnded)
    }

    @Test func looksForALostServerForAMinute() {
        var table = BotTable(.truthful)
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
        var table = BotTable(.truthful)
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
        var table = BotTable(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.news(.lotPassed(Lot(number: 1), reason: "closed", elapsed: nil), .ended(lots: 1))
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
        var table = BotTable(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.finish()
        table.finish()
        #expect(table.takeSent() == ["standings"])
    }

    @Test func endsWhenTheAuctioneerKicksIt() {
        var table = BotTable(.truthful)
        table.sitDown()
        table.receive(#"{"type":"bye","content":"kicked"}"#)
        #expect(table.effects.last == .exit(.refused))
    }

    @Test func introducesItselfOnceItHasItsName() {
        var table = BotTable(.sniper) { $0.temper = .bold }
        table.sitDown()
        #expect(table.effects.contains(.note("sniper-1: sniper, bold; bids in the last second")))
    }

    @Test func showsItsStrategyUnlessItIsQuiet() {
        var table = BotTable(.sniper) { $0.isQuiet = false }
        table.sitDown()
        #expect(table.takeSent().last == "display sniper-1 the sniper")
        var quiet = BotTable(.sniper)
        quiet.sitDown()
        #expect(quiet.takeSent().last == "name sniper-1")
    }

    @Test func playsOnAServerWithoutDisplayNames() {
        var table = BotTable(.truthful) { $0.isQuiet = false }
        table.connect()
        table.receive(BotTable.hello, "OK format json")
        table.news(.lotOpened(Lot(number: 1, title: "Vase")), own: #"{"worth":80}"#)
        table.snapshot()
        table.receive(#"{"type":"ok","content":"name truthful-1 t0ken"}"#)
        table.receive(#"{"type":"error","code":"unknown-command","content":"help lists all"}"#)
        #expect(table.takeSent().suffix(2) == ["display truthful-1 the truthful", "bid 1"])
    }

    @Test func staysForARematchIfItIsTold() {
        var table = BotTable(.truthful) { $0.stays = true }
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.news(.lotPassed(Lot(number: 1), reason: "closed", elapsed: nil), .ended(lots: 1))
        #expect(table.takeSent() == ["standings"])
        table.receive(#"{"type":"ok","content":"standings 0"}"#)
        #expect(!table.bot.hasEnded)
        table.news(
            .rematchBegan(games: 2, firstLot: 2), .lotOpened(Lot(number: 2, title: "Clock")),
            own: #"{"worth":80}"#)
        #expect(table.takeSent() == ["bid 1"])
    }

    @Test func doesNotRepeatTheStandingsOfASaleThatIsOver() {
        var table = BotTable(.truthful) { $0.stays = true }
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.news(.lotPassed(Lot(number: 1), reason: "closed", elapsed: nil), .ended(lots: 1))
        table.receive(#"{"type":"ok","content":"standings 0"}"#)
        _ = table.takeSent()
        table.finish()
        #expect(table.takeSent() == [])
        #expect(table.effects.last == .exit(.done))
    }

    @Test func hasDoneItsWorkIfTheServerGoesAfterAGame() {
        var table = BotTable(.truthful) { $0.stays = true }
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.news(.lotPassed(Lot(number: 1), reason: "closed", elapsed: nil), .ended(lots: 1))
        table.receive(#"{"type":"ok","content":"standings 0"}"#)
        while !table.bot.hasEnded {
            table.lose()
            if let deadline = table.bot.deadline { table.wait(table.now.duration(to: deadline)) }
        }
        #expect(table.effects.last == .exit(.done))
    }
}
