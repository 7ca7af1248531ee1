import Auction
import House
import Testing

@Suite struct LobbyLotsTests {
    @Test("a lot goes from its first bid over the warnings to the hammer, and the next lot opens")
    func wholeLot() {
        var clients = TestClients()
        clients.join("eve")
        clients.connectNamed("al")
        clients.pass(milliseconds: 960)
        _ = clients.received("eve")
        clients.send("al", "bid 120")
        clients.pass(milliseconds: 6999)
        #expect(
            clients.received("eve") == [
                "PRICE 120 al 00:01.0 1", "COUNTDOWN 7", "COUNTDOWN 6", "COUNTDOWN 5",
                "COUNTDOWN 4", "COUNTDOWN 3", "GOING once", "COUNTDOWN 2", "COUNTDOWN 1",
                "GOING twice",
            ])
        clients.pass(milliseconds: 1)
        #expect(
            clients.received("eve") == [
                "COUNTDOWN 0", "WINNER al 120 00:08.0 lot-1", "NEXT 3 lot-2",
            ])
        clients.pass(milliseconds: 2999)
        #expect(clients.received("eve") == [])
        clients.pass(milliseconds: 1)
        #expect(clients.received("eve") == ["LOT 2 lot-2"])
        #expect(clients.seqs == Array(1...clients.seqs.count))
    }

    @Test("in a lot that lasts too long LAST is sent once, and bids no longer reset the countdown")
    func longest() throws {
        let rules = Rules(seconds: 7, longest: .seconds(5))
        var clients = TestClients(rules)
        clients.connectNamed("al", "bo")
        clients.send("al", "1")
        clients.pass(milliseconds: 4_000)
        clients.send("bo", "2")
        clients.pass(milliseconds: 1_500)
        clients.join("eve")
        clients.pass(milliseconds: 480)
        _ = clients.received("eve")
        clients.send("al", "3")
        #expect(clients.received("eve") == ["PRICE 3 al 00:06.0 3", "COUNTDOWN 7", "LAST"])
        clients.pass(milliseconds: 2_000)
        clients.send("bo", "4")
        #expect(
            clients.received("eve") == ["COUNTDOWN 6", "COUNTDOWN 5", "PRICE 4 bo 00:08.0 4"])
        #expect(
            clients.send("eve", "status") == [
                "LOT 1 lot-1", "PRICE 4 bo 00:08.0 4", "COUNTDOWN 5", "LAST", "OK status",
            ])
        var after = TestClients(rules, resuming: try recovered(clients.journal))
        after.join("eve")
        #expect(after.received("eve").suffix(3) == ["PRICE 4 bo 00:08.0 4", "COUNTDOWN 7", "LAST"])
        clients.pass(milliseconds: 5_000)
        #expect(clients.received("eve").contains("WINNER bo 4 00:13.0 lot-1"))
    }

    @Test("each accepted bid resets the countdown, and only a changed number is sent")
    func countdownReset() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.connect("eve")
        clients.send("al", "1")
        clients.pass(milliseconds: 600)
        clients.send("bo", "2")
        clients.pass(milliseconds: 1400)
        clients.send("al", "3")
        #expect(
            clients.received("eve") == [
                "PRICE 1 al 00:00.0 1", "COUNTDOWN 7", "PRICE 2 bo 00:00.6 2", "COUNTDOWN 6",
                "PRICE 3 al 00:02.0 3", "COUNTDOWN 7",
            ])
    }

    @Test("a countdown runs from the publication of its price, however slow the disk is")
    func slowDisk() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.publishesAtOnce = false
        clients.send("al", "1")
        clients.pass(milliseconds: 60_000)
        #expect(clients.lobby.deadline == nil)
        clients.join("eve")
        #expect(clients.received("eve").last == "COUNTDOWN 7")
        clients.send("bo", "2")
        clients.pass(milliseconds: 5_000)
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 6_999)
        #expect(clients.received("eve").last == "GOING twice")
        clients.pass(milliseconds: 1)
        #expect(clients.received("eve").contains("WINNER bo 2 01:12.0 lot-1"))
    }

    @Test("no lot ends after the shutdown")
    func shutDownRoom() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "1")
        clients.shutDown()
        let news = clients.seqs
        #expect(clients.lobby.deadline == nil)
        clients.stall(milliseconds: 60_000)
        clients.wake()
        #expect(clients.seqs == news)
    }

    @Test("the countdown does not run until the first bid")
    func noCountdownBeforeBid() {
        var clients = TestClients()
        clients.join("eve")
        #expect(clients.lobby.deadline == nil)
        clients.pass(milliseconds: 3_600_000)
        #expect(
            clients.received("eve") == [
                "HELLO auction/1 seconds=7 step=1 game=k3v9 room=main (type help)", "LOT 1 lot-1",
            ])
    }

    @Test("a refused bid changes nothing, least of all the clock")
    func refusedBid() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.send("al", "10")
        clients.pass(milliseconds: 6500)
        _ = clients.received("bo")
        #expect(clients.send("bo", "5") == ["ERROR too-low minimum=11 bid at least 11"])
        clients.pass(milliseconds: 500)
        #expect(
            clients.received("bo") == ["COUNTDOWN 0", "WINNER al 10 00:07.0 lot-1", "NEXT 3 lot-2"])
    }

    @Test("a bid received before the hammer is in time, even if the machine stalled")
    func bidBeforeHammer() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        clients.send("al", "10")
        _ = clients.received("bo")
        clients.stall(milliseconds: 7500)
        #expect(clients.send("bo", "11").first == "OK bid 11")
        clients.wake()
        #expect(clients.received("bo") == [])
    }

    @Test(
        "fair warning comes at 2/5 and 1/5 of the seconds, and not under 5 seconds",
        arguments: [
            (4, []), (5, [2, 1]), (6, [2, 1]), (7, [3, 1]), (10, [4, 2]), (60, [24, 12]),
        ] as [(Int, [Int])])
    func warnings(seconds: Int, marks: [Int]) {
        var clients = TestClients(Rules(seconds: seconds))
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: Int64(seconds) * 1000)
        let lines = clients.received("al")
        let places = lines.indices.filter { lines[$0].hasPrefix("GOING") }
        #expect(places.map { lines[$0 - 1] } == marks.map { "COUNTDOWN \($0)" })
        #expect(places.map { lines[$0] } == (marks.isEmpty ? [] : ["GOING once", "GOING twice"]))
    }

    @Test("lots with titles follow each other until the sale is over, and then bids are closed")
    func catalogue() {
        var clients = TestClients(
            Rules(seconds: 1), Catalogue(titles: ["Vase", "Old clock"], pause: .milliseconds(500)))
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: 1000)
        #expect(clients.received("al").suffix(2) == ["COUNTDOWN 0", "WINNER al 10 00:01.0 Vase"])
        #expect(
            clients.send("al", "11") == ["ERROR closed no lot is open, wait for the next LOT line"])
        clients.pass(milliseconds: 500)
        #expect(clients.received("al") == ["LOT 2 Old clock"])
        clients.send("al", "1")
        clients.pass(milliseconds: 1000)
        #expect(
            clients.received("al").suffix(3)
                == ["WINNER al 1 00:01.0 Old clock", "OVER 2", "CHAMPION al 2"])
        #expect(clients.send("al", "11") == ["ERROR closed the sale is over, no lot will follow"])
        clients.pass(milliseconds: 60_000)
        clients.join("eve")
        #expect(
            clients.received("eve") == [
                "HELLO auction/1 seconds=1 step=1 game=k3v9 room=main (type help)",
                "WINNER al 1 00:01.0 Old clock",
                "OVER 2", "CHAMPION al 2",
            ])
    }

    @Test(
        "a lot that follows after a second or more is announced, in whole seconds rounded up",
        arguments: [(999, []), (1000, ["NEXT 1 Clock"]), (2500, ["NEXT 3 Clock"])])
    func announced(milliseconds: Int, lines: [String]) {
        let pause = Duration.milliseconds(milliseconds)
        var clients = TestClients.presided(Catalogue(titles: ["Vase", "Clock"], pause: pause))
        #expect(clients.send("boss", "close") == ["OK close", "PASSED 1 closed Vase"] + lines)
        clients.pass(milliseconds: Int64(milliseconds))
        #expect(clients.received("boss") == ["LOT 2 Clock"])
        #expect(clients.send("boss", "close").last == "OVER 2")
    }

    @Test("without a pause the next lot opens with the hammer")
    func noPause() {
        var clients = TestClients(Rules(seconds: 1), Catalogue(pause: .zero))
        clients.connectNamed("al")
        clients.send("al", "10")
        clients.pass(milliseconds: 1000)
        #expect(clients.received("al").suffix(2) == ["WINNER al 10 00:01.0 lot-1", "LOT 2 lot-2"])
    }

    @Test("a leader who disconnects still leads, and wins")
    func absentLeader() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.join("eve")
        clients.send("al", "10")
        clients.lose("al")
        clients.pass(milliseconds: 7000)
        #expect(clients.received("eve").contains("WINNER al 10 00:07.0 lot-1"))
    }

    @Test("the first bid meets the start, the next ones the step")
    func startAndStep() {
        var clients = TestClients(Rules(seconds: 7, start: price(100), step: price(10)))
        clients.connectNamed("al", "bo")
        _ = clients.received("al")
        #expect(clients.send("al", "99") == ["ERROR too-low minimum=100 bid at least 100"])
        clients.send("al", "100")
        _ = clients.received("bo")
        #expect(clients.send("bo", "109") == ["ERROR too-low minimum=110 bid at least 110"])
        #expect(clients.send("bo", "110").first == "OK bid 110")
    }

    @Test("a leader is refused, the same bid again is granted, and self-raise can be allowed")
    func leading() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "10")
        #expect(
            clients.send("al", "#1 bid 11")
                == ["ERROR #1 leading price=10 you already lead, wait until somebody bids more"])
        clients.pass(milliseconds: 400)
        #expect(clients.send("al", "#2 bid 10") == ["OK #2 bid 10"])

        var lenient = TestClients(Rules(seconds: 7, allowsSelfRaise: true))
        lenient.connectNamed("al")
        lenient.send("al", "10")
        #expect(lenient.send("al", "11") == ["OK bid 11", "PRICE 11 al 00:00.0 2"])
    }

    static let offers = ["bid 60", "60", "take", "buy", "max 90"]

    @Test("an offer for another lot than the open one has no effect", arguments: offers)
    func otherLot(offer: String) {
        var clients = TestClients.playing(
            Rules(seconds: 1, buy: price(500)), [LotPlan(title: "Vase"), LotPlan(title: "Clock")])
        #expect(
            clients.send("al", "\(offer) lot=2") == ["ERROR other-lot lot=1 lot 1 is open now"])
        clients.send("boss", "pause")
        _ = clients.received("al")
        #expect(
            clients.send("al", "#7 \(offer) lot=2")
                == ["ERROR #7 other-lot lot=1 lot 1 is open now"])
        clients.send("boss", "close")
        _ = clients.received("al")
        for lot in 1...2 {
            #expect(clients.send("al", "\(offer) lot=\(lot)") == [Self.closed])
        }
        clients.send("boss", "resume")
        clients.pass(milliseconds: 3_000)
        #expect(clients.received("al").contains("LOT 2 Clock"))
        #expect(
            clients.send("al", "\(offer) lot=1") == ["ERROR other-lot lot=2 lot 2 is open now"])
        #expect(clients.lobby.metrics.bidsAccepted == 0)
        clients.send("boss", "close")
        _ = clients.received("al")
        #expect(
            clients.send("al", "\(offer) lot=2")
                == ["ERROR closed the sale is over, no lot will follow"])
        #expect(clients.news.allSatisfy { !$0.text.hasPrefix("PRICE") })
    }

    private static let closed = "ERROR closed no lot is open, wait for the next LOT line"

    @Test("an offer for the open lot is as one without a lot", arguments: offers)
    func ownLot(offer: String) {
        var (with, without) = (
            TestClients.playing(Rules(seconds: 7, buy: price(500))),
            TestClients.playing(Rules(seconds: 7, buy: price(500)))
        )
        #expect(with.send("al", "\(offer) lot=1") == without.send("al", offer))
        var figures = with.lobby.metrics
        // The bytes of a maximum are counted when the lot has ended.
        if !offer.hasPrefix("max") { figures.receivedBytes -= " lot=1".utf8.count }
        #expect(figures == without.lobby.metrics)
    }

    @Test("a bid in flight when the lot ends does not buy the next lot")
    func inFlight() {
        var clients = TestClients.playing(
            Rules(seconds: 1), [LotPlan(title: "Chair"), LotPlan(title: "Painting")])
        clients.send("bo", "70")
        clients.pass(milliseconds: 4_000)
        _ = clients.received("al")
        #expect(
            clients.send("al", "bid 71 lot=1") == ["ERROR other-lot lot=2 lot 2 is open now"])
        #expect(clients.send("al", "status") == ["LOT 2 Painting", "OK status"])
    }
}
