import Auction
import House
import Testing
import Wire

/// Restarts, and the auctioneer's commands, in the middle of lots of each format.
@Suite struct LobbyFormatsRecoveryTests {
    private static let dutch = Rules.clocked(.dutch, start: 100, step: 10, reserve: 60)
    private static let settings = GameSettings(
        purse: price(1000), values: .common(50...150, noise: 20), seed: Seed(7))

    // Restarts

    @Test("sealed bids survive a restart in secret, and the countdown begins again in full")
    func sealedRestart() throws {
        let rules = Rules.clocked(.vickrey)
        var before = TestClients.playing(rules)
        before.send("al", "80")
        before.send("bo", "70")
        before.pass(milliseconds: 5000)
        var after = try before.restarted(rules)
        after.join("eve")
        #expect(
            after.received("eve").dropFirst() == [
                "LOT 1 lot-1", "TERMS format=vickrey seconds=10 start=1 step=1", "SEALED 2",
                "COUNTDOWN 5",
            ])
        after.pass(milliseconds: 60_000)
        #expect(after.received("eve").isEmpty)
        let lines = after.comeBack("al", 1)
        #expect(lines.dropFirst() == ["YOURS 80", "JOINED al", "COUNTDOWN 10"])
        after.pass(milliseconds: 10_000)
        #expect(
            after.received("eve").suffix(4) == [
                "REVEALED 80 al", "REVEALED 70 bo", "WINNER al 70 01:10.1 lot-1", "NEXT 3 lot-2",
            ])
    }

    @Test("a Dutch lot continues from its asking price, with the time of those that remain")
    func dutchRestart() throws {
        var before = TestClients.playing(Self.dutch)
        before.send("bo", "say I wait")
        before.pass(milliseconds: 4000)
        var after = try before.restarted(Self.dutch)
        after.join("al")
        #expect(
            after.received("al").suffix(3) == [
                "TERMS format=dutch seconds=10 start=100 step=10 reserve=yes", "ASK 80",
                "COUNTDOWN 6",
            ])
        #expect(after.send("al", "name al").suffix(2) == ["JOINED al", "COUNTDOWN 6"])
        after.pass(milliseconds: 2000)
        #expect(after.received("al") == ["COUNTDOWN 5", "ASK 70", "COUNTDOWN 4"])
    }

    @Test("a maximum survives a restart, and still bids")
    func maximumRestart() throws {
        let rules = Rules(seconds: 7)
        var before = TestClients.playing(rules)
        before.send("al", "max 100")
        before.send("bo", "50")
        var after = try before.restarted(rules)
        #expect(after.comeBack("al", 1).contains("MAX 100"))
        _ = after.comeBack("bo", 2)
        #expect(
            after.send("bo", "60").suffix(2) == ["PRICE 60 bo 00:00.1 4", "PRICE 61 al 00:00.1 5"])
    }

    @Test(
        "whatever the last event that became durable, a restart continues the game to its end",
        arguments: AuctionFormat.allCases)
    func everyCut(format: AuctionFormat) throws {
        let rules = Rules(
            seconds: 5, start: price(format == .dutch ? 100 : 10),
            step: price(format == .dutch ? 20 : 5), format: format, reserve: price(20),
            buy: format == .dutch ? nil : price(200))
        let plans = [LotPlan(title: "Vase"), LotPlan(title: "Clock")]
        var clients = TestClients.playing(rules, plans, settings: Self.settings)
        for line in ["max 60", "bid 15", "bid 30"] { clients.send("al", line) }
        for line in ["max 60", "bid 25", "bid 50"] { clients.send("bo", line) }
        clients.pass(milliseconds: 1500)
        clients.send("boss", "pause")
        clients.send("boss", "resume")
        clients.send("boss", "void")
        clients.send("eve", "bid 40")
        clients.send("boss", "mute eve")
        clients.send("boss", "add Lamp")
        clients.send("boss", "kick bo reason")
        clients.send("boss", "hammer")
        clients.pass(milliseconds: 3500)
        clients.send("al", "buy")
        clients.send("al", "take")
        clients.pass(milliseconds: 30_000)
        let journal = clients.journal
        for count in 1...journal.count {
            var after = TestClients(
                rules, Catalogue(plans: plans), settings: Self.settings,
                resuming: try recovered(Array(journal.prefix(count))), tokens: 100)
            after.join("x")
            after.send("x", "name x")
            after.pass(milliseconds: 30_000)
            #expect(
                after.lobby.status.stage != .open || after.lobby.status.isPaused
                    || format == .english)
            _ = try recovered(Array(journal.prefix(count)) + after.journal)
        }
        _ = recoveredFromState(of: clients)
    }

    // The auctioneer

    @Test("a pause stops the countdown of each format, and it is full again after it")
    func pause() {
        for (rules, after) in [
            (Rules.clocked(.sealed), "COUNTDOWN 10"), (Self.dutch, "COUNTDOWN 8"),
        ] {
            var clients = TestClients.playing(rules)
            clients.pass(milliseconds: 2500)
            clients.send("boss", "pause")
            clients.forget()
            clients.pass(milliseconds: 60_000)
            #expect(clients.received("al").isEmpty)
            #expect(clients.send("al", "bid 100").first == "ERROR paused wait for RESUMED")
            #expect(clients.send("boss", "resume") == ["OK resume", "RESUMED", after])
        }
    }

    @Test("the hammer reveals sealed bids at once, and closing a lot reveals none")
    func hammerAndClose() {
        var clients = TestClients.playing(.clocked(.sealed))
        #expect(clients.send("boss", "hammer").last?.hasPrefix("ERROR no-bids ") == true)
        clients.send("al", "80")
        #expect(clients.send("boss", "void").last?.hasPrefix("ERROR wrong-format ") == true)
        clients.forget()
        #expect(
            clients.send("boss", "hammer") == [
                "OK hammer", "HAMMERED", "COUNTDOWN 0", "REVEALED 80 al",
                "WINNER al 80 00:00.0 lot-1", "NEXT 3 lot-2",
            ])
        clients.pass(milliseconds: 3000)
        clients.send("al", "80")
        clients.forget()
        #expect(
            clients.send("boss", "close") == ["OK close", "PASSED 2 closed lot-2", "NEXT 3 lot-3"])
    }

    @Test("a kick takes back the sealed bid and the maximum of the bidder")
    func kick() {
        var clients = TestClients.playing(.clocked(.sealed))
        clients.send("al", "80")
        clients.send("bo", "70")
        clients.forget()
        clients.send("boss", "kick al why")
        #expect(clients.received("eve") == ["KICKED al why", "LEFT al", "SEALED 1"])
        clients.pass(milliseconds: 10_000)
        #expect(clients.received("eve").contains("WINNER bo 70 00:10.0 lot-1"))
        var english = TestClients.playing(Rules(seconds: 7))
        english.send("al", "max 100")
        english.send("boss", "kick al why")
        english.forget()
        english.send("bo", "50")
        #expect(english.received("eve") == ["PRICE 50 bo 00:00.0 2"])
    }

    @Test("a stall in which seconds were not sent gives a clocked lot its time again")
    func stall() {
        var clients = TestClients.playing(.clocked(.sealed))
        clients.stall(milliseconds: 5000)
        clients.wake()
        #expect(clients.received("eve") == ["COUNTDOWN 10"])
        clients.pass(milliseconds: 1000)
        #expect(clients.received("eve") == ["COUNTDOWN 9"])
    }
}
