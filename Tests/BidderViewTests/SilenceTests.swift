import AuctionRules
import BidderView
import Sale
import Testing
import Wire

@Suite struct SilenceTests {
    @Test("a countdown promises a line each second, and 2 s more are granted")
    func countdown() {
        var silence = Silence(at: .zero)
        silence.receiveLine(at: .seconds(1))
        silence.receive(.event(.secondsLeft(7)), at: .seconds(1))
        #expect(silence.deadline == .seconds(4))
        #expect(silence.verdict(at: .milliseconds(3_999)) == .isFine)
        #expect(silence.verdict(at: .seconds(4)) == .isSilent)
    }

    @Test("any line extends the time that is granted")
    func lines() {
        var silence = Silence(at: .zero)
        silence.receive(.event(.secondsLeft(7)), at: .zero)
        silence.receiveLine(at: .seconds(2))
        #expect(silence.verdict(at: .milliseconds(3_999)) == .isFine)
        #expect(silence.verdict(at: .seconds(4)) == .isSilent)
    }

    @Test(
        "what stops the countdown ends its promise",
        arguments: [
            ServerMessage.event(.secondsLeft(0)), .event(.paused),
            .hello(seconds: 7, step: price(1)),
            .event(.lotPassed(Lot(number: 1), reason: "closed", elapsed: nil)),
            .event(.ended(lots: 1)),
        ])
    func ends(message: ServerMessage) {
        var silence = Silence(at: .zero)
        silence.receive(.event(.secondsLeft(7)), at: .zero)
        silence.receive(message, at: .zero)
        #expect(silence.verdict(at: .seconds(14)) == .isFine)
    }

    @Test("an idle server is asked after 15 s, and has 5 s to answer")
    func ping() {
        var silence = Silence(at: .zero)
        #expect(silence.verdict(at: .milliseconds(14_999)) == .isFine)
        #expect(silence.verdict(at: .seconds(15)) == .isPingDue)
        silence.sendPing(at: .seconds(15))
        #expect(silence.verdict(at: .milliseconds(19_999)) == .isFine)
        #expect(silence.verdict(at: .seconds(20)) == .isSilent)
        silence.receiveLine(at: .seconds(16))
        #expect(silence.verdict(at: .seconds(30)) == .isFine)
        #expect(silence.verdict(at: .seconds(31)) == .isPingDue)
    }

    @Test("the next lot is promised too")
    func next() {
        var silence = Silence(at: .zero)
        silence.receive(.event(.nextAnnounced(title: "Clock", seconds: 3)), at: .zero)
        #expect(silence.verdict(at: .milliseconds(4_999)) == .isFine)
        #expect(silence.verdict(at: .seconds(5)) == .isSilent)
    }

    @Test("a client that was suspended restarts its timeouts")
    func restart() {
        var silence = Silence(at: .zero)
        silence.receive(.event(.secondsLeft(7)), at: .zero)
        silence.restart(at: .seconds(60))
        #expect(silence.verdict(at: .milliseconds(61_999)) == .isFine)
        #expect(silence.verdict(at: .seconds(62)) == .isSilent)
    }

    @Test("the view of a server that breaks its promise is stale, and connects again")
    func view() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(2))
        #expect(!stage.view.model.isStale)
        stage.isCounting = false
        stage.pass(.milliseconds(2_900))
        #expect(!stage.view.model.isStale)
        stage.pass(.milliseconds(200))
        #expect(stage.view.model.isStale)
        #expect(stage.view.model.connection.lastError == "the server is silent")
        #expect(stage.view.model.secondsToRetry == 1)
        #expect(stage.effects.last == .disconnect)
        stage.pass(.milliseconds(200))
        #expect(stage.effects.last == .connect)
        stage.connect()
        #expect(!stage.view.model.isStale)
    }

    @Test("an idle server that answers no ping is silent")
    func pingedView() {
        let stage = Stage.open()
        stage.isHeld = { $0 == .ping }
        stage.pass(.milliseconds(19_900))
        #expect(!stage.view.model.isStale)
        stage.pass(.milliseconds(200))
        #expect(stage.view.model.isStale)
    }

    @Test("a key tries to connect at once, and the seconds until then are counted")
    func retry() {
        let stage = Stage()
        for _ in 0..<6 {
            stage.lose("no server listens")
            if stage.view.model.secondsToRetry ?? 0 > 1 { break }
            stage.pass(.seconds(2))
        }
        let seconds = stage.view.model.secondsToRetry
        #expect(seconds == 2)
        stage.pass(.seconds(1))
        #expect(stage.view.model.secondsToRetry == 1)
        stage.press(.control("r"))
        #expect(stage.effects.last == .connect)
        #expect(stage.view.model.secondsToRetry == nil)
    }
}
