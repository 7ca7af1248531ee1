import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

@Suite struct LiveConnectionTests {
    @Test("an observer takes no name")
    func watching() {
        let stage = Stage(of: nil)
        stage.connect()
        #expect(stage.commands == ["format json", "status", "laps", "who", "results"])
    }

    @Test("BYE replaced ends the view with a complaint")
    func replaced() {
        let stage = Stage()
        stage.connect()
        stage.send(.bye(.replaced))
        #expect(
            stage.effects.suffix(2) == [
                .complain("another connection took over the name"), .exit(.refused),
            ])
    }

    @Test("BYE kicked ends the view with the reason")
    func kicked() {
        let stage = Stage()
        stage.connect()
        stage.send(.event(.bidderKicked(bidder("alice"), reason: "shill bids")), .bye(.kicked))
        #expect(
            stage.effects.suffix(2) == [
                .complain("the auctioneer has removed you: shill bids"), .exit(.refused),
            ])
    }

    @Test(
        "after any other BYE the view reconnects",
        arguments: [
            (ServerMessage.CloseReason.shutdown, "the server has stopped"),
            (.journal, "the server can no longer store bids, and has stopped"),
            (.full, "the server is full"),
            (.idle, "the server waited too long for the end of a line"),
            (.init(rawValue: "new"), "the server closed the connection: new"),
        ])
    func farewell(farewell: ServerMessage.CloseReason, reason: String) {
        let stage = Stage()
        stage.connect()
        stage.send(.bye(farewell))
        #expect(stage.effects.last == .disconnect)
        #expect(stage.model.connection.lastError == reason)
        stage.pass(.milliseconds(200))
        #expect(stage.effects.last == .connect)
    }

    @Test("the end of the stream after BYE changes nothing")
    func lostTwice() {
        let stage = Stage()
        stage.connect()
        stage.send(.bye(.shutdown))
        stage.pass(.milliseconds(100))
        stage.lose("the server closed the connection")
        #expect(stage.model.connection.lastError == "the server has stopped")
        stage.pass(.milliseconds(100))
        #expect(stage.attempts == 2)
    }

    @Test("after SKIPPED, which a snapshot follows, the lists are loaded again")
    func skipped() {
        let stage = Stage()
        stage.connect()
        stage.send(.skipped(512))
        #expect(stage.commands.suffix(3) == ["laps", "who", "results"])
        #expect(stage.commands.count == 9)
        #expect(stage.model.isConnected)
    }

    @Test(
        "a server that does not answer is lost after 5 s",
        arguments: [0, 1, 2])
    func silent(answers: Int) {
        let stage = Stage(of: nil)
        var answered = 0
        stage.isHeld = { _ in
            answered += 1
            return answered > answers
        }
        stage.connect()
        stage.pass(.milliseconds(4999))
        #expect(!stage.effects.contains(.disconnect))
        stage.pass(.milliseconds(1))
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.model.connection.lastError == "the server does not answer")
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == 2)
    }

    @Test("a server that sends nothing is lost after 5 s")
    func mute() {
        let stage = Stage()
        stage.isHeld = { _ in true }
        stage.view.receive([.connected])
        stage.send()
        stage.pass(.seconds(5))
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.model.connection.lastError == "the server does not answer")
    }

    @Test(
        "a server with another protocol is lost at once",
        arguments: ["HTTP/1.1 400 Bad Request", "SSH-2.0-OpenSSH_9.2", "", "HELLO auction/2 x"])
    func other(line: String) {
        let stage = Stage()
        stage.view.receive([.connected])
        stage.view.receive([.line(line)])
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.model.connection.lastError == "this is no auction/1 server: \(line)")
    }

    @Test("after an error without a tag the view reconnects")
    func full() {
        let stage = Stage()
        stage.view.receive([.connected])
        stage.view.receive([.line("ERROR unavailable too many connections")])
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.model.connection.lastError == "too many connections")
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == 2)
    }

    @Test("a server that answers without a greeting is lost")
    func neverGreets() {
        let stage = Stage()
        stage.view.receive([.connected])
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.model.connection.lastError == "the server does not greet")
    }

    @Test("the view of a server that breaks its promise is stale, and connects again")
    func view() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(2))
        #expect(!stage.model.isStale)
        stage.isCounting = false
        stage.pass(.milliseconds(2_900))
        #expect(!stage.model.isStale)
        stage.pass(.milliseconds(200))
        #expect(stage.model.isStale)
        #expect(stage.model.connection.lastError == "the server is silent")
        #expect(stage.model.secondsToRetry == 1)
        #expect(stage.effects.last == .disconnect)
        stage.pass(.milliseconds(200))
        #expect(stage.effects.last == .connect)
        stage.connect()
        #expect(!stage.model.isStale)
    }

    @Test("an idle server that answers no ping is silent")
    func pingedView() {
        let stage = Stage.open()
        stage.isHeld = { $0 == .ping }
        stage.pass(.milliseconds(19_900))
        #expect(!stage.model.isStale)
        stage.pass(.milliseconds(200))
        #expect(stage.model.isStale)
    }

    @Test("a key tries to connect at once, and the seconds until then are counted")
    func retry() {
        let stage = Stage()
        for _ in 0..<6 {
            stage.lose("no server listens")
            if stage.model.secondsToRetry ?? 0 > 1 { break }
            stage.pass(.seconds(2))
        }
        let seconds = stage.model.secondsToRetry
        #expect(seconds == 2)
        stage.pass(.seconds(1))
        #expect(stage.model.secondsToRetry == 1)
        stage.press(.control("r"))
        #expect(stage.effects.last == .connect)
        #expect(stage.model.secondsToRetry == nil)
    }
}

@Suite struct ReconnectionTests {
    static let waits = [200, 400, 800, 1600, 3200, 5000, 5000].map { Duration.milliseconds($0) }

    @Test("failed attempts are repeated after 0.2 s, doubling to 5 s")
    func retries() {
        let stage = Stage()
        for (index, wait) in Self.waits.enumerated() {
            stage.lose("no server listens")
            #expect(stage.model.connection.lastError == "no server listens")
            #expect(!stage.model.connection.isLoading)
            stage.pass(wait - .milliseconds(1))
            #expect(stage.attempts == index + 1)
            stage.pass(.milliseconds(1))
            #expect(stage.attempts == index + 2)
            #expect(stage.model.connection.isLoading)
            #expect(stage.model.connection.lastError == "no server listens")
        }
    }

    @Test("a connection of 5 s resets the backoff")
    func reset() {
        let stage = Stage()
        for wait in Self.waits { stage.lose(); stage.pass(wait) }
        stage.connect()
        stage.pass(.seconds(5))
        let attempts = stage.attempts
        stage.lose()
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == attempts + 1)
    }

    @Test("a shorter connection does not reset the backoff")
    func flaps() {
        let stage = Stage()
        for wait in Self.waits {
            stage.connect()
            stage.pass(.seconds(4))
            stage.lose()
            stage.expectAttempt(after: wait)
        }
    }

    @Test("a connection with only a greeting does not reset the backoff")
    func greetsAndGoes() {
        let stage = Stage()
        stage.isHeld = { _ in true }
        for wait in Self.waits {
            stage.connect()
            stage.lose()
            stage.expectAttempt(after: wait)
        }
    }

    @Test("a lost server is shown at once, beside the last known state")
    func lost() {
        let stage = Stage.open()
        stage.pass(.seconds(1))
        let frames = stage.frames
        stage.lose("the server is gone")
        stage.pass(.milliseconds(35))
        #expect(stage.frames > frames)
        #expect(!stage.model.isConnected)
        #expect(stage.model.connection.lastError == "the server is gone")
        #expect(stage.screen.contains { $0.contains("the server is gone") })
        #expect(stage.screen.contains { $0.contains("Vase") })
    }

    @Test("while the server is lost the clock and the countdown stop")
    func standsStill() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(1))
        stage.lose()
        let model = stage.model
        stage.pass(.milliseconds(199))
        #expect(stage.model.elapsed == model.elapsed)
        #expect(stage.model.countdown == model.countdown)
    }
}

extension Stage {
    /// The number of attempts to connect.
    fileprivate var attempts: Int { effects.count { $0 == .connect } }

    /// Expects the next attempt after exactly this time.
    fileprivate func expectAttempt(
        after wait: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = attempts
        pass(wait - .milliseconds(1))
        #expect(attempts == before, sourceLocation: sourceLocation)
        pass(.milliseconds(1))
        #expect(attempts == before + 1, sourceLocation: sourceLocation)
    }
}

@Suite struct LiveRequestTests {
    @Test("answers are matched by tag, in any order")
    func askers() {
        let stage = Stage()
        stage.bids = [lap(1, 5, "bob")]
        stage.bidders = [bidder("bob"), bidder("alice")]
        stage.isHeld = { command in
            switch command {
            case .laps, .who, .offer: true
            default: false
            }
        }
        stage.connect()
        stage.enter("7")
        #expect(stage.held.map(\.command) == [.laps(nil), .who, .offer(.bid(price(7)))])
        let model = { stage.model }
        #expect(
            model().loads[.laps]?.isLoading == true && model().loads[.bidders]?.isLoading == true)

        stage.release { $0 == .who }
        #expect(model().bidders == stage.bidders)
        #expect(
            model().loads[.laps]?.isLoading == true && model().loads[.bidders]?.isLoading == false)
        stage.release { $0 == .offer(.bid(price(7))) }
        #expect(model().prompt.feedback?.text == "you bid 7")
        #expect(model().loads[.laps]?.isLoading == true)
        stage.release()
        #expect(model().laps.newest == stage.bids)
        #expect(model().loads[.laps]?.isLoading == false)
    }

    @Test("two pending bids have their own answers, and the newer one is shown")
    func twoBids() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { if case .offer = $0 { true } else { false } }
        stage.enter("7")
        stage.enter("8")
        stage.release { $0 == .offer(.bid(price(7))) }
        #expect(stage.feedback?.text == "you bid 7")
        stage.release()
        #expect(stage.feedback?.text == "you bid 8")
    }

    @Test("a refused load shows its error beside the last result")
    func refusedLoad() {
        let stage = Stage()
        stage.bids = [lap(1, 5, "bob")]
        stage.bidders = [bidder("bob")]
        stage.connect()
        stage.isHeld = { $0 == .laps(nil) || $0 == .who }
        stage.enter("laps")
        stage.enter("who")
        stage.refuse(.unavailable)
        let model = stage.model
        #expect(model.loads[.laps]?.lastError == ErrorReply.unavailable.advice)
        #expect(model.laps.newest == stage.bids)
        #expect(model.loads[.bidders]?.lastError == ErrorReply.unavailable.advice)
        #expect(model.bidders == [bidder("bob")])
        #expect(model.loads[.laps]?.isLoading == false && model.loads[.bidders]?.isLoading == false)
        stage.isHeld = { _ in false }
        stage.enter("laps")
        #expect(stage.model.loads[.laps]?.lastError == nil)
    }

    @Test("pending requests fail when the connection is lost")
    func lost() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("7")
        stage.enter("laps")
        stage.lose("the server is gone")
        #expect(stage.feedback == .refusal("the server is gone"))
        #expect(stage.model.loads[.laps]?.lastError == "the server is gone")
        #expect(stage.model.loads[.laps]?.isLoading == false)
    }

    @Test("without a connection a request fails")
    func notConnected() {
        let stage = Stage()
        stage.enter("7")
        #expect(stage.feedback == .refusal("not connected"))
        #expect(stage.sentLines.isEmpty)
    }

    @Test("an answer after the connection was lost is ignored")
    func late() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("7")
        stage.lose("the server is gone")
        stage.release()
        #expect(stage.feedback == .refusal("the server is gone"))
    }

    @Test("an answered request has no timeout")
    func inTime() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("ping")
        stage.pass(.seconds(4))
        stage.release()
        #expect(stage.feedback?.text == "the server is there")
        stage.pass(.seconds(60))
        #expect(!stage.effects.contains(.disconnect))
    }

    @Test(
        "unknown lines are ignored", arguments: ["", "{}", "hi", "{"])
    func garbage(line: String) {
        let stage = Stage()
        stage.connect()
        stage.view.receive([.line(line)])
        stage.send(joined("bob"))
        #expect(stage.model.log.ticker == "bob has joined")
        #expect(stage.model.isConnected)
    }

    @Test("data without a request is not stored")
    func unaskedData() {
        let stage = Stage()
        stage.connect()
        stage.send(.lap(lap(1, 5, "bob")), .who(bidder("eve")))
        stage.enter("laps")
        #expect(stage.model.laps.newest == stage.bids)
    }

    @Test("a load of laps is repeated at most three times")
    func fewerLaps() {
        let stage = Stage()
        stage.isHeld = { if case .laps = $0 { true } else { false } }
        stage.connect()
        for _ in 0..<10 {
            guard let request = stage.held.last else { break }
            let count = request.command == .laps(nil) ? 5000 : 0
            stage.send(.ok(.laps(count), tag: request.tag))
        }
        #expect(stage.held.count == 6)
        #expect(stage.model.loads[.laps]?.isLoading == false)
        #expect(stage.model.isConnected)
    }
}
