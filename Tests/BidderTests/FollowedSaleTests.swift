import Auction
import Bidder
import BidderSupport
import TestSupport
import Testing
import Wire

/// A followed sale, and the server whose news it receives.
private struct PlayedSale {
    var sale = FollowedSale()
    private var server = StageSale(seconds: 7, step: price(1))

    init(at now: Duration = .zero, _ messages: [ServerMessage] = []) {
        for message in messages { receive(message, at: now) }
    }

    mutating func receive(_ messages: ServerMessage..., at now: Duration = .zero) {
        for message in messages { sale.follow(server.apply(message, at: now), at: now) }
    }

    func countdown(at now: Duration) -> TimeLeft? { sale.timeLeft(at: now) }
}

/// The sale as a view follows it: its state, and the clocks of the lot.
@Suite struct FollowedSaleTests {
    static let vase = Lot(number: 1, title: "Vase")
    static let opened = ServerMessage.event(.lotOpened(vase))
    static let bid = ServerMessage.event(.bidPlaced(lap(1, 5, "bob", at: .seconds(2))))
    static let sold = lotSold(1, "Vase", to: "bob", for: 5, at: .seconds(9))
    static let passed = ServerMessage.event(.lotPassed(vase, reason: "no-bids", elapsed: nil))

    @Test("the state follows the news, and a whole state replaces it")
    func states() {
        var played = PlayedSale()
        #expect(played.sale.state.stage == .waiting)
        played.receive(Self.opened, Self.bid)
        #expect(played.sale.state.leader == bidder("bob") && played.sale.state.least == price(6))
        played.receive(.event(.paused))
        #expect(played.sale.state.isOpen && played.sale.state.stage == .paused)
        played.receive(.event(.resumed), Self.sold)
        #expect(played.sale.state.winner == bidder("bob") && played.sale.state.least == nil)
        played.receive(.state(Array(#"{"stage":"open","leader":null,"lot":2}"#.utf8)))
        #expect(
            played.sale.state.lot == 2 && played.sale.state.isOpen
                && played.sale.state.leader == nil)
    }

    @Test("before any lot there is no time")
    func unknown() {
        #expect(PlayedSale().sale.elapsed(at: .zero) == nil)
        #expect(PlayedSale().sale.runningSince == nil)
    }

    @Test("the elapsed time of the state sets the opening, and the end of the lot stops it")
    func clock() {
        for end in [Self.sold, Self.passed] {
            var played = PlayedSale(at: .seconds(10))
            played.receive(
                .event(.lotOpened(Self.vase), .init(start: nil, elapsed: .seconds(3))),
                at: .seconds(10))
            #expect(played.sale.runningSince == .seconds(7))
            #expect(played.sale.elapsed(at: .seconds(12)) == .seconds(5))
            played.receive(end, at: .seconds(16))
            #expect(played.sale.elapsed(at: .seconds(99)) == .seconds(9))
            #expect(played.sale.runningSince == nil && played.sale.openedAt == .seconds(7))
            played.receive(.event(.lotOpened(Lot(number: 2))), at: .seconds(25))
            #expect(played.sale.runningSince == .seconds(25))
        }
    }

    @Test("after connecting between lots the length of the last lot is known, but not its opening")
    func newcomer() {
        var server = StageSale()
        for message in [Self.opened, Self.bid, Self.sold] {
            _ = server.apply(message, at: .zero)
        }
        var sale = FollowedSale()
        for message in server.snapshot(at: .seconds(20)) { sale.follow(message, at: .seconds(20)) }
        #expect(sale.elapsed(at: .seconds(30)) == .seconds(9))
        #expect(sale.openedAt == nil && sale.state.winner == bidder("bob"))
    }
}

/// The countdown as far as the server has announced it.
@Suite struct CountdownTests {
    /// A sale whose countdown of 7 s began at 0 s.
    private let counting = PlayedSale(at: .zero, [FollowedSaleTests.opened, FollowedSaleTests.bid])

    @Test("no countdown runs before the first bid, in a pause, or after the end of the lot")
    func none() {
        #expect(PlayedSale(at: .zero, [FollowedSaleTests.opened]).countdown(at: .zero) == nil)
        for end: ServerMessage in [
            .event(.lotOpened(Lot(number: 2))), FollowedSaleTests.sold, FollowedSaleTests.passed,
            .event(.paused),
        ] {
            var played = counting
            played.receive(end, at: .seconds(2))
            #expect(played.countdown(at: .seconds(2)) == nil)
        }
    }

    @Test("the time left decreases to 0")
    func shrinks() {
        #expect(
            counting.sale.timeLeft(at: .milliseconds(2500))?.remaining == .milliseconds(4500))
        #expect(counting.sale.timeLeft(at: .seconds(20))?.remaining == .zero)
    }

    @Test(
        "COUNTDOWN corrects the countdown",
        arguments: [
            // Milliseconds sent, and milliseconds shown 2 s after the bid.
            (4600, 4600), (5000, 5000),
            // News that is late must not turn it back.
            (5300, 5000), (5999, 5000),
            // A server that stood still for a second or more may.
            (6000, 6000), (6800, 6800),
        ])
    func corrected(remaining: Int, expected: Int) {
        var sale = counting.sale
        let left = [UInt8](remaining: .milliseconds(remaining))
        sale.follow(.event(.secondsLeft(5), left), at: .seconds(2))
        #expect(sale.timeLeft(at: .seconds(2))?.remaining == .milliseconds(expected))
    }

    @Test(
        "the countdown never shows more than the last message, however late it was",
        arguments: 0..<20)
    func neverMore(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (sale, now) = (counting.sale, 0)
        for _ in 0..<200 {
            now += Int.random(in: 0...1500, using: &random)
            let left = Int.random(in: 0...7000, using: &random)
            let isBid = Bool.random(using: &random)
            let state = [UInt8](remaining: .milliseconds(left))
            let event = isBid ? SaleEvent.bidPlaced(lap(1, 5, "bob")) : .secondsLeft(left / 1000)
            sale.follow(.event(event, state), at: .milliseconds(now))
            let later = Int.random(in: 0...1000, using: &random)
            let shown = sale.timeLeft(at: .milliseconds(now + later))?.remaining
            #expect(shown.map { $0 <= .milliseconds(max(0, left - later)) } == true)
        }
    }

    @Test("a warning is shown until the next bid")
    func warnings() {
        var played = counting
        played.receive(
            .event(.secondsLeft(3)), .event(.warned(.once)), .event(.secondsLeft(2)),
            at: .seconds(5))
        #expect(played.countdown(at: .seconds(5))?.warning == .once)
        played.receive(.event(.bidPlaced(lap(2, 7, "zoe"))), at: .seconds(6))
        #expect(played.countdown(at: .seconds(6))?.warning == nil)
    }
}

@Suite struct TimeLeftTests {
    @Test(
        "whole seconds are rounded up",
        arguments: [(0, 0), (1, 1), (999, 1), (1000, 1), (1001, 2), (6999, 7), (7000, 7)])
    func seconds(milliseconds: Int, expected: Int64) {
        let countdown = TimeLeft(remaining: .milliseconds(milliseconds), warning: nil)
        #expect(countdown.seconds == expected)
    }

    @Test(
        "the fraction is from 0 to 1",
        arguments: [
            (0, 7, 0), (3500, 7, 0.5), (7000, 7, 1), (9000, 7, 1), (500, 0, 0.5), (5000, 0, 1),
        ] as [(Int, Int, Double)])
    func fraction(milliseconds: Int, seconds: Int, expected: Double) {
        let countdown = TimeLeft(remaining: .milliseconds(milliseconds), warning: nil)
        #expect(countdown.fraction(ofSeconds: seconds) == expected)
    }
}
