import Auction
import House
import Testing
import Wire

@Suite struct LobbyPauseTests {
    @Test("a pause stops the countdown and the bids, and resuming gives the full seconds")
    func pause() {
        var clients = TestClients.presided()
        clients.send("al", "10")
        clients.pass(milliseconds: 4500)
        _ = clients.received("al")
        #expect(clients.send("boss", "pause").suffix(2) == ["OK pause", "PAUSED"])
        #expect(clients.send("boss", "pause") == ["OK pause"])
        #expect(clients.lobby.deadline == nil)
        clients.pass(milliseconds: 3_600_000)
        #expect(clients.received("al") == ["PAUSED"])
        #expect(clients.send("bo", "11").last == "ERROR paused wait for RESUMED")
        #expect(clients.send("al", "10") == ["OK bid 10"])
        _ = clients.received("al")
        #expect(clients.send("boss", "resume") == ["OK resume", "RESUMED", "COUNTDOWN 7"])
        #expect(clients.send("boss", "resume") == ["OK resume"])
        clients.pass(milliseconds: 6999)
        #expect(clients.received("al").last == "GOING twice")
        clients.pass(milliseconds: 1)
        #expect(
            clients.received("al") == ["COUNTDOWN 0", "WINNER al 10 60:11.5 lot-1", "NEXT 3 lot-2"])
    }

    @Test("the countdown is sent again after a pause, although its number is the same")
    func pauseAtOnce() {
        var clients = TestClients.presided()
        clients.send("al", "10")
        _ = clients.received("boss")
        clients.send("boss", "pause")
        #expect(clients.send("boss", "resume") == ["OK resume", "RESUMED", "COUNTDOWN 7"])
    }

    @Test(
        "a pause before the first bid ends with RESUMED alone, and one between lots names the next")
    func pauseWithoutCountdown() {
        var clients = TestClients.presided()
        clients.send("boss", "pause")
        #expect(clients.send("boss", "resume") == ["OK resume", "RESUMED"])
        clients.send("al", "10")
        clients.send("boss", "hammer")
        clients.pass(milliseconds: 2900)
        clients.send("boss", "pause")
        clients.pass(milliseconds: 60_000)
        _ = clients.received("boss")
        #expect(clients.send("al", "11").last?.hasPrefix("ERROR closed") == true)
        #expect(clients.send("boss", "resume") == ["OK resume", "RESUMED", "NEXT 3 lot-2"])
        clients.pass(milliseconds: 2999)
        #expect(clients.received("boss") == [])
        clients.pass(milliseconds: 1)
        #expect(clients.received("boss") == ["LOT 2 lot-2"])
    }

    @Test("the snapshot of a paused sale ends with PAUSED")
    func pausedSnapshot() {
        var clients = TestClients.presided()
        clients.send("al", "10")
        clients.pass(milliseconds: 3000)
        clients.send("boss", "pause")
        clients.join("cy")
        #expect(
            clients.received("cy").dropFirst() == [
                "LOT 1 lot-1", "PRICE 10 al 00:00.0 1", "COUNTDOWN 4", "PAUSED",
            ])
        clients.send("boss", "hammer")
        #expect(
            clients.send("cy", "status").suffix(3)
                == ["WINNER al 10 00:03.0 lot-1", "PAUSED", "OK status"])
    }

    @Test("in JSON the snapshot of a paused sale has no remaining time")
    func pausedJSON() throws {
        var clients = TestClients.presided()
        clients.send("al", "10")
        clients.send("boss", "pause")
        clients.send("al", "format json")
        let lines = clients.send("al", "status")
        #expect(lines.count == 7)
        #expect(!lines.contains { $0.contains(#""remainingMilliseconds":7"#) })
        #expect(lines[3].hasPrefix(#"{"seq":"#))
        #expect(lines[3].contains(#""type":"paused","content":"","#))
    }

    @Test("a slow disk does not shorten the countdown after a pause or a void")
    func slowDisk() {
        var clients = TestClients.presided()
        clients.send("al", "10")
        clients.send("bo", "11")
        clients.send("boss", "pause")
        for order in ["resume", "void"] {
            clients.publishesAtOnce = false
            clients.send("boss", order)
            clients.pass(milliseconds: 60_000)
            #expect(clients.lobby.deadline == nil)
            clients.publishesAtOnce = true
            clients.publish()
            clients.pass(milliseconds: 6_900)
            #expect(clients.received("boss").last == "GOING twice")
        }
        clients.pass(milliseconds: 100)
        #expect(clients.received("boss").contains { $0.hasPrefix("WINNER al 10") })
    }

    @Test("a pause, a hammer and a void may precede the publication of a price")
    func untold() {
        for order in ["pause", "hammer", "void", "close"] {
            var clients = TestClients.presided()
            clients.publishesAtOnce = false
            clients.send("al", "10")
            clients.send("boss", order)
            clients.publish()
            clients.send("boss", "resume")
            clients.publishesAtOnce = true
            clients.publish()
            clients.pass(milliseconds: 20_000)
            let winners = clients.received("bo").filter { $0.hasPrefix("WINNER") }
            #expect(winners.count == (order == "pause" || order == "hammer" ? 1 : 0), "\(order)")
        }
    }

    @Test("status includes PAUSED until the sale is resumed or over")
    func standing() {
        var clients = TestClients.presided(Catalogue(titles: ["Vase"]))
        #expect(!clients.lobby.status.isPaused)
        clients.send("boss", "pause")
        #expect(clients.lobby.status.isPaused)
        clients.send("boss", "resume")
        #expect(!clients.lobby.status.isPaused)
        clients.send("boss", "pause")
        clients.send("boss", "close")
        #expect(clients.lobby.status.stage == .over)
        #expect(!clients.lobby.status.isPaused)
    }

    @Test("a lot that is sold while paused leaves the sale paused")
    func hammerWhilePaused() {
        var clients = TestClients.presided()
        clients.send("al", "10")
        clients.send("boss", "pause")
        #expect(
            clients.send("boss", "hammer") == [
                "OK hammer", "HAMMERED", "COUNTDOWN 0", "WINNER al 10 00:00.0 lot-1",
            ])
        clients.pass(milliseconds: 60_000)
        #expect(clients.received("boss") == [])
        clients.send("boss", "resume")
        clients.pass(milliseconds: 3000)
        #expect(clients.received("boss").last == "LOT 2 lot-2")
    }

    @Test("a void while paused restores the price, and resuming starts the countdown")
    func voidWhilePaused() {
        var clients = TestClients.presided()
        clients.send("bo", "100")
        clients.send("al", "120")
        clients.send("boss", "pause")
        _ = clients.received("boss")
        #expect(
            clients.send("boss", "void")
                == ["OK void", "VOIDED 120 al 2 100 bo 00:00.0 1", "PRICE 100 bo 00:00.0 1"])
        #expect(
            clients.send("boss", "status")
                == ["LOT 1 lot-1", "PRICE 100 bo 00:00.0 1", "PAUSED", "OK status"])
        #expect(clients.send("boss", "resume") == ["OK resume", "RESUMED", "COUNTDOWN 7"])
    }
}
