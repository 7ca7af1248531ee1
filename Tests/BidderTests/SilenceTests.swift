import Auction
import Bidder
import Reactive
import Terminal
import Testing
import Wire

/// A monitor on a clock that the test controls, and what it did.
private final class Watch {
    let timeline = Timeline()
    private(set) var pings = 0
    private(set) var isSilent = false
    private(set) lazy var monitor = SilenceMonitor(on: timeline) { [unowned self] in
        pings += 1
    } fail: { [unowned self] in
        isSilent = true
    }

    init() { monitor.begin() }

    /// Lets time pass up to a number of milliseconds from the beginning.
    func pass(to milliseconds: Int) { timeline.advance(to: .milliseconds(milliseconds)) }
}

@Suite struct SilenceTests {
    @Test("a countdown promises a line each second, and 2 s more are granted")
    func countdown() {
        let watch = Watch()
        watch.pass(to: 1_000)
        watch.monitor.receiveLine()
        watch.monitor.receive(.event(.secondsLeft(7)))
        watch.pass(to: 3_999)
        #expect(!watch.isSilent)
        watch.pass(to: 4_000)
        #expect(watch.isSilent)
    }

    @Test("any line extends the time that is granted")
    func lines() {
        let watch = Watch()
        watch.monitor.receive(.event(.secondsLeft(7)))
        watch.pass(to: 2_000)
        watch.monitor.receiveLine()
        watch.pass(to: 3_999)
        #expect(!watch.isSilent)
        watch.pass(to: 4_000)
        #expect(watch.isSilent)
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
        let watch = Watch()
        watch.monitor.receive(.event(.secondsLeft(7)))
        watch.monitor.receive(message)
        watch.pass(to: 14_000)
        #expect(!watch.isSilent && watch.pings == 0)
    }

    @Test("an idle server is asked after 15 s, and has 5 s to answer")
    func ping() {
        let watch = Watch()
        watch.pass(to: 14_999)
        #expect(watch.pings == 0)
        watch.pass(to: 15_000)
        #expect(watch.pings == 1)
        watch.pass(to: 16_000)
        watch.monitor.receiveLine()
        watch.pass(to: 30_999)
        #expect(!watch.isSilent && watch.pings == 1)
        watch.pass(to: 31_000)
        #expect(watch.pings == 2)
        watch.pass(to: 35_999)
        #expect(!watch.isSilent)
        watch.pass(to: 36_000)
        #expect(watch.isSilent)
    }

    @Test("the next lot is promised too")
    func next() {
        let watch = Watch()
        watch.monitor.receive(.event(.nextAnnounced(title: "Clock", seconds: 3)))
        watch.pass(to: 4_999)
        #expect(!watch.isSilent)
        watch.pass(to: 5_000)
        #expect(watch.isSilent)
    }

    @Test("a client that was suspended restarts its timeouts")
    func restart() {
        let watch = Watch()
        watch.monitor.receive(.event(.secondsLeft(7)))
        watch.monitor.restart(at: .seconds(60))
        watch.pass(to: 61_999)
        #expect(!watch.isSilent)
        watch.pass(to: 62_000)
        #expect(watch.isSilent)
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
