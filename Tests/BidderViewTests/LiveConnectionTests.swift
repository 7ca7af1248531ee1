import AuctionRules
import BidderView
import Testing
import Wire

/// Losing the server, and finding it again.
@Suite struct LiveConnectionTests {
    static let waits = [200, 400, 800, 1600, 3200, 5000, 5000].map { Duration.milliseconds($0) }

    @Test("until the server is there it is tried again after 0.2 s, doubling to 5 s")
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

    @Test("a server that answered is tried soon again")
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

    @Test("a server that answers and goes is not tried any sooner for that")
    func flaps() {
        let stage = Stage()
        for wait in Self.waits {
            stage.connect()
            stage.pass(.seconds(4))
            stage.lose()
            stage.expectAttempt(after: wait)
        }
    }

    @Test("a server that greets and goes is not tried without rest")
    func greetsAndGoes() {
        let stage = Stage()
        stage.isHeld = { _ in true }
        for wait in Self.waits {
            stage.connect()
            stage.lose()
            stage.expectAttempt(after: wait)
        }
    }

    @Test("that the server is lost is said at once, beside what was known last")
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

    @Test("while the server is lost its clock and its countdown stand still")
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

    @Test("a name is taken back with its token, and all is loaded again")
    func reconnects() {
        let stage = Stage(token: { _ in "kept" })
        stage.connect()
        #expect(stage.commands == ["format json", "name alice kept", "status", "laps", "who"])
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.commands.suffix(5) == stage.commands.prefix(5))
        #expect(stage.view.model.isConnected)
        #expect(stage.view.model.connection.lastError == nil)
    }

    @Test("another game behind the same address is asked with the token of that game")
    func otherGame() {
        let stage = Stage(token: { "\($0?.description ?? "none")-token" })
        stage.connect(game: "aaaa")
        stage.lose()
        stage.pass(.seconds(60))
        stage.connect(game: "bbbb")
        let names = stage.commands.filter { $0.hasPrefix("name") }
        #expect(names == ["name alice aaaa-token", "name alice bbbb-token"])
    }

    @Test("a token that the server gave is kept, and used when the name is taken back")
    func givenToken() {
        let stage = Stage()
        stage.connect()
        #expect(
            stage.effects == [
                .connect, .keep(token: "t0ken", of: bidder("alice"), in: GameID("k3v9")),
            ])
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.commands[1] == "name alice")
        #expect(stage.commands[6] == "name alice t0ken")
    }

    @Test("who only watches takes no name")
    func watching() {
        let stage = Stage(of: nil)
        stage.connect()
        #expect(stage.commands == ["format json", "status", "laps", "who"])
    }

    @Test("a name that is refused ends the view with a complaint")
    func refusedName() {
        let stage = Stage()
        stage.isHeld = { if case .name = $0 { true } else { false } }
        stage.connect()
        stage.refuse(.wrongToken)
        #expect(
            stage.effects.suffix(2) == [
                .complain(
                    "alice cannot play: "
                        + "this token does not open the name, choose another name"),
                .exit(.refused),
            ])
    }

    @Test("a name that is asked for too often is asked for again later, and the reason is shown")
    func slowDown() {
        let stage = Stage()
        stage.isHeld = { if case .name = $0 { true } else { false } }
        stage.connect()
        stage.refuse(.tooManyTokens(seconds: 12))
        #expect(stage.effects.last == .disconnect)
        #expect(
            stage.view.model.connection.lastError
                == "too many wrong tokens from your address, wait 12 s")
        stage.pass(.milliseconds(200))
        #expect(stage.effects.last == .connect)
    }

    @Test("a name that another connection took over ends the view with a complaint")
    func replaced() {
        let stage = Stage()
        stage.connect()
        stage.tell(.bye(.replaced))
        #expect(
            stage.effects.suffix(2) == [
                .complain("another call took over the name"), .exit(.refused),
            ])
    }

    @Test("who is kicked out is told why, and does not come back")
    func kicked() {
        let stage = Stage()
        stage.connect()
        stage.tell(.kicked(bidder("alice"), reason: "shill bids"), .bye(.kicked))
        #expect(
            stage.effects.suffix(2) == [
                .complain("the auctioneer kicked you out: shill bids"), .exit(.refused),
            ])
    }

    @Test(
        "a server that takes its leave is tried again",
        arguments: [
            (ServerMessage.CloseReason.shutdown, "the server has ended"),
            (.journal, "the server can no longer keep what happens, and has ended"),
            (.full, "the server is full"),
            (.idle, "the server waited too long for the end of a line"),
            (.init(rawValue: "new"), "the server closed the connection: new"),
        ])
    func farewell(farewell: ServerMessage.CloseReason, reason: String) {
        let stage = Stage()
        stage.connect()
        stage.tell(.bye(farewell))
        #expect(stage.effects.last == .disconnect)
        #expect(stage.view.model.connection.lastError == reason)
        stage.pass(.milliseconds(200))
        #expect(stage.effects.last == .connect)
    }

    @Test("the end of the stream behind a goodbye changes nothing")
    func lostTwice() {
        let stage = Stage()
        stage.connect()
        stage.tell(.bye(.shutdown))
        stage.pass(.milliseconds(100))
        stage.lose("the server closed the connection")
        #expect(stage.view.model.connection.lastError == "the server has ended")
        stage.pass(.milliseconds(100))
        #expect(stage.attempts == 2)
    }

    @Test("a connection that was too slow asks how the sale stands")
    func skipped() {
        let stage = Stage()
        stage.connect()
        stage.tell(.skipped(512))
        #expect(stage.commands.suffix(3) == ["status", "laps", "who"])
        #expect(stage.commands.count == 8)
        #expect(stage.view.model.isConnected)
    }

    @Test(
        "a server that does not answer is given up after 5 s",
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

    @Test("what listens and says nothing at all is given up after 5 s")
    func mute() {
        let stage = Stage()
        stage.isHeld = { _ in true }
        stage.view.connected()
        stage.tell()
        stage.pass(.seconds(5))
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "the server does not answer")
    }

    @Test(
        "what is no auction server is given up at once",
        arguments: ["HTTP/1.1 400 Bad Request", "SSH-2.0-OpenSSH_9.2", "", "HELLO auction/2 x"])
    func other(line: String) {
        let stage = Stage()
        stage.view.connected()
        stage.view.receive(line)
        stage.tell()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(
            stage.view.model.connection.lastError == "this is no auction/1 server: \(line)")
    }

    @Test("a server that is full is tried again")
    func full() {
        let stage = Stage()
        stage.view.connected()
        stage.view.receive("ERROR unavailable too many connections")
        stage.tell()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "too many connections")
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == 2)
    }
}

extension LiveConnectionTests {
    @Test("a server that answers and never greets is given up")
    func neverGreets() {
        let stage = Stage()
        stage.view.connected()
        stage.tell()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "the server does not greet")
    }

    @Test("a name that somebody else has for good is left to them")
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

    @Test("a name whose answer was lost is asked for until the server misses who had it")
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
            stage.effects.contains(.keep(token: "t0ken", of: bidder("alice"), in: GameID("k3v9"))))
        #expect(stage.view.model.isConnected)
    }
}

extension Stage {
    /// How often a connection was wished for.
    fileprivate var attempts: Int { effects.count { $0 == .connect } }

    /// Waits for the next attempt, which is to come then and not before.
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
