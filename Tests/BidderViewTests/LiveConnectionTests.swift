import AuctionRules
import BidderView
import Sale
import Testing
import Wire

@Suite struct LiveConnectionTests {
    static let waits = [200, 400, 800, 1600, 3200, 5000, 5000].map { Duration.milliseconds($0) }

    @Test("failed attempts are repeated after 0.2 s, doubling to 5 s")
    func retries() {
        let stage = Stage()
        for (index, wait) in Self.waits.enumerated() {
            stage.lose("no server listens")
            #expect(stage.view.model.connection.lastError == "no server listens")
            #expect(!stage.view.model.connection.isLoading)
            stage.pass(wait - .milliseconds(1))
            #expect(stage.attempts == index + 1)
            stage.pass(.milliseconds(1))
            #expect(stage.attempts == index + 2)
            #expect(stage.view.model.connection.isLoading)
            #expect(stage.view.model.connection.lastError == "no server listens")
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
        let stage = Stage()
        stage.snapshot = [.lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .zero)]
        stage.connect()
        stage.pass(.seconds(1))
        let frames = stage.frames
        stage.lose("the server is gone")
        stage.pass(.milliseconds(35))
        #expect(stage.frames > frames)
        #expect(!stage.view.model.isConnected)
        #expect(stage.view.model.connection.lastError == "the server is gone")
        #expect(stage.screen.contains { $0.contains("the server is gone") })
        #expect(stage.screen.contains { $0.contains("Vase") })
    }

    @Test("while the server is lost the clock and the countdown stop")
    func standsStill() {
        let stage = Stage()
        stage.snapshot = [.lot(Lot(number: 1), start: price(5), elapsed: .zero)]
        stage.connect()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(1))
        stage.lose()
        let model = stage.view.model
        stage.pass(.milliseconds(199))
        #expect(stage.view.model.elapsed == model.elapsed)
        #expect(stage.view.model.countdown == model.countdown)
    }

    @Test("after a reconnect the name is taken with its token, and everything is loaded")
    func reconnects() {
        let stage = Stage(token: { _ in "kept" })
        stage.connect()
        #expect(stage.commands == ["format json", "status", "name alice kept", "laps", "who"])
        stage.send(.joined(bidder("bob")))
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(
            stage.commands.suffix(6) == [
                "format json", "name alice kept", "resume 1", "status", "laps", "who",
            ])
        #expect(stage.view.model.isConnected)
        #expect(stage.view.model.connection.lastError == nil)
    }

    @Test("another server at the same address gets the token for that server")
    func otherGame() {
        let stage = Stage(token: { "\($0?.description ?? "none")-token" })
        stage.connect(serverID: "aaaa")
        stage.lose()
        stage.pass(.seconds(60))
        stage.connect(serverID: "bbbb")
        let names = stage.commands.filter { $0.hasPrefix("name") }
        #expect(names == ["name alice aaaa-token", "name alice bbbb-token"])
    }

    @Test("a new token is stored, and used after a reconnect")
    func givenToken() {
        let stage = Stage()
        stage.connect()
        #expect(
            stage.effects == [
                .connect, .keep(token: "t0ken", of: bidder("alice"), on: Identity("k3v9")),
            ])
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.commands[2] == "name alice")
        #expect(stage.commands[7] == "name alice t0ken")
    }

    @Test("an observer takes no name")
    func watching() {
        let stage = Stage(of: nil)
        stage.connect()
        #expect(stage.commands == ["format json", "status", "standings", "laps", "who"])
    }

    @Test("a refused name ends the view with a complaint")
    func refusedName() {
        let stage = Stage()
        stage.isHeld = { if case .name = $0 { true } else { false } }
        stage.connect()
        stage.refuse(.wrongToken)
        #expect(
            stage.effects.suffix(2) == [
                .complain(
                    "alice cannot play: "
                        + "this is not the token of the name, choose another name"),
                .exit(.refused),
            ])
    }

    @Test("a name that was requested too often is requested again later")
    func slowDown() {
        let stage = Stage()
        stage.isHeld = { if case .name = $0 { true } else { false } }
        stage.connect()
        stage.refuse(.tooManyTokens(seconds: 12))
        #expect(stage.effects.last == .disconnect)
        #expect(
            stage.view.model.connection.lastError
                == "too many wrong tokens from your address, try again in 12 s")
        stage.pass(.milliseconds(200))
        #expect(stage.effects.last == .connect)
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
        stage.send(.kicked(bidder("alice"), reason: "shill bids"), .bye(.kicked))
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
        #expect(stage.view.model.connection.lastError == reason)
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
        #expect(stage.view.model.connection.lastError == "the server has stopped")
        stage.pass(.milliseconds(100))
        #expect(stage.attempts == 2)
    }

    @Test("after SKIPPED the snapshot is requested")
    func skipped() {
        let stage = Stage()
        stage.connect()
        stage.send(.skipped(512))
        #expect(stage.commands.suffix(3) == ["status", "laps", "who"])
        #expect(stage.commands.count == 8)
        #expect(stage.view.model.isConnected)
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
        #expect(stage.view.model.connection.lastError == "the server does not answer")
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == 2)
    }

    @Test("a server that sends nothing is lost after 5 s")
    func mute() {
        let stage = Stage()
        stage.isHeld = { _ in true }
        stage.view.connected()
        stage.send()
        stage.pass(.seconds(5))
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "the server does not answer")
    }

    @Test(
        "a server with another protocol is lost at once",
        arguments: ["HTTP/1.1 400 Bad Request", "SSH-2.0-OpenSSH_9.2", "", "HELLO auction/2 x"])
    func other(line: String) {
        let stage = Stage()
        stage.view.connected()
        stage.view.receive(line)
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(
            stage.view.model.connection.lastError == "this is no auction/1 server: \(line)")
    }

    @Test("after an error without a tag the view reconnects")
    func full() {
        let stage = Stage()
        stage.view.connected()
        stage.view.receive("ERROR unavailable too many connections")
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "too many connections")
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == 2)
    }
}

extension LiveConnectionTests {
    @Test("a server that answers without a greeting is lost")
    func neverGreets() {
        let stage = Stage()
        stage.view.connected()
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "the server does not greet")
    }

    @Test("a name that another bidder owns ends the view")
    func nameOfAnother() {
        let stage = Stage()
        stage.isHeld = { if case .name = $0 { true } else { false } }
        stage.connect()
        stage.lose()
        stage.pass(.seconds(120))
        stage.connect()
        stage.refuse(.nameTaken)
        #expect(
            stage.effects.suffix(2) == [
                .complain("alice cannot play: somebody else has this name"), .exit(.refused),
            ])
    }

    @Test(
        "a name whose answer was lost is requested again until the server drops the old connection")
    func nameInDoubt() {
        let stage = Stage()
        stage.isHeld = { if case .name = $0 { true } else { false } }
        stage.connect()
        stage.lose()
        stage.pass(.milliseconds(200))
        stage.connect()
        stage.refuse(.nameTaken)
        #expect(stage.effects.suffix(1) == [.disconnect])
        stage.isHeld = { _ in false }
        stage.pass(.milliseconds(400))
        stage.connect()
        #expect(
            stage.effects.contains(.keep(token: "t0ken", of: bidder("alice"), on: Identity("k3v9")))
        )
        #expect(stage.view.model.isConnected)
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
