import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

/// The news that a client missed.
@Suite struct RoomResumeTests {
    /// A room in which al and bo have bid in turn; the events are `LOT`, two `JOINED`, the first
    /// `PRICE` and its `COUNTDOWN`, and a `PRICE` for each further bid.
    private func with(bids: Int, answerLines: Int = 10_000) -> Visitors {
        var limits = Limits.none
        limits.answerLines = answerLines
        var visitors = Visitors(limits: limits)
        for visitor in ["al", "bo"] { visitors.joinNamed(visitor) }
        bid(1..<bids + 1, in: &visitors)
        visitors.join("eve")
        _ = visitors.hear("eve")
        return visitors
    }

    private func bid(_ amounts: Range<Int>, in visitors: inout Visitors) {
        for amount in amounts { visitors.say(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
    }

    private static let all = [
        "LOT 1 lot-1", "JOINED al", "JOINED bo", "PRICE 1 al 00:00.0 1", "COUNTDOWN 7",
        "PRICE 2 bo 00:00.0 2",
    ]

    @Test("all news after a number is sent, once each and in order", arguments: 0...6)
    func missed(number: Int) {
        var visitors = with(bids: 2)
        #expect(
            visitors.say("eve", "#7 resume \(number)")
                == Self.all[number...] + ["OK #7 resume \(6 - number)"])
        #expect(visitors.held.isEmpty)
        visitors.say("al", "9")
        #expect(visitors.hear("eve") == ["PRICE 9 al 00:00.0 3"])
    }

    @Test("as a first line it comes after the greeting and its snapshot")
    func firstLine() {
        var visitors = with(bids: 2)
        visitors.arrive("x")
        let heard = visitors.say("x", "resume 4")
        #expect(
            heard.dropFirst() == [
                "LOT 1 lot-1", "PRICE 2 bo 00:00.0 2", "COUNTDOWN 7", "COUNTDOWN 7",
                "PRICE 2 bo 00:00.0 2", "OK resume 2",
            ])
    }

    @Test("a number that no event has yet is refused", arguments: [7, 1_000_000, Int.max / 100])
    func beyond(number: Int) {
        var visitors = with(bids: 2)
        #expect(
            visitors.say("eve", "resume \(number)")
                == ["ERROR bad-arguments say: resume NUMBER with a NUMBER up to 6, the newest"])
    }

    @Test(
        "the newest thousand are kept; if more were missed, it is said, and a snapshot follows",
        arguments: [(1002, true), (1003, false), (0, true)])
    func tooMany(number: Int, isGone: Bool) {
        var visitors = with(bids: 1999)
        let heard = visitors.say("eve", "resume \(number)")
        if isGone {
            #expect(heard[0] == ServerMessage.error(.gone, tag: nil).text)
            #expect(
                heard.dropFirst()
                    == ["LOT 1 lot-1", "PRICE 1999 al 00:00.0 1999", "COUNTDOWN 7"])
        } else {
            #expect(heard.count == 1001)
            #expect(heard.first == "PRICE 1000 bo 00:00.0 1000")
            #expect(heard.last == "OK resume 1000")
        }
    }

    @Test("in parts the news of the meantime follows the answer, and no part of it is in it")
    func inParts() {
        var visitors = with(bids: 25, answerLines: 10)
        #expect(visitors.take("eve", Array("resume 4\n".utf8), isConfirmed: true) == 9)
        #expect(visitors.held == ["eve"])
        var heard = visitors.hear("eve")
        bid(26..<31, in: &visitors)
        _ = visitors.hear("eve")
        visitors.send("eve", [])
        heard += visitors.hear("eve")
        #expect(heard.count == 26)
        #expect(heard.first == "COUNTDOWN 7")
        #expect(
            heard[1...24]
                == (2...25).map {
                    ServerMessage.price(
                        Bid(
                            number: $0, price: price(Int64($0)), bidder: bidder($0), elapsed: .zero
                        ), lot: nil, remaining: nil
                    ).text
                }[...])
        #expect(heard.last == "OK resume 25")
        #expect(visitors.held.isEmpty)
        #expect(visitors.mostReplies <= 11)
    }

    private func bidder(_ number: Int) -> Bidder {
        guard let bidder = Bidder(number.isMultiple(of: 2) ? "bo" : "al") else {
            preconditionFailure("the names are names")
        }
        return bidder
    }

    @Test("an answer whose next part is no longer kept ends with an error, and a snapshot follows")
    func goneMeanwhile() {
        var visitors = with(bids: 25, answerLines: 10)
        _ = visitors.take("eve", Array("#7 resume 4\n".utf8), isConfirmed: true)
        bid(26..<1100, in: &visitors)
        _ = visitors.hear("eve")
        visitors.send("eve", [])
        #expect(
            visitors.hear("eve") == [
                ServerMessage.error(.gone, tag: "7").text, "LOT 1 lot-1",
                "PRICE 1099 al 00:00.0 1099", "COUNTDOWN 7",
            ])
        #expect(visitors.held.isEmpty)
    }

    @Test("with no budget left in a turn the news is held back, so that the order is exact")
    func budget() {
        var visitors = with(bids: 2)
        visitors.room.answerBudget = 0
        _ = visitors.take("eve", Array("resume 5\n".utf8), isConfirmed: true)
        #expect(visitors.held == ["eve"])
        #expect(visitors.hear("eve").isEmpty)
        visitors.say("al", "9")
        _ = visitors.hear("eve")
        visitors.room.answerBudget = 1000
        visitors.send("eve", [])
        #expect(visitors.hear("eve") == ["PRICE 2 bo 00:00.0 2", "OK resume 1"])
        #expect(visitors.held.isEmpty)
    }

    @Test("it is charged like one line for each ten of its lines")
    func charged() {
        var limits = Limits.none
        limits.lines = TokenBucket.Rate(1, per: .seconds(1), burst: 50)
        var visitors = Visitors(limits: limits)
        for visitor in ["al", "bo", "eve"] { visitors.joinNamed(visitor) }
        bid(1..<26, in: &visitors)
        let before = visitors.available("eve")
        visitors.send("eve", Array("resume 4\n".utf8))
        // The command itself, and two for 26 lines.
        #expect(before - visitors.available("eve") == 3)
    }

    @Test("in JSON each line has its own number and no mark, and not the time that was left")
    func json() {
        var visitors = Visitors(Rules(seconds: 7, start: price(3)))
        for visitor in ["al", "eve"] { visitors.joinNamed(visitor) }
        visitors.say("eve", "format json")
        visitors.say("al", "5")
        _ = visitors.hear("eve")
        let time = #""time":"1970-01-01T00:00:00.000Z"}"#
        #expect(
            visitors.say("eve", "resume 0") == [
                #"{"seq":1,"type":"lot","lot":1,"content":"lot-1","start":3,"#
                    + #""elapsedMilliseconds":0,"# + time,
                #"{"seq":2,"type":"joined","content":"al","bidder":"al","# + time,
                #"{"seq":3,"type":"joined","content":"eve","bidder":"eve","# + time,
                #"{"seq":4,"type":"price","content":"5","amount":5,"bidder":"al","#
                    + #""elapsedMilliseconds":40,"bid":1,"lot":1,"# + time,
                #"{"seq":5,"type":"countdown","content":"7","seconds":7,"# + time,
                #"{"type":"ok","content":"resume 5","# + time,
            ])
    }

    @Test("after a restart the news since the newest segment began is still there")
    func restarted() throws {
        let before = with(bids: 2)
        var after = Visitors(resuming: try recovered(before.journal))
        after.join("x")
        _ = after.hear("x")
        let news = ["LEFT al", "LEFT bo", "COUNTDOWN 7"]
        #expect(after.say("x", "resume 0") == Self.all + news + ["OK resume 9"])
        let state = after.room.state
        var replay = SaleReplay()
        var isTaken = replay.beginSegment(first: 10, state: state.count)
        for (record, number) in state { isTaken = replay.replay(record, number: number) && isTaken }
        #expect(isTaken)
        var later = Visitors(resuming: replay)
        later.join("y")
        _ = later.hear("y")
        #expect(later.say("y", "resume 9") == ["COUNTDOWN 7", "OK resume 1"])
        #expect(later.say("y", "resume 8").first == ServerMessage.error(.gone, tag: nil).text)
    }
}
