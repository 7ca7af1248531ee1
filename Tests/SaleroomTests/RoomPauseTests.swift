import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

@Suite struct RoomPauseTests {
    @Test("a pause stops the countdown and the bids, and going on gives the full seconds")
    func pause() {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        visitors.pass(milliseconds: 4500)
        _ = visitors.hear("al")
        #expect(visitors.say("boss", "pause").suffix(2) == ["OK pause", "PAUSED"])
        #expect(visitors.say("boss", "pause") == ["OK pause"])
        #expect(visitors.room.deadline == nil)
        visitors.pass(milliseconds: 3_600_000)
        #expect(visitors.hear("al") == ["PAUSED"])
        #expect(visitors.say("bo", "11").last == "ERROR paused wait for RESUMED")
        #expect(visitors.say("al", "10") == ["OK bid 10"])
        _ = visitors.hear("al")
        #expect(visitors.say("boss", "resume") == ["OK resume", "RESUMED", "COUNTDOWN 7"])
        #expect(visitors.say("boss", "resume") == ["OK resume"])
        visitors.pass(milliseconds: 6999)
        #expect(visitors.hear("al").last == "GOING twice")
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("al") == ["COUNTDOWN 0", "WINNER al 10 60:11.5 lot-1"])
    }

    @Test("the countdown is told again after a pause, though its number is the same")
    func pauseAtOnce() {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        _ = visitors.hear("boss")
        visitors.say("boss", "pause")
        #expect(visitors.say("boss", "resume") == ["OK resume", "RESUMED", "COUNTDOWN 7"])
    }

    @Test("a pause before the first bid, and one between lots, end with RESUMED alone")
    func pauseWithoutCountdown() {
        var visitors = Visitors.presided()
        visitors.say("boss", "pause")
        #expect(visitors.say("boss", "resume") == ["OK resume", "RESUMED"])
        visitors.say("al", "10")
        visitors.say("boss", "hammer")
        visitors.pass(milliseconds: 2900)
        visitors.say("boss", "pause")
        visitors.pass(milliseconds: 60_000)
        _ = visitors.hear("boss")
        #expect(visitors.say("al", "11").last?.hasPrefix("ERROR closed") == true)
        #expect(visitors.say("boss", "resume") == ["OK resume", "RESUMED"])
        visitors.pass(milliseconds: 2999)
        #expect(visitors.hear("boss") == [])
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("boss") == ["LOT 2 lot-2"])
    }

    @Test("a newcomer hears that the sale is paused, after the rest of the snapshot")
    func pausedSnapshot() {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        visitors.pass(milliseconds: 3000)
        visitors.say("boss", "pause")
        visitors.join("cy")
        #expect(
            visitors.hear("cy").dropFirst() == [
                "LOT 1 lot-1", "PRICE 10 al 00:00.0 1", "COUNTDOWN 4", "PAUSED",
            ])
        visitors.say("boss", "hammer")
        #expect(
            visitors.say("cy", "status").suffix(3)
                == ["WINNER al 10 00:03.0 lot-1", "PAUSED", "OK status"])
    }

    @Test("in JSON a paused snapshot has no time that is left")
    func pausedJSON() throws {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        visitors.say("boss", "pause")
        visitors.say("al", "format json")
        let told = visitors.say("al", "status")
        #expect(told.count == 5)
        #expect(!told.contains { $0.contains("remaining") })
        #expect(told[3].hasPrefix(#"{"seq":"#))
        #expect(told[3].contains(#""type":"paused","content":"","#))
    }

    @Test("a slow disk takes nothing of the seconds after a pause and after a void")
    func slowDisk() {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        visitors.say("bo", "11")
        visitors.say("boss", "pause")
        visitors.tellsAtOnce = false
        for order in ["resume", "void"] {
            visitors.say("boss", order)
            visitors.pass(milliseconds: 60_000)
            #expect(visitors.room.deadline == nil)
            visitors.tell()
            visitors.pass(milliseconds: 6_900)
            #expect(visitors.hear("boss").last == "GOING twice")
        }
        visitors.pass(milliseconds: 100)
        #expect(visitors.hear("boss").last?.hasPrefix("WINNER al 10") == true)
    }

    @Test("a pause, a hammer and a void are in time for a price that is not told yet")
    func untold() {
        for order in ["pause", "hammer", "void", "close"] {
            var visitors = Visitors.presided()
            visitors.tellsAtOnce = false
            visitors.say("al", "10")
            visitors.say("boss", order)
            visitors.tell()
            visitors.say("boss", "resume")
            visitors.tell()
            visitors.pass(milliseconds: 20_000)
            let winners = visitors.hear("bo").filter { $0.hasPrefix("WINNER") }
            #expect(winners.count == (order == "pause" || order == "hammer" ? 1 : 0), "\(order)")
        }
    }

    @Test("who asks how things stand is told of a pause, until the sale goes on or is over")
    func standing() {
        var visitors = Visitors.presided(Catalogue(titles: ["Vase"]))
        #expect(!visitors.room.standing.isPaused)
        visitors.say("boss", "pause")
        #expect(visitors.room.standing.isPaused)
        visitors.say("boss", "resume")
        #expect(!visitors.room.standing.isPaused)
        visitors.say("boss", "pause")
        visitors.say("boss", "close")
        #expect(visitors.room.standing.stage == .over)
        #expect(!visitors.room.standing.isPaused)
    }

    @Test("a lot that is sold while paused leaves the sale paused")
    func hammerWhilePaused() {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        visitors.say("boss", "pause")
        #expect(
            visitors.say("boss", "hammer") == [
                "OK hammer", "HAMMERED", "COUNTDOWN 0", "WINNER al 10 00:00.0 lot-1",
            ])
        visitors.pass(milliseconds: 60_000)
        #expect(visitors.hear("boss") == [])
        visitors.say("boss", "resume")
        visitors.pass(milliseconds: 3000)
        #expect(visitors.hear("boss").last == "LOT 2 lot-2")
    }

    @Test("a void while paused tells the price, and the countdown when the sale goes on")
    func voidWhilePaused() {
        var visitors = Visitors.presided()
        visitors.say("bo", "100")
        visitors.say("al", "120")
        visitors.say("boss", "pause")
        _ = visitors.hear("boss")
        #expect(
            visitors.say("boss", "void")
                == ["OK void", "VOIDED 120 al", "PRICE 100 bo 00:00.0 1"])
        #expect(
            visitors.say("boss", "status")
                == ["LOT 1 lot-1", "PRICE 100 bo 00:00.0 1", "PAUSED", "OK status"])
        #expect(visitors.say("boss", "resume") == ["OK resume", "RESUMED", "COUNTDOWN 7"])
    }
}
