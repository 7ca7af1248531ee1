import Auction
import TestSupport
import Testing
import Wire

/// Instants of several loops: not in order, and not yet reached by all loops.
@Suite("Lobby, time")
struct LobbyTimeTests {
    @Test("an expiry before the countdown began sends no more than its full seconds")
    func beforeTheBeginning() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.publishesAtOnce = false
        clients.send("al", "10")
        clients.stall(milliseconds: 100)
        clients.publish()
        _ = clients.received("al")
        clients.stall(milliseconds: -50)
        clients.wake()
        #expect(clients.received("al") == [])
        clients.send("al", "format json")
        let lines = clients.send("al", "status").filter { $0.contains("remainingMilliseconds") }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains(#""remainingMilliseconds":7000"#) })
    }

    @Test("a bid after LAST has the full time while the last reset is not published")
    func untoldLast() {
        var clients = TestClients(Rules(seconds: 7, longest: .seconds(5)))
        clients.connectNamed("al", "bo")
        clients.send("al", "10")
        clients.pass(milliseconds: 5500)
        clients.publishesAtOnce = false
        clients.send("bo", "11")
        clients.send("al", "format json")
        clients.stall(milliseconds: 300)
        clients.send("al", "12")
        let lines = clients.send("al", "status").filter { $0.contains(#""type":"state""#) }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains(#""remainingMilliseconds":7000"#) }, "\(lines)")
    }

    @Test("a bid at an earlier instant than the last one has no shorter elapsed time")
    func earlierBid() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.stall(milliseconds: 5000)
        clients.send("al", "10")
        clients.stall(milliseconds: -3000)
        #expect(clients.send("bo", "11").contains("PRICE 11 bo 00:05.0 2"))
    }

    @Test("the hammer waits until all input up to its instant is handled, and no longer")
    func hammer() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: 6999)
        _ = clients.received("al")
        clients.stall(milliseconds: 500)
        clients.wake(unhandledMilliseconds: 500)
        #expect(clients.received("al") == [])
        clients.wake(unhandledMilliseconds: 499)
        #expect(
            clients.received("al") == ["COUNTDOWN 0", "WINNER al 10 00:07.0 lot-1", "NEXT 3 lot-2"])
    }

    @Test("a bid handled after the hammer's instant is in time if it was received before")
    func heardLate() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.send("al", "10")
        clients.pass(milliseconds: 6999)
        clients.stall(milliseconds: 300)
        clients.wake(unhandledMilliseconds: 300)
        #expect(
            clients.send("bo", "11").suffix(3)
                == ["OK bid 11", "PRICE 11 bo 00:07.3 2", "COUNTDOWN 7"])
    }

    @Test("of two late seconds the next one is sent when the one before has had its time")
    func lateSeconds() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "format json")
        clients.send("al", "10")
        clients.stall(milliseconds: 2100)
        _ = clients.received("al")
        clients.wake(unhandledMilliseconds: 1050)
        clients.wake(unhandledMilliseconds: 90)
        clients.pass(milliseconds: 949)
        let first = clients.received("al")
        #expect(first.count == 1)
        #expect(
            first.allSatisfy {
                $0.contains(#""content":"6""#) && $0.contains(#""remainingMilliseconds":5950"#)
            }, "\(first)")
        clients.pass(milliseconds: 1)
        let second = clients.received("al")
        #expect(
            second.count == 1
                && second.allSatisfy { $0.contains(#""remainingMilliseconds":5000"#) }, "\(second)")
    }

    @Test("a lot opens only when all input up to that instant is handled")
    func opening() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: 7000 + 2999)
        _ = clients.received("al")
        clients.stall(milliseconds: 500)
        clients.wake(unhandledMilliseconds: 500)
        #expect(clients.received("al") == [])
        clients.wake(unhandledMilliseconds: 499)
        #expect(clients.received("al") == ["LOT 2 lot-2"])
    }

    @Test("a hammer that waited a second for other loops gives the full seconds again")
    func longWait() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: 6999)
        _ = clients.received("al")
        clients.stall(milliseconds: 1001)
        clients.wake(unhandledMilliseconds: 0)
        #expect(clients.received("al") == ["COUNTDOWN 7"])
    }

    @Test(
        "for any order of instants: at most the full seconds, never back, nothing due is left",
        arguments: 1...50 as ClosedRange<UInt64>)
    func anyOrder(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        var clients = TestClients(Rules(seconds: 2, allowsSelfRaise: true))
        clients.connectNamed("al")
        clients.join("eve")
        clients.send("eve", "format json")
        clients.publishesAtOnce = false
        for step in 1...300 {
            clients.stall(milliseconds: .random(in: -600...700, using: &dice))
            switch Int.random(in: 0..<6, using: &dice) {
            case 0: clients.send("al", "\(step)")
            case 1: clients.send("al", "status")
            case 2: clients.connectUngreeted("v\(step)")
            case 3: clients.publish()
            default:
                let unheard = Int64.random(in: 0...900, using: &dice)
                clients.wake(unhandledMilliseconds: unheard)
                let handledUntil = clients.now.advanced(by: .milliseconds(-unheard))
                #expect(clients.lobby.deadline.map { $0 > handledUntil } != false)
            }
        }
        var (elapsed, state) = (Duration.zero, LotState())
        for message in clients.news {
            state.merge(json: message.stateMembers ?? [])
            switch message.event {
            case .lotOpened: elapsed = .zero
            case .bidPlaced(let bid):
                #expect(bid.elapsed >= elapsed && state.remaining == .seconds(2))
                elapsed = bid.elapsed
            case .secondsLeft(let seconds):
                #expect((0...2).contains(seconds))
                #expect(seconds == 0 || state.remaining.map { $0 <= .seconds(2) } == true)
            case .lotSold(let sale): #expect(sale.elapsed >= elapsed)
            default: break
            }
        }
    }
}
