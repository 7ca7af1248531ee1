import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

/// Answers of many lines, which are said in parts.
@Suite struct RoomAnswersTests {
    private func with25Bids(answerLines: Int = 10, lines: TokenBucket.Rate? = nil) -> Visitors {
        var limits = Limits.none
        limits.answerLines = answerLines
        limits.lines = lines
        var visitors = Visitors(limits: limits)
        for visitor in ["al", "bo", "eve"] { visitors.joinNamed(visitor) }
        for amount in 1...25 { visitors.say(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
        _ = visitors.hear("eve")
        return visitors
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("one hearing causes no more replies than may wait, and every question is answered")
    func bounded() {
        var visitors = with25Bids()
        visitors.send("eve", bytes(String(repeating: "laps 1 25\n", count: 200)))
        let heard = visitors.hear("eve")
        #expect(heard.count == 200 * 26)
        #expect(heard.last == "OK laps 25")
        // The OK of an answer may be one more.
        #expect(visitors.mostReplies <= 11)
    }

    @Test("the help comes in parts, each line once and in order")
    func helpInParts() {
        var visitors = with25Bids()
        visitors.send("eve", bytes("#1 help\n"))
        // The OK of an answer may be one more.
        #expect(visitors.mostReplies <= 11)
        #expect(visitors.hear("eve") == Help.lines.map { "HELP \($0)" } + ["OK #1 help"])
        #expect(visitors.held.isEmpty)
    }

    /// With 4,096 bytes of output, the least that can be chosen, a part has eight lines.
    @Test(
        "all that waits after one hearing fits the smallest output",
        arguments: ["status", "help", "laps 1 1000", "who"])
    func smallestOutput(question: String) {
        let title = String(repeating: "\"", count: Lot.longestTitle)
        var limits = Limits.none
        limits.answerLines = 8
        var visitors = Visitors(
            Rules(seconds: 7), Catalogue(titles: [title]), limits: limits)
        for number in 0..<8 {
            visitors.join("b\(number)")
            let padding = String(repeating: "x", count: Bidder.longest - 1)
            visitors.say("b\(number)", "name \(number)\(padding)")
        }
        for amount in 1...20 {
            visitors.say("b\(amount % 8)", "\(Price.highest.amount - 20 + Int64(amount))")
        }
        visitors.join("eve")
        visitors.say("eve", "format json")
        let tag = "#" + String(repeating: "t", count: 32)
        let asked = String(repeating: tag + " bid 1\n", count: 7) + "\(tag) \(question)\n"
        #expect(visitors.take("eve", bytes(asked), isConfirmed: true) == asked.utf8.count)
        let size = visitors.hear("eve").reduce(0) { $0 + $1.utf8.count + 1 }
        #expect((1000...4096).contains(size))
    }

    @Test("nothing more is heard until the answer is complete, and no news comes in between")
    func inOnePiece() {
        var visitors = with25Bids()
        let asked = bytes("#1 laps 1 25\n#2 ping\n")
        #expect(visitors.take("eve", asked, isConfirmed: true) == 13)
        let isAnswering = visitors.room.isAnswering(visitors.id("eve"))
        #expect(isAnswering)
        #expect(visitors.held == ["eve"])
        #expect(visitors.hear("eve").count == 10)
        visitors.say("bo", "26")
        _ = visitors.hear("eve")
        #expect(visitors.take("eve", [], isConfirmed: true) == 0)
        #expect(visitors.take("eve", bytes("#2 ping\n"), isConfirmed: true) == 8)
        #expect(visitors.held.isEmpty)
        let heard = visitors.hear("eve")
        #expect(heard.count == 17)
        #expect(heard[14...] == ["LAP 25 25 al 00:00.0", "OK #1 laps 25", "OK #2 ping"])
    }

    @Test("who lists those who were there when it was asked, and are there still")
    func whoInParts() {
        var visitors = with25Bids(answerLines: 2)
        for name in ["cy", "di", "fay"] { visitors.joinNamed(name) }
        #expect(visitors.take("eve", bytes("who\n")) == 4)
        visitors.vanish("cy")
        visitors.joinNamed("gil")
        visitors.send("eve", [])
        let heard = visitors.hear("eve").filter { !$0.hasPrefix("JOINED") && $0 != "LEFT cy" }
        #expect(heard == ["WHO al", "WHO bo", "WHO eve", "WHO di", "WHO fay", "OK who 5"])
    }

    @Test("an answer to a lot that is gone ends with an error")
    func otherLot() {
        var limits = Limits.none
        limits.answerLines = 3
        var visitors = Visitors(
            Rules(seconds: 1), Catalogue(pause: .zero), limits: limits)
        for visitor in ["al", "bo"] { visitors.joinNamed(visitor) }
        for amount in 1...5 { visitors.say(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
        _ = visitors.take("al", bytes("laps\n"))
        visitors.pass(milliseconds: 1500)
        _ = visitors.hear("al")
        visitors.send("al", [])
        #expect(visitors.hear("al").map { $0.prefix(17) } == ["ERROR unavailable"])
    }

    @Test("an answer of which bids are no longer kept ends with an error, and has no hole")
    func droppedBids() {
        var visitors = with25Bids()
        _ = visitors.take("eve", bytes("laps 1 1000\n"), isConfirmed: true)
        for amount in 26...3000 {
            visitors.say(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)")
        }
        _ = visitors.hear("eve")
        visitors.send("eve", [])
        #expect(visitors.hear("eve").map { $0.prefix(17) } == ["ERROR unavailable"])
        #expect(visitors.held.isEmpty)
    }

    @Test("an answer to a connection that is sent away ends with an error before any news")
    func sentAway() {
        var visitors = with25Bids()
        _ = visitors.take("eve", bytes("#1 laps 1 25\n"), isConfirmed: true)
        _ = visitors.hear("eve")
        visitors.shutDown()
        let heard = visitors.hear("eve")
        #expect(heard.map { $0.prefix(20) } == ["ERROR #1 unavailable", "BYE shutdown"])
        #expect(visitors.held.isEmpty)
    }

    @Test(
        "with no budget left in a turn a question waits, and others are heard",
        arguments: ["laps 1 25", "who", "status", "help"])
    func budget(question: String) {
        var visitors = with25Bids()
        visitors.room.answerBudget = 0
        let line = bytes(question + "\n")
        #expect(visitors.take("eve", line, isConfirmed: true) == line.count)
        let isAnswering = visitors.room.isAnswering(visitors.id("eve"))
        #expect(isAnswering)
        #expect(visitors.hear("eve").isEmpty)
        #expect(visitors.say("bo", "26").last == "PRICE 26 bo 00:00.0 26")
        _ = visitors.hear("eve")
        visitors.room.answerBudget = 1000
        visitors.send("eve", [])
        let verb = question.split(separator: " ")[0]
        #expect(visitors.hear("eve").last?.hasPrefix("OK \(verb)") == true)
    }

    @Test("one that falls behind before any part of an answer was said has its snapshot at once")
    func fellBehindBefore() {
        var visitors = with25Bids()
        visitors.room.answerBudget = 0
        _ = visitors.take("eve", bytes("help\n"), isConfirmed: true)
        _ = visitors.hear("eve")
        visitors.fallBehind("eve")
        #expect(visitors.hear("eve").prefix(2) == ["(skipped)", "LOT 1 lot-1"])
        visitors.room.answerBudget = 1000
        visitors.send("eve", [])
        #expect(visitors.hear("eve").last == "OK help")
    }

    @Test("a long answer is charged like one line for each ten of its lines")
    func charged() {
        var visitors = with25Bids(
            answerLines: 100, lines: TokenBucket.Rate(1, per: .seconds(1), burst: 50))
        // Each joined with a name; the question itself and two for 25 laps.
        let before = visitors.available("eve")
        visitors.send("eve", bytes("laps 1 25\n"))
        #expect(before - visitors.available("eve") == 3)
    }

    @Test("one that ends its side while an answer is under way has the rest of it, and then BYE")
    func ended() {
        var visitors = with25Bids()
        _ = visitors.take("eve", bytes("laps 1 25"))
        visitors.end("eve")
        #expect(visitors.closed.isEmpty)
        visitors.send("eve", [])
        let heard = visitors.hear("eve")
        #expect(heard.count == 27 + 1)
        #expect(Array(heard.suffix(3).prefix(1)) == ["OK laps 25"])
        #expect(visitors.closed == ["eve"])
    }

    @Test("one that falls behind during an answer has its snapshot after it")
    func fellBehind() {
        var visitors = with25Bids()
        _ = visitors.take("eve", bytes("laps 1 25\n"))
        visitors.fallBehind("eve")
        #expect(!visitors.hear("eve").contains("(skipped)"))
        visitors.send("eve", [])
        let heard = visitors.hear("eve")
        let end = heard.firstIndex(of: "OK laps 25")
        #expect(heard.firstIndex(of: "(skipped)") == end.map { $0 + 1 })
    }
}
