import AuctionRules
import TestSupport
import Testing
import Wire

/// Instants as several loops give them: some earlier than others, and some not reached by all yet.
@Suite("Room, time")
struct RoomTimeTests {
    @Test("an expiry at an instant before the countdown began tells no more than its full seconds")
    func beforeTheBeginning() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.tellsAtOnce = false
        visitors.say("al", "10")
        visitors.stall(milliseconds: 100)
        visitors.tell()
        _ = visitors.hear("al")
        visitors.stall(milliseconds: -50)
        visitors.wake()
        #expect(visitors.hear("al") == [])
        visitors.say("al", "format json")
        let told = visitors.say("al", "status").filter { $0.contains("remainingMilliseconds") }
        #expect(told.count == 2)
        #expect(told.allSatisfy { $0.contains(#""remainingMilliseconds":7000"#) })
    }

    @Test("a bid after LAST has the full time left while the last reset has not been told")
    func untoldLast() {
        var visitors = Visitors(Rules(seconds: 7, longest: .seconds(5)))
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 5500)
        visitors.tellsAtOnce = false
        visitors.say("bo", "11")
        visitors.say("al", "format json")
        visitors.stall(milliseconds: 300)
        let told = visitors.say("al", "12").filter { $0.contains(#""type":"price""#) }
        #expect(told.count == 1)
        #expect(told.allSatisfy { $0.contains(#""remainingMilliseconds":7000"#) }, "\(told)")
    }

    @Test("a bid at an instant before that of the last one has no less time behind it")
    func earlierBid() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.stall(milliseconds: 5000)
        visitors.say("al", "10")
        visitors.stall(milliseconds: -3000)
        #expect(visitors.say("bo", "11").contains("PRICE 11 bo 00:05.0 2"))
    }

    @Test("the hammer waits until everybody has been heard up to its instant, and no longer")
    func hammer() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 6999)
        _ = visitors.hear("al")
        visitors.stall(milliseconds: 500)
        visitors.wake(unheardMilliseconds: 500)
        #expect(visitors.hear("al") == [])
        visitors.wake(unheardMilliseconds: 499)
        #expect(visitors.hear("al") == ["COUNTDOWN 0", "WINNER al 10 00:07.0 lot-1"])
    }

    @Test("a bid that is heard late, after the hammer's instant has passed, is in time")
    func heardLate() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 6999)
        visitors.stall(milliseconds: 300)
        visitors.wake(unheardMilliseconds: 300)
        #expect(
            visitors.say("bo", "11").suffix(3)
                == ["OK bid 11", "PRICE 11 bo 00:07.3 2", "COUNTDOWN 7"])
    }

    @Test("seconds that are reported late are told one by one, each with the time left")
    func lateSeconds() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "format json")
        visitors.say("al", "10")
        visitors.stall(milliseconds: 2100)
        _ = visitors.hear("al")
        visitors.wake(unheardMilliseconds: 1050)
        visitors.wake(unheardMilliseconds: 90)
        let told = visitors.hear("al")
        #expect(told.count == 2)
        for (line, number) in zip(told, [6, 5]) {
            #expect(line.contains(#""content":"\#(number)""#), "\(line)")
            #expect(line.contains(#""remainingMilliseconds":4900"#), "\(line)")
        }
    }

    @Test("a lot opens only when everybody has been heard up to that instant")
    func opening() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 7000 + 2999)
        _ = visitors.hear("al")
        visitors.stall(milliseconds: 500)
        visitors.wake(unheardMilliseconds: 500)
        #expect(visitors.hear("al") == [])
        visitors.wake(unheardMilliseconds: 499)
        #expect(visitors.hear("al") == ["LOT 2 lot-2"])
    }

    @Test("a hammer that waited a second for others gives the full seconds again")
    func longWait() {
        var visitors = Visitors()
        visitors.joinNamed("al")
        visitors.say("al", "10")
        visitors.pass(milliseconds: 6999)
        _ = visitors.hear("al")
        visitors.stall(milliseconds: 1001)
        visitors.wake(unheardMilliseconds: 0)
        #expect(visitors.hear("al") == ["COUNTDOWN 7"])
    }

    @Test(
        "whatever the order of instants: full seconds at most, no way back, and nothing due is left",
        arguments: 1...50 as ClosedRange<UInt64>)
    func anyOrder(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        var visitors = Visitors(Rules(seconds: 2, allowsSelfRaise: true))
        visitors.joinNamed("al")
        visitors.tellsAtOnce = false
        for step in 1...300 {
            visitors.stall(milliseconds: .random(in: -600...700, using: &dice))
            switch Int.random(in: 0..<6, using: &dice) {
            case 0: visitors.say("al", "\(step)")
            case 1: visitors.say("al", "status")
            case 2: visitors.arrive("v\(step)")
            case 3: visitors.tell()
            default:
                let unheard = Int64.random(in: 0...900, using: &dice)
                visitors.wake(unheardMilliseconds: unheard)
                let handledUntil = visitors.now.advanced(by: .milliseconds(-unheard))
                #expect(visitors.room.deadline.map { $0 > handledUntil } != false)
            }
        }
        var elapsed = Duration.zero
        for message in visitors.news {
            switch message {
            case .lot: elapsed = .zero
            case .price(let bid, _, let remaining):
                #expect(bid.elapsed >= elapsed && remaining == .seconds(2))
                elapsed = bid.elapsed
            case .countdown(let seconds, let remaining):
                #expect((0...2).contains(seconds))
                #expect(remaining.map { (.zero ... .seconds(2)).contains($0) } == true)
            case .winner(let sale): #expect(sale.elapsed >= elapsed)
            default: break
            }
        }
    }
}
