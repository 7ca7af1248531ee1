import Auction
import House
import Testing

@Suite("Lobby, metrics")
struct LobbyMetricsTests {
    private func count(_ word: String, in counts: WordCounts) -> Int? {
        counts.list.first { $0.word == word }?.count
    }

    @Test("bids are counted by their outcome, and commands with any outcome")
    func bids() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.join("eve")
        clients.send("al", "10")
        clients.send("al", "11")
        clients.send("bo", "10")
        clients.send("bo", "9")
        clients.send("eve", "12")
        clients.send("bo", "12")
        let metrics = clients.lobby.metrics
        #expect(metrics.commands == 8)
        #expect(metrics.bidsAccepted == 2)
        #expect(count("leading", in: metrics.bidsRefused) == 1)
        #expect(count("too-low", in: metrics.bidsRefused) == 2)
        #expect(count("not-named", in: metrics.bidsRefused) == 1)
        #expect(count("paused", in: metrics.bidsRefused) == 0)
    }

    @Test("a secret bid counts when its lot has ended, with its bytes, also if it was refused")
    func secrets() {
        var clients = TestClients.playing(
            .clocked(.sealed), settings: GameSettings(purse: price(1000)))
        let before = clients.lobby.metrics
        let lines = ["5", "600", "bid 6", "bid 1001", "max 7"]
        for line in lines { clients.send("al", line) }
        clients.send("al", Array("bid 1".utf8))
        #expect(clients.lobby.metrics == before)
        clients.send("al", Array("2\n".utf8))
        #expect(clients.lobby.metrics == before)
        #expect(clients.lobby.statuses.first?.bidsAccepted == 0)
        clients.send("boss", "hammer")
        let after = clients.lobby.metrics
        #expect(after.commands == before.commands + 7)
        #expect(after.bidsAccepted == before.bidsAccepted + 4)
        #expect(count("over-purse", in: after.bidsRefused) == 1)
        #expect(count("wrong-format", in: after.bidsRefused) == 1)
        let sent = (lines + ["bid 12", "hammer"]).reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(after.receivedBytes == before.receivedBytes + sent)
        #expect(clients.lobby.statuses.first?.bidsAccepted == 4)
    }

    @Test("the end of a lot tells nothing of a secret lot in another room, not even in one read")
    func secretRooms() {
        var clients = TestClients.twoRooms(" format=sealed")
        clients.send("al", "open red seconds=9 format=vickrey")
        let before = clients.lobby.metrics
        clients.send("al", Array("5\nmax 77\njoin blue\nbid 6\nbid 123456\n".utf8))
        let join = "join blue\n".utf8.count
        #expect(clients.lobby.metrics.commands == before.commands + 1)
        #expect(clients.lobby.metrics.bidsAccepted == before.bidsAccepted)
        clients.pass(milliseconds: 3_000)
        let blue = clients.lobby.metrics
        #expect(blue.lotsSold == 1 && blue.bidsAccepted == before.bidsAccepted + 2)
        #expect(blue.commands == before.commands + 3)
        #expect(blue.bidsRefused == before.bidsRefused)
        #expect(blue.receivedBytes == before.receivedBytes + "bid 6\nbid 123456\n".utf8.count)
        clients.pass(milliseconds: 6_000)
        let both = clients.lobby.metrics
        #expect(both.bidsAccepted == before.bidsAccepted + 3)
        #expect(count("wrong-format", in: both.bidsRefused) == 1)
        #expect(both.receivedBytes == blue.receivedBytes + "5\nmax 77\n".utf8.count + join)
    }

    @Test("a maximum counts when its lot has ended, and other bids at once")
    func maxima() {
        var clients = TestClients.playing(Rules(seconds: 7))
        clients.send("al", "max 50")
        clients.send("al", "max 500")
        let before = clients.lobby.metrics
        #expect(count("max", in: before.bidsByCommand) == 0)
        clients.send("bo", "30")
        #expect(clients.lobby.metrics.bidsAccepted == before.bidsAccepted + 1)
        clients.pass(milliseconds: 7000)
        #expect(count("max", in: clients.lobby.metrics.bidsByCommand) == 2)
    }

    @Test("a line that is no command counts as an error by its code, and not as a refused bid")
    func errors() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "bid many")
        clients.send("al", "dance")
        clients.send("al", "dance")
        let metrics = clients.lobby.metrics
        #expect(metrics.commands == 1)
        #expect(count("bad-amount", in: metrics.errors) == 1)
        #expect(count("unknown-command", in: metrics.errors) == 2)
        #expect(metrics.bidsRefused.list.allSatisfy { $0.count == 0 })
    }

    @Test("each second of a countdown is counted with its lateness when it is published")
    func lateness() {
        var clients = TestClients(Rules(seconds: 3), Catalogue(titles: ["Vase"]))
        clients.connectNamed("al")
        clients.send("al", "10")
        #expect(clients.lobby.metrics.countdownLateness.count == 0)
        clients.pass(milliseconds: 1000)
        #expect(clients.lobby.metrics.countdownLateness.count == 1)
        #expect(clients.lobby.metrics.countdownLateness.sum == 0)
        clients.publishesAtOnce = false
        clients.stall(milliseconds: 1004)
        clients.wake()
        #expect(clients.lobby.metrics.countdownLateness.count == 1)
        clients.stall(milliseconds: 6)
        clients.publish()
        #expect(clients.lobby.metrics.countdownLateness.sum == 10_000_000)
        clients.pass(milliseconds: 2000)
        clients.publish()
        #expect(clients.lobby.metrics.countdownLateness.count == 3)
        #expect(clients.lobby.metrics.lotsSold == 1)
    }

    @Test("a second that a bid overtakes on its way to the disk is counted too")
    func overtaken() {
        var clients = TestClients(Rules(seconds: 3))
        clients.connectNamed("al", "bo")
        clients.send("al", "10")
        clients.publishesAtOnce = false
        clients.pass(milliseconds: 1500)
        clients.send("bo", "11")
        clients.stall(milliseconds: 500)
        clients.publish()
        let lateness = clients.lobby.metrics.countdownLateness
        #expect(lateness.count == 1 && lateness.sum == 1_000_000_000)
    }

    @Test("a countdown that restarts after a stall is late by the whole stall")
    func stall() {
        var clients = TestClients(Rules(seconds: 7))
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.stall(milliseconds: 5500)
        clients.wake()
        let lateness = clients.lobby.metrics.countdownLateness
        #expect(lateness.count == 1 && lateness.sum == 4_500_000_000)
    }

    @Test("a lot that is closed unsold counts as passed")
    func passed() {
        var clients = TestClients()
        clients.preside()
        clients.send("boss", "close")
        #expect(clients.lobby.metrics.lotsPassed == 1 && clients.lobby.metrics.lotsSold == 0)
    }

    @Test("a word is counted in the order in which it came first")
    func words() {
        var counts = WordCounts(["a"])
        counts.add("b")
        counts.add("b", count: 2)
        #expect(counts.list.map(\.word) == ["a", "b"] && counts.list.map(\.count) == [0, 3])
    }
}
