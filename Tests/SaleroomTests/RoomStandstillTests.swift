import AuctionRules
import Testing

/// What a machine that stood still does to a countdown, which is its server's affair and nobody's
/// loss.
@Suite("Room, standstill")
struct RoomStandstillTests {
    @Test(
        "a second that was never told gives the full seconds again, and one told late does not",
        arguments: [
            (900, 100, "COUNTDOWN 6"), (900, 1099, "COUNTDOWN 6"), (900, 1100, "COUNTDOWN 7"),
            (900, 60_000, "COUNTDOWN 7"), (3000, 1999, "COUNTDOWN 3"), (3000, 2000, "COUNTDOWN 7"),
            (4500, 1499, "COUNTDOWN 2"), (4500, 1500, "COUNTDOWN 7"),
        ] as [(Int64, Int64, String)])
    func restart(passed: Int64, stalled: Int64, told: String) {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: passed)
        _ = visitors.hear("al")
        visitors.stall(milliseconds: stalled)
        visitors.wake()
        #expect(visitors.hear("al").first == told)
    }

    @Test(
        "the hammer falls late, and not before the full seconds if the last one was missed",
        arguments: [
            (1, 0, true), (1, 999, true), (1, 1000, false), (7, 999, true), (7, 1000, false),
        ]
            as [(Int, Int64, Bool)])
    func hammer(seconds: Int, late: Int64, falls: Bool) {
        var visitors = Visitors(Rules(seconds: seconds))
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: Int64(seconds) * 1000 - 1)
        _ = visitors.hear("al")
        visitors.stall(milliseconds: 1 + late)
        visitors.wake()
        let hammer = ["COUNTDOWN 0", "WINNER al 10 00:0\(seconds).0 lot-1"]
        #expect(visitors.hear("al") == (falls ? hammer : ["COUNTDOWN \(seconds)"]))
    }

    @Test("the full seconds after a standstill are told one by one, and then the hammer falls")
    func fullCountdown() {
        var visitors = Visitors(Rules(seconds: 3))
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.stall(milliseconds: 60_000)
        visitors.wake()
        visitors.pass(milliseconds: 2999)
        #expect(
            visitors.hear("al") == ["COUNTDOWN 3", "COUNTDOWN 2", "COUNTDOWN 1"])
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("al") == ["COUNTDOWN 0", "WINNER al 10 01:03.0 lot-1"])
    }

    @Test(
        "the full seconds after a standstill run from when they are told, however long a disk takes"
    )
    func slowDisk() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.tellsAtOnce = false
        visitors.stall(milliseconds: 60_000)
        visitors.wake()
        visitors.pass(milliseconds: 60_000)
        visitors.tell()
        visitors.pass(milliseconds: 6_999)
        #expect(visitors.hear("al").last == "GOING twice")
        visitors.pass(milliseconds: 1)
        #expect(visitors.hear("al").last == "WINNER al 10 02:07.0 lot-1")
    }

    @Test("a bid heard in the turn that ends a standstill counts first, and sets its own countdown")
    func bidAfterStandstill() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 6900)
        _ = visitors.hear("bo")
        visitors.stall(milliseconds: 5000)
        #expect(
            visitors.say("bo", "11")
                == ["OK bid 11", "PRICE 11 bo 00:11.9 2", "COUNTDOWN 7"])
        visitors.wake()
        #expect(visitors.hear("bo") == [])
    }
}
