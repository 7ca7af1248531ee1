import Auction
import Bidder
import Terminal
import Testing
import Wire

@Suite struct LiveConnectionTests {
    @Test("an observer takes no name")
    func watching() {
        let stage = Stage(of: nil)
        stage.connect()
        #expect(stage.commands == ["format json", "status", "laps", "who"])
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

    @Test("after SKIPPED, which a snapshot follows, the lists are loaded again")
    func skipped() {
        let stage = Stage()
        stage.connect()
        stage.send(.skipped(512))
        #expect(stage.commands.suffix(2) == ["laps", "who"])
        #expect(stage.commands.count == 7)
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
        stage.view.receive([line])
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(
            stage.view.model.connection.lastError == "this is no auction/1 server: \(line)")
    }

    @Test("after an error without a tag the view reconnects")
    func full() {
        let stage = Stage()
        stage.view.connected()
        stage.view.receive(["ERROR unavailable too many connections"])
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "too many connections")
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == 2)
    }

    @Test("a server that answers without a greeting is lost")
    func neverGreets() {
        let stage = Stage()
        stage.view.connected()
        stage.send()
        #expect(stage.effects.suffix(1) == [.disconnect])
        #expect(stage.view.model.connection.lastError == "the server does not greet")
    }
}
