import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

@Suite struct RoomCommandsTests {
    @Test("laps lists the newest 20 bids, oldest first, with how many there are")
    func laps() {
        var visitors = with25Bids()
        let heard = visitors.say("eve", "#1 laps")
        #expect(heard.count == 21)
        #expect(heard.first == "LAP 6 6 bo 00:00.0")
        #expect(heard.dropLast().last == "LAP 25 25 al 00:00.0")
        #expect(heard.last == "OK #1 laps 25")
    }

    @Test(
        "laps lists a range",
        arguments: [
            (1, 2, ["1", "2"]), (24, 500, ["24", "25"]), (25, 1, ["25"]), (26, 9, []), (999, 1, []),
        ]
            as [(Int, Int, [String])])
    func lapRange(first: Int, count: Int, numbers: [String]) {
        var visitors = with25Bids()
        let heard = visitors.say("eve", "laps \(first) \(count)")
        #expect(heard.dropLast().map { $0.split(separator: " ")[1] } == numbers.map { $0[...] })
        #expect(heard.last == "OK laps 25")
    }

    @Test("laps without a bid lists none, and between lots those of the last lot")
    func lapsBetweenLots() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        #expect(visitors.say("al", "laps") == ["OK laps 0"])
        visitors.say("al", "5")
        visitors.pass(milliseconds: 7000)
        _ = visitors.hear("al")
        #expect(visitors.say("al", "laps") == ["LAP 1 5 al 00:00.0", "OK laps 1"])
        visitors.pass(milliseconds: 3000)
        _ = visitors.hear("al")
        #expect(visitors.say("al", "laps") == ["OK laps 0"])
    }

    @Test("status repeats the snapshot")
    func status() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "5")
        #expect(
            visitors.say("al", "#s status")
                == ["LOT 1 lot-1", "PRICE 5 al 00:00.0 1", "COUNTDOWN 7", "OK #s status"])
    }

    @Test("ping and help are answered")
    func pingAndHelp() {
        var visitors = Visitors()
        visitors.join("al")
        _ = visitors.hear("al")
        #expect(visitors.say("al", "ping") == ["OK ping"])
        let help = visitors.say("al", "HELP")
        #expect(help.dropLast() == Help.lines.map { "HELP \($0)" }[...])
        #expect(help.last == "OK help")
    }

    @Test("format is answered in the form there was, and all that follows is in the new one")
    func format() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        #expect(visitors.say("al", "format json") == ["OK format json"])
        visitors.say("al", "5")
        visitors.pass(milliseconds: 500)
        #expect(
            visitors.say("al", "status").first
                == #"{"seq":1,"snapshot":true,"type":"lot","lot":1,"content":"lot-1","start":1,"#
                + #""elapsedMilliseconds":520,"time":"1970-01-01T00:00:00.000Z"}"#
        )
        #expect(
            visitors.say("al", "format text")
                == [#"{"type":"ok","content":"format text","time":"1970-01-01T00:00:00.000Z"}"#])
        #expect(visitors.say("al", "ping") == ["OK ping"])
    }

    @Test("in JSON the snapshot has the numbers of its news, and the time that is left now")
    func jsonSnapshot() throws {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "format json")
        let price = try #require(visitors.say("al", "5").dropFirst().first)
        #expect(price.hasPrefix(#"{"seq":3,"type":"price","#))
        #expect(price.contains(#""remainingMilliseconds":7000,"#))
        visitors.pass(milliseconds: 500)
        let again = try #require(visitors.say("al", "status").dropFirst().first)
        #expect(again.hasPrefix(#"{"seq":3,"snapshot":true,"type":"price","#))
        #expect(again.contains(#""remainingMilliseconds":6500,"#))
    }

    @Test(
        "in JSON the snapshot of status, and after skipped lines, is marked, and no other line is")
    func snapshotMark() throws {
        var visitors = Visitors(Rules(seconds: 1), Catalogue(titles: ["Vase"]))
        visitors.joinNamed("al")
        visitors.say("al", "format json")
        visitors.say("al", "5")
        visitors.pass(milliseconds: 2000)
        #expect(!visitors.hear("al").contains { $0.contains("snapshot") })
        func isMarked(_ line: String) -> Bool { line.contains(#""snapshot":true,"#) }
        let status = visitors.say("al", "status")
        #expect(status.map(isMarked) == [true, true, false])
        #expect(status[0].contains(#""type":"winner""#))
        visitors.fallBehind("al")
        #expect(visitors.hear("al").map(isMarked) == [false, true, true])
        #expect(!visitors.say("al", "laps").contains(where: isMarked))
    }

    @Test("in JSON a newcomer hears how long the lot has been open, and the least first bid")
    func jsonLot() throws {
        var visitors = Visitors(Rules(seconds: 7, start: price(100)))
        visitors.pass(milliseconds: 3200)
        visitors.arrive("al")
        visitors.say("al", "format json")
        let lot = try #require(visitors.say("al", "status").first)
        #expect(lot.contains(#""start":100,"elapsedMilliseconds":3200,"#))
    }

    @Test("in JSON a lot opens at the rules' start, and no time has gone by")
    func jsonOpening() throws {
        var visitors = Visitors(Rules(seconds: 1, start: price(5)))
        visitors.joinNamed("al")
        visitors.say("al", "format json")
        visitors.say("al", "5")
        visitors.pass(milliseconds: 4000)
        let lot = try #require(visitors.hear("al").last)
        #expect(lot.contains(#""start":5,"elapsedMilliseconds":0,"#))
    }

    @Test("every command is answered by exactly one OK or ERROR, which repeats its tag")
    func oneAnswerEach() {
        let commands = [
            "name al", "name bo", "bid 5", "5", "bid x", "bid", "laps", "laps 1", "who", "status",
            "ping", "help", "dance", "format xml",
        ]
        var visitors = Visitors()
        visitors.join("al")
        _ = visitors.hear("al")
        for command in commands {
            let answers = visitors.say("al", "#t \(command)").filter {
                $0.hasPrefix("OK") || $0.hasPrefix("ERROR")
            }
            #expect(answers.count == 1)
            #expect(answers.first?.split(separator: " ")[1] == "#t")
        }
    }

    private func with25Bids() -> Visitors {
        var visitors = Visitors()
        for visitor in ["al", "bo", "eve"] { visitors.joinNamed(visitor) }
        for amount in 1...25 { visitors.say(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
        _ = visitors.hear("eve")
        return visitors
    }
}
