import Auction
import House
import Testing
import Wire

/// Sales that wait for their start, games that begin again, and names of lots.
@Suite struct LobbyNightTests {
    private static var waiting: GameSettings {
        var settings = GameSettings(values: .common(100...100, noise: 0), seed: Seed(1))
        settings.options.waits = true
        return settings
    }

    private static let plans = [LotPlan(title: "Vase"), LotPlan(title: "Clock")]

    private func waitingSale() -> TestClients {
        .playing(Rules(seconds: 1), Self.plans, settings: Self.waiting)
    }

    /// Lets the leader win, and waits until the next lot opens.
    private func sellLot(_ clients: inout TestClients, to bidder: String) {
        clients.send(bidder, "40")
        clients.pass(milliseconds: 4100)
    }

    // Waiting

    @Test("a sale that waits tells how many bidders are there, and opens its first lot at start")
    func start() {
        var clients = waitingSale()
        clients.join("late")
        #expect(clients.received("late").last == "WAITING 3")
        #expect(clients.send("late", "name late").suffix(2) == ["JOINED late", "WAITING 4"])
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("al", "40").last?.hasPrefix("ERROR closed") == true)
        #expect(clients.send("al", "start").last?.hasPrefix("ERROR not-auctioneer") == true)
        #expect(clients.send("boss", "start").suffix(2) == ["OK start", "LOT 1 Vase"])
        #expect(clients.send("boss", "start").last?.hasPrefix("ERROR wrong-time") == true)
    }

    @Test("after a restart a sale waits on, unless its first lot has opened")
    func waitingAfterRestart() throws {
        var clients = waitingSale()
        var after = try clients.restarted(Rules(seconds: 1), Self.plans, settings: Self.waiting)
        #expect(after.send("boss", "status").dropLast().last == "WAITING 0")
        clients.send("boss", "start")
        after = try clients.restarted(Rules(seconds: 1), Self.plans, settings: Self.waiting)
        #expect(after.send("boss", "status").contains("LOT 1 Vase"))
        #expect(after.send("boss", "start").last?.hasPrefix("ERROR wrong-time") == true)
    }

    @Test("the state of a sale that waits can be read back, with its titles")
    func waitingState() {
        var clients = waitingSale()
        clients.send("boss", "title 2 Old lamp")
        let recovered = recoveredFromState(of: clients)
        #expect(!recovered.main.hasLot)
        #expect(recovered.main.isWaiting)
        #expect(recovered.main.titles == [2: "Old lamp"])
    }

    @Test("a lot that was added while a sale waits is there after a restart")
    func addedWhileWaiting() throws {
        var clients = waitingSale()
        clients.send("boss", "add Lamp")
        let after = try clients.restarted(
            Rules(seconds: 1), Self.plans, settings: Self.waiting)
        #expect(after.lobby.titlesAhead == ["Vase", "Clock", "Lamp"])
    }

    @Test("a sale that waits cannot be paused")
    func pauseWhileWaiting() {
        var clients = waitingSale()
        for command in ["pause", "resume"] {
            #expect(clients.send("boss", command).last?.hasPrefix("ERROR wrong-time") == true)
        }
        clients.pass(milliseconds: 10_000)
        #expect(clients.send("boss", "status").contains("WAITING 3"))
    }

    // Options

    @Test("options that are set while a sale waits hold for all its lots, also after a restart")
    func options() throws {
        var clients = waitingSale()
        let words = "set seconds=2 format=dutch start=90 step=5 lots=3 pause=4 purse=200"
        #expect(clients.send("boss", words) == ["OK set", "WAITING 3"])
        #expect(clients.received("al") == ["PURSE 200", "WAITING 3"])
        clients.send("boss", "set purse=150 common=none noise=none worth=9..9")
        let recovered = recoveredFromState(of: clients)
        #expect(recovered.main.setOptions?.values == .personal(9...9))
        var after = try clients.restarted(Rules(seconds: 1), Self.plans, settings: Self.waiting)
        for sale in [clients.lobby, after.lobby] {
            #expect(sale.titlesAhead == ["lot-1", "lot-2", "lot-3"])
        }
        after.join("late")
        #expect(after.received("late").contains("GAME lots=3 purse=150 worth=9..9"))
        after.send("boss", "start")
        #expect(after.received("late").contains("TERMS format=dutch seconds=2 start=90 step=5"))
    }

    @Test("an option that is taken back is as when the sale was opened")
    func optionTakenBack() {
        var clients = waitingSale()
        clients.send("boss", "set seconds=2 lots=5 purse=200")
        clients.send("boss", "set seconds=none lots=none purse=none")
        #expect(clients.lobby.titlesAhead == ["Vase", "Clock"])
        let status = clients.send("boss", "status")
        #expect(status.first == "GAME lots=2 common=100..100 noise=0")
        clients.send("boss", "start")
        #expect(clients.received("al").contains { $0.hasPrefix("TERMS") } == false)
    }

    @Test(
        "options that are not allowed change nothing",
        arguments: [
            ("set", "bad-arguments"), ("set wait=no", "bad-option"),
            ("set seconds=0", "bad-option"),
            ("set worth=1..9", "bad-option"), ("set noise=none", "bad-option"),
            ("set seconds=2 format=dutch start=10 reserve=20", "bad-option"),
        ])
    func refusedOptions(_ words: String, _ code: String) {
        var clients = waitingSale()
        #expect(clients.send("boss", words).last?.hasPrefix("ERROR \(code) ") == true)
        clients.send("boss", "start")
        #expect(
            clients.received("al").last { $0.hasPrefix("COUNTDOWN") || $0 == "LOT 1 Vase" } != nil)
        #expect(clients.send("boss", "set seconds=2").last?.hasPrefix("ERROR wrong-time") == true)
    }

    // Titles

    @Test("a lot to come gets another title, also after a restart; one that has opened does not")
    func titles() throws {
        var clients = waitingSale()
        #expect(clients.send("boss", "title 2 Old lamp") == ["OK title", "WAITING 3"])
        for number in [0, 3] {
            let answer = clients.send("boss", "title \(number) Old lamp").last
            #expect(answer?.hasPrefix("ERROR") == true)
        }
        clients.send("boss", "start")
        #expect(clients.send("boss", "title 1 Lamp").last?.hasPrefix("ERROR wrong-time") == true)
        var after = try clients.restarted(Rules(seconds: 1), Self.plans, settings: Self.waiting)
        _ = after.comeBack("al", 1)
        after.forget()
        sellLot(&after, to: "al")
        #expect(after.received("boss").contains("LOT 2 Old lamp"))
        #expect(after.lobby.titlesAhead == [])
    }

    @Test("lots without titles get names that a restart does not change")
    func names() throws {
        var settings = GameSettings()
        settings.options.isNamed = true
        let plans = (1...3).map { LotPlan(title: Lot(number: $0).title) }
        let clients = TestClients.playing(Rules(seconds: 1), plans, settings: settings)
        let title = clients.lobby.titlesAhead
        #expect(title?.contains { $0.hasPrefix("lot-") } == false)
        #expect(title?.count == 2)
        let after = try clients.restarted(Rules(seconds: 1), plans, settings: settings)
        #expect(after.lobby.titlesAhead == title)
    }

    @Test("in a rematch a lot of the list keeps its new title, and one that was added is gone")
    func titlesInRematch() {
        var clients = TestClients.playing(
            Rules(seconds: 1), [LotPlan(title: "Vase")], settings: Self.waiting)
        for command in ["title 1 Lamp", "add Clock", "title 2 Old clock", "start"] {
            clients.send("boss", command)
        }
        for bidder in ["al", "bo"] { sellLot(&clients, to: bidder) }
        clients.forget()
        #expect(clients.send("boss", "rematch").last == "NEXT 3 Lamp")
        clients.send("boss", "add Fresh")
        sellLot(&clients, to: "al")
        sellLot(&clients, to: "al")
        #expect(
            clients.received("bo").filter { $0.hasPrefix("LOT") } == ["LOT 3 Lamp", "LOT 4 Fresh"])
    }

    // Purses

    @Test("who bid only in an earlier game gets no points for the next")
    func pointsOfPlayers() {
        var settings = Self.waiting
        settings.options.showsProfits = true
        var clients = TestClients.playing(
            Rules(seconds: 1), [LotPlan(title: "Vase")], settings: settings)
        clients.send("boss", "start")
        clients.send("al", "30")
        sellLot(&clients, to: "bo")
        clients.send("boss", "rematch")
        clients.pass(milliseconds: 3100)
        sellLot(&clients, to: "eve")
        clients.forget()
        let rows = clients.send("al", "standings")
        #expect(rows.contains { $0.hasPrefix("STANDING 2 al ") && $0.hasSuffix(" points=2") })
        #expect(rows.contains { $0.hasPrefix("STANDING 1 eve ") && $0.hasSuffix(" points=0") })
    }

    @Test("a shared purse follows from the number of bidders when the first lot opens")
    func sharedPurse() throws {
        var settings = Self.waiting
        settings.options.sharesPurse = true
        var clients = TestClients.playing(Rules(seconds: 1), Self.plans, settings: settings)
        #expect(clients.send("boss", "status").first == "GAME lots=2 common=100..100 noise=0")
        clients.send("boss", "start")
        #expect(clients.send("al", "status").contains("PURSE 60"))
        var after = try clients.restarted(Rules(seconds: 1), Self.plans, settings: settings)
        let game = "GAME lots=2 purse=60 common=100..100 noise=0"
        #expect(after.send("boss", "status").first == game)
    }

    @Test("a display name goes when somebody takes that name")
    func displayedNameTaken() {
        var clients = TestClients.playing(Rules(seconds: 1))
        clients.send("al", "display Bob")
        clients.join("bob")
        clients.forget()
        clients.send("bob", "name bob")
        #expect(clients.received("bo") == ["DISPLAY al", "JOINED bob"])
    }

    // Rematches

    @Test("a rematch plays the same lots with full purses, and adds up points")
    func rematch() throws {
        var settings = Self.waiting
        settings.options.purse = price(1000)
        var clients = TestClients.playing(Rules(seconds: 1), Self.plans, settings: settings)
        clients.send("boss", "start")
        #expect(clients.send("boss", "rematch").last?.hasPrefix("ERROR wrong-time") == true)
        sellLot(&clients, to: "al")
        sellLot(&clients, to: "bo")
        clients.send("al", "standings")
        clients.forget()
        #expect(
            clients.send("al", "standings") == [
                "STANDING 1 al lots=1 spent=40 left=960 profit=60 points=3",
                "STANDING 1 bo lots=1 spent=40 left=960 profit=60 points=3",
                "STANDING 3 eve lots=0 spent=0 left=1000 profit=0 points=0", "OK standings 3",
            ])
        let begun = ["OK rematch", "REMATCH 2 3", "NEXT 3 Vase"]
        #expect(clients.send("boss", "rematch") == begun)
        var after = try clients.restarted(Rules(seconds: 1), Self.plans, settings: settings)
        for (client, number) in [("al", 1), ("bo", 2)] { _ = after.comeBack(client, number) }
        after.pass(milliseconds: 3000)
        #expect(after.received("al").contains("LOT 3 Vase"))
        sellLot(&after, to: "al")
        sellLot(&after, to: "bo")
        after.forget()
        #expect(
            after.send("al", "standings").first
                == "STANDING 1 al lots=1 spent=40 left=960 profit=60 points=6")
    }
}
