import Auction
import House
import TestSupport
import Testing
import Wire

@Suite struct LobbyLotsRecoveryTests {
    @Test("the time after which a lot was closed is recovered")
    func passed() throws {
        var before = TestClients(Rules(seconds: 7), Catalogue(titles: ["Vase"]))
        before.preside()
        before.pass(milliseconds: 3000)
        before.send("boss", "close")
        let after = try recovered(before.journal).main
        #expect(
            after.results.map(\.outcome)
                == [.passed(reason: "closed", elapsed: .milliseconds(3020))])
    }

    @Test("between two lots the pause begins again, and the next lot follows")
    func betweenLots() throws {
        var before = TestClients()
        before.connectNamed("al")
        before.send("al", "5")
        before.pass(milliseconds: 9000)
        var after = TestClients(resuming: try recovered(before.journal))
        after.join("eve")
        #expect(after.received("eve").contains("WINNER al 5 00:07.0 lot-1"))
        after.pass(milliseconds: 2979)
        #expect(after.received("eve") == [])
        after.pass(milliseconds: 1)
        #expect(after.received("eve") == ["LOT 2 lot-2"])
    }

    @Test("a sale that was cut off before OVER or its champion is over at once")
    func cutBeforeOver() throws {
        let catalogue = Catalogue(titles: ["Vase"])
        var before = TestClients(Rules(seconds: 7), catalogue)
        before.connectNamed("al")
        before.send("al", "5")
        before.pass(milliseconds: 9000)
        let end = ["OVER 1", "CHAMPION al 1"]
        for missing in 1...2 {
            let cut = Array(before.journal.dropLast(missing))
            let after = TestClients(Rules(seconds: 7), catalogue, resuming: try recovered(cut))
            #expect(after.journal.map(\.record.text) == ["LEFT al"] + end.suffix(missing))
        }
    }

    @Test("a sale that is over stays over, until it is given more lots")
    func over() throws {
        let rules = Rules(seconds: 7)
        var before = TestClients(rules, Catalogue(titles: ["Vase"]))
        before.connectNamed("al")
        before.send("al", "5")
        before.lose("al")
        before.pass(milliseconds: 9000)
        let replay = try recovered(before.journal)
        var same = TestClients(rules, Catalogue(titles: ["Vase"]), resuming: replay)
        same.join("eve")
        #expect(
            same.received("eve").suffix(3)
                == ["WINNER al 5 00:07.0 Vase", "OVER 1", "CHAMPION al 1"])
        #expect(same.journal.isEmpty)
        let longer = TestClients(rules, Catalogue(titles: ["Vase", "Clock"]), resuming: replay)
        #expect(longer.journal.map(\.record.text) == ["LOT 2 Clock"])
    }

    @Test(
        "after a restart with another list of lots comes what was not auctioned yet",
        arguments: [
            (["Vase", "Clock", "Lamp"], ["Lamp"]),
            (["Vase", "Clock", "Lamp", "Rug"], ["Lamp", "Rug"]),
            (["Rug", "Vase", "Sofa"], ["Rug", "Sofa"]), (["Clock", "Vase"], []), (["Rug"], ["Rug"]),
            (["Vase", "Vase", "Clock"], ["Vase"]), (["Lamp", "Vase", "Rug"], ["Lamp", "Rug"]),
        ])
    func changedList(titles: [String], ahead: [String]) throws {
        let rules = Rules(seconds: 7)
        var before = TestClients(rules, Catalogue(titles: ["Vase", "Clock", "Lamp"]))
        before.preside()
        before.send("boss", "close")
        before.pass(milliseconds: 3_000)
        #expect(before.received("boss").last == "LOT 2 Clock")
        let whole = try recovered(before.journal)
        var state = ServerReplay()
        state.beginSegment(
            first: whole.main.eventNumber + 1, state: before.lobby.mainState.count)
        for line in before.lobby.mainState {
            let isTaken = state.replay(line.record, number: line.number)
            #expect(isTaken)
        }
        for recovered in [whole, state] {
            var after = TestClients(rules, Catalogue(titles: titles), resuming: recovered)
            #expect(after.lobby.titlesAhead == ahead)
            after.preside()
            #expect(after.send("boss", "status").first == "LOT 2 Clock")
            for (index, title) in ahead.enumerated() {
                after.send("boss", "close")
                after.pass(milliseconds: 3_000)
                #expect(after.received("boss").last == "LOT \(index + 3) \(title)")
            }
            #expect(after.send("boss", "close").last == "OVER \(ahead.count + 2)")
        }
    }

    @Test("a lot that had the title of its number is not auctioned again after a restart")
    func numberedTitles() throws {
        let rules = Rules(seconds: 7)
        let catalogue = Catalogue(titles: ["lot-1", "lot-2", "lot-2"])
        var before = TestClients(rules, catalogue)
        before.preside()
        before.send("boss", "close")
        before.pass(milliseconds: 3_000)
        let open = TestClients(rules, catalogue, resuming: try recovered(before.journal))
        #expect(open.lobby.titlesAhead == ["lot-2"])
        for _ in 2...3 {
            before.send("boss", "close")
            before.pass(milliseconds: 3_000)
        }
        let over = TestClients(rules, catalogue, resuming: try recovered(before.journal))
        #expect(over.lobby.titlesAhead == [])
        #expect(over.lobby.status.stage == .over)
    }
}
