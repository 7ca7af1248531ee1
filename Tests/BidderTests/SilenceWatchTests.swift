import Auction
import Basics
import Bidder
import BidderSupport
import Testing
import Wire

@Suite struct SilenceTests {
    /// A step of a watch at a time in milliseconds since the greeting.
    enum Step: Sendable {
        case line(Int)
        case event(SaleEvent, Int)
        case restart(Int)
    }

    private static func instant(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    private static let passed = SaleEvent.lotPassed(
        Lot(number: 1), reason: "closed", elapsed: nil)
    private static let bid = lap(1, 5, "bob")
    private static let voided = SaleEvent.bidVoided(
        VoidedBid(number: 2, price: price(9), bidder: bidder("zoe"), leading: bid))

    @Test(
        "a line may be two seconds late, and an idle server is asked after 15 s",
        arguments: [
            ([], nil, 15_000), ([.line(16_000)], nil, 31_000),
            ([.line(1_000), .event(.secondsLeft(7), 1_000)], 4_000, 16_000),
            ([.event(.secondsLeft(7), 0), .line(2_000)], 4_000, 17_000),
            ([.event(.nextAnnounced(title: "Clock", seconds: 3), 0)], 5_000, 15_000),
            ([.event(.secondsLeft(7), 0), .restart(60_000)], 62_000, 75_000),
            ([.event(.secondsLeft(7), 0), .event(.secondsLeft(0), 0)], nil, 15_000),
            ([.event(.secondsLeft(7), 0), .event(.paused, 0)], nil, 15_000),
            // After a void the price before it is repeated, without a countdown.
            ([.event(.paused, 0), .event(voided, 0), .event(.bidPlaced(bid), 0)], nil, 15_000),
            (
                [.event(.paused, 0), .event(.resumed, 1_000), .event(.bidPlaced(bid), 1_000)],
                4_000, 15_000
            ),
            ([.event(.secondsLeft(7), 0), .event(passed, 0)], nil, 15_000),
            ([.event(.secondsLeft(7), 0), .event(.ended(lots: 1), 0)], nil, 15_000),
        ] as [([Step], Int?, Int)])
    func watch(steps: [Step], silentAt: Int?, pingAt: Int) {
        var watch = SilenceWatch()
        watch.begin(at: Self.instant(0))
        for step in steps {
            switch step {
            case .line(let time): watch.noteLine(at: Self.instant(time))
            case .event(let event, let time): watch.follow(event, at: Self.instant(time))
            case .restart(let time): watch.restart(at: Self.instant(time))
            }
        }
        #expect(watch.deadline == silentAt.map(Self.instant))
        #expect(watch.pingDue == Self.instant(pingAt))
    }
}
