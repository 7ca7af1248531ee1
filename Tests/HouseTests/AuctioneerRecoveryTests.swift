import Auction
import House
import Testing
import Wire

@Suite struct AuctioneerRecoveryTests {
    @Test("a paused sale is paused after a restart, until it is resumed")
    func paused() throws {
        var before = TestClients.presided()
        before.send("al", "10")
        before.pass(milliseconds: 3000)
        before.send("boss", "pause")
        let replay = try recovered(before.journal)
        #expect(replay.main.summary == "lot 1 open at 10 by al, 1 bid, paused")
        var after = TestClients(resuming: replay)
        after.preside()
        #expect(after.lobby.deadline == nil)
        #expect(
            after.send("boss", "status") == [
                "LOT 1 lot-1", "PRICE 10 al 00:00.0 1", "COUNTDOWN 4", "PAUSED", "OK status",
            ])
        #expect(after.send("boss", "resume") == ["OK resume", "RESUMED", "COUNTDOWN 7"])
    }

    @Test("a pause between lots survives a restart too")
    func pausedBetweenLots() throws {
        var before = TestClients.presided()
        before.send("boss", "pause")
        before.send("boss", "close")
        var after = TestClients(resuming: try recovered(before.journal))
        after.preside()
        after.pass(milliseconds: 60_000)
        #expect(after.send("boss", "status") == ["PASSED 1 closed lot-1", "PAUSED", "OK status"])
        after.send("boss", "resume")
        after.pass(milliseconds: 3000)
        #expect(after.received("boss").last == "LOT 2 lot-2")
    }

    @Test("a `hammer` whose winner is missing in the journal sells the lot after the restart")
    func cutBehindHammer() throws {
        var before = TestClients.presided()
        before.send("al", "10")
        before.send("boss", "pause")
        before.send("boss", "hammer")
        for lines in 1...2 {
            let cut = Array(before.journal.dropLast(lines))
            let after = TestClients(resuming: try recovered(cut))
            let words = after.journal.map(\.record.text)
            #expect(words == ["LEFT al", "LEFT bo", "COUNTDOWN 0", "WINNER al 10 00:00.0 lot-1"])
            let whole = try recovered(cut + after.journal)
            #expect(whole.main.auction.isClosed && whole.main.auction.isPaused)
        }
    }

    @Test("a void whose price was cut off is complete after the restart")
    func cutBehindVoid() throws {
        var before = TestClients.presided()
        before.send("al", "10")
        before.send("bo", "12")
        before.send("boss", "void")
        let cut = Array(before.journal.dropLast(2))
        #expect(cut.last?.record.text == "VOIDED 12 bo 2 10 al 00:00.0 1")
        let after = TestClients(resuming: try recovered(cut))
        #expect(
            after.journal.map(\.record.text)
                == ["LEFT al", "LEFT bo", "COUNTDOWN 7"])
        #expect(try recovered(cut + after.journal).main.auction.bids.map(\.number) == [1])
    }

    @Test("a lot whose bids no longer reset the countdown stays so after a void and a restart")
    func lastAfterVoid() throws {
        let rules = Rules(seconds: 7, longest: .seconds(1))
        var before = TestClients(rules)
        before.preside()
        before.connectNamed("al", "bo")
        before.send("al", "10")
        before.pass(milliseconds: 2_000)
        before.send("bo", "12")
        before.send("al", "14")
        before.send("boss", "void")
        #expect(before.journal.map(\.record.text).filter { $0 == "LAST" }.count == 1)
        var after = TestClients(rules, resuming: try recovered(before.journal))
        #expect(after.lobby.mainState.contains { $0.record.text == "LAST" })
        after.join("eve")
        #expect(after.received("eve").last == "LAST")
    }

    @Test("a stopped server continues when it is started again")
    func stopped() throws {
        var before = TestClients.presided()
        before.send("al", "10")
        before.send("boss", "stop")
        #expect(before.journal.last?.record.text == "STOPPED")
        var after = TestClients(resuming: try recovered(before.journal))
        after.pass(milliseconds: 7000)
        #expect(
            after.journal.suffix(2).map(\.record.text)
                == ["WINNER al 10 00:07.0 lot-1", "NEXT 3 lot-2"])
    }

    @Test("the maximum number of voids can be replayed from a state before them")
    func deepVoids() throws {
        var clients = TestClients(Rules(seconds: 7, allowsSelfRaise: true))
        clients.preside()
        clients.connectNamed("al")
        for amount in 1...1200 { clients.send("al", "\(amount)") }
        var fromState = recoveredFromState(of: clients)
        let start = clients.journal.count
        while clients.send("boss", "void").contains("OK void") {}
        for line in clients.journal[start...] {
            let isTaken = fromState.replay(line.record, number: line.number)
            #expect(isTaken)
        }
        #expect(fromState.main.auction.leading?.number == 1200 - Auction.mostVoided)
        var after = TestClients(resuming: recoveredFromState(of: clients))
        after.preside()
        #expect(after.send("boss", "laps").last == "OK laps \(1200 - Auction.mostVoided)")
    }

    @Test("with only the newest bids known, all but the oldest of them can be voided")
    func lastKnown() throws {
        var clients = TestClients(Rules(seconds: 7, allowsSelfRaise: true))
        clients.connectNamed("al")
        for amount in 1...1200 { clients.send("al", "\(amount)") }
        var after = TestClients(
            Rules(seconds: 7, allowsSelfRaise: true), resuming: recoveredFromState(of: clients))
        after.preside()
        var count = 0
        while after.send("boss", "void").contains("OK void") { count += 1 }
        #expect(count == Auction.mostVoided)
        #expect(after.send("boss", "void").first?.hasPrefix("ERROR no-bids") == true)
        #expect(after.send("boss", "close").contains("PASSED 1 closed lot-1"))
    }
}
