import AuctionRules
import Sale
import Saleroom
import Testing

@Suite struct RoomLotsTests {
    @Test("a lot goes from its first bid over the warnings to the hammer, and the next lot opens")
    func wholeLot() {
        var visitors = Visitors()
        visitors.join("eve")
        visitors.joinNamed("al")
        visitors.pass(milliseconds: 960)
        _ = visitors.hear("eve")
        visitors.say("al", "bid 120")
        visitors.pass(milliseconds: 6999)
        #expect(
            visitors.hear("eve") == [
                "PRICE 120 al 00:01.0 1", "COUNTDOWN 7", "COUNTDOWN 6", "COUNTDOWN 5",
                "COUNTDOWN 4", "COUNTDOWN 3", "GOING once", "COUNTDOWN 2", "COUNTDOWN 1",
                "GOING twice",
            ])
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("eve") == ["COUNTDOWN 0", "WINNER al 120 00:08.0 lot-1"])
        visitors.pass(milliseconds: 2999)
        #expect(visitors.hear("eve") == [])
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("eve") == ["LOT 2 lot-2"])
        #expect(visitors.seqs == Array(1...visitors.seqs.count))
    }

    @Test("in a lot that lasts too long, LAST is told once, and bids no longer set it back")
    func longest() throws {
        let rules = Rules(seconds: 7, longest: .seconds(5))
        var visitors = Visitors(rules)
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "1")
        visitors.pass(milliseconds: 4_000)
        visitors.say("bo", "2")
        visitors.pass(milliseconds: 1_500)
        visitors.join("eve")
        visitors.pass(milliseconds: 480)
        _ = visitors.hear("eve")
        visitors.say("al", "3")
        #expect(visitors.hear("eve") == ["PRICE 3 al 00:06.0 3", "COUNTDOWN 7", "LAST"])
        visitors.pass(milliseconds: 2_000)
        visitors.say("bo", "4")
        #expect(
            visitors.hear("eve") == ["COUNTDOWN 6", "COUNTDOWN 5", "PRICE 4 bo 00:08.0 4"])
        #expect(
            visitors.say("eve", "status") == [
                "LOT 1 lot-1", "PRICE 4 bo 00:08.0 4", "COUNTDOWN 5", "LAST", "OK status",
            ])
        var after = Visitors(rules, resuming: try recovered(visitors.journal))
        after.join("eve")
        #expect(after.hear("eve").suffix(3) == ["PRICE 4 bo 00:08.0 4", "COUNTDOWN 7", "LAST"])
        visitors.pass(milliseconds: 5_000)
        #expect(visitors.hear("eve").last == "WINNER bo 4 00:13.0 lot-1")
    }

    @Test("each accepted bid sets the countdown back, and only a changed number is told")
    func countdownReset() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.join("eve")
        _ = visitors.hear("eve")
        visitors.say("al", "1")
        visitors.pass(milliseconds: 600)
        visitors.say("bo", "2")
        visitors.pass(milliseconds: 1400)
        visitors.say("al", "3")
        #expect(
            visitors.hear("eve") == [
                "PRICE 1 al 00:00.0 1", "COUNTDOWN 7", "PRICE 2 bo 00:00.6 2", "COUNTDOWN 6",
                "PRICE 3 al 00:02.0 3", "COUNTDOWN 7",
            ])
    }

    @Test("the countdown of a price runs from when it is told, however long a disk takes")
    func slowDisk() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.tellsAtOnce = false
        visitors.say("al", "1")
        visitors.pass(milliseconds: 60_000)
        #expect(visitors.room.deadline == nil)
        visitors.join("eve")
        #expect(visitors.hear("eve").last == "COUNTDOWN 7")
        visitors.say("bo", "2")
        visitors.pass(milliseconds: 5_000)
        visitors.tell()
        visitors.pass(milliseconds: 6_999)
        #expect(visitors.hear("eve").last == "GOING twice")
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("eve").last == "WINNER bo 2 01:12.0 lot-1")
    }

    @Test("no hammer falls in a room that has shut down")
    func shutDownRoom() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "1")
        visitors.shutDown()
        let news = visitors.seqs
        #expect(visitors.room.deadline == nil)
        visitors.stall(milliseconds: 60_000)
        visitors.wake()
        #expect(visitors.seqs == news)
    }

    @Test("the countdown does not run until the first bid")
    func noCountdownBeforeBid() {
        var visitors = Visitors()
        visitors.join("eve")
        #expect(visitors.room.deadline == nil)
        visitors.pass(milliseconds: 3_600_000)
        #expect(
            visitors.hear("eve") == [
                "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)", "LOT 1 lot-1",
            ])
    }

    @Test("a refused bid changes nothing, least of all the clock")
    func refusedBid() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 6500)
        _ = visitors.hear("bo")
        #expect(visitors.say("bo", "5") == ["ERROR too-low minimum=11 bid at least 11"])
        visitors.pass(milliseconds: 500)
        #expect(visitors.hear("bo") == ["COUNTDOWN 0", "WINNER al 10 00:07.0 lot-1"])
    }

    @Test("a bid heard before the hammer falls is in time, even if the machine stalled")
    func bidBeforeHammer() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "10")
        _ = visitors.hear("bo")
        visitors.stall(milliseconds: 7500)
        #expect(visitors.say("bo", "11").first == "OK bid 11")
        visitors.wake()
        #expect(visitors.hear("bo") == [])
    }

    @Test(
        "fair warning comes at 2/5 and 1/5 of the seconds, and not under 5 seconds",
        arguments: [
            (4, []), (5, [2, 1]), (6, [2, 1]), (7, [3, 1]), (10, [4, 2]), (60, [24, 12]),
        ] as [(Int, [Int])])
    func warnings(seconds: Int, marks: [Int]) {
        var visitors = Visitors(Rules(seconds: seconds))
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: Int64(seconds) * 1000)
        let heard = visitors.hear("al")
        let places = heard.indices.filter { heard[$0].hasPrefix("GOING") }
        #expect(places.map { heard[$0 - 1] } == marks.map { "COUNTDOWN \($0)" })
        #expect(places.map { heard[$0] } == (marks.isEmpty ? [] : ["GOING once", "GOING twice"]))
    }

    @Test("lots with titles follow each other until the sale is over, and then bids are closed")
    func catalogue() {
        var visitors = Visitors(
            Rules(seconds: 1), Catalogue(titles: ["Vase", "Old clock"], pause: .milliseconds(500)))
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 1000)
        #expect(visitors.hear("al").suffix(2) == ["COUNTDOWN 0", "WINNER al 10 00:01.0 Vase"])
        #expect(
            visitors.say("al", "11") == ["ERROR closed no lot is open, wait for the next LOT line"])
        visitors.pass(milliseconds: 500)
        #expect(visitors.hear("al") == ["LOT 2 Old clock"])
        visitors.say("al", "1")
        visitors.pass(milliseconds: 1000)
        #expect(visitors.hear("al").suffix(2) == ["WINNER al 1 00:01.0 Old clock", "OVER 2"])
        #expect(visitors.say("al", "11") == ["ERROR closed the sale is over, no lot will follow"])
        visitors.pass(milliseconds: 60_000)
        visitors.join("eve")
        #expect(
            visitors.hear("eve") == [
                "HELLO auction/1 seconds=1 step=1 game=k3v9 (type help)",
                "WINNER al 1 00:01.0 Old clock",
                "OVER 2",
            ])
    }

    @Test("without a pause the next lot opens with the hammer")
    func noPause() {
        var visitors = Visitors(Rules(seconds: 1), Catalogue(pause: .zero))
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 1000)
        #expect(visitors.hear("al").suffix(2) == ["WINNER al 10 00:01.0 lot-1", "LOT 2 lot-2"])
    }

    @Test("a leader who disconnects still leads, and wins")
    func absentLeader() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.join("eve")
        visitors.say("al", "10")
        visitors.vanish("al")
        visitors.pass(milliseconds: 7000)
        #expect(visitors.hear("eve").last == "WINNER al 10 00:07.0 lot-1")
    }

    @Test("the first bid meets the start, the next ones the step")
    func startAndStep() {
        var visitors = Visitors(Rules(seconds: 7, start: price(100), step: price(10)))
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        _ = visitors.hear("al")
        #expect(visitors.say("al", "99") == ["ERROR too-low minimum=100 bid at least 100"])
        visitors.say("al", "100")
        _ = visitors.hear("bo")
        #expect(visitors.say("bo", "109") == ["ERROR too-low minimum=110 bid at least 110"])
        #expect(visitors.say("bo", "110").first == "OK bid 110")
    }

    @Test("a leader is refused, the same bid again is granted, and self-raise can be allowed")
    func leading() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "10")
        #expect(
            visitors.say("al", "#1 bid 11")
                == ["ERROR #1 leading price=10 you lead already, wait until somebody bids more"])
        visitors.pass(milliseconds: 400)
        #expect(visitors.say("al", "#2 bid 10") == ["OK #2 bid 10"])

        var lenient = Visitors(Rules(seconds: 7, allowsSelfRaise: true))
        lenient.joinNamed("al")
        lenient.say("al", "10")
        #expect(lenient.say("al", "11") == ["OK bid 11", "PRICE 11 al 00:00.0 2"])
    }
}
