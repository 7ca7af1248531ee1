import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

@Suite struct NameClaimTests {
    @Test("after a reconnect the name is taken with its token, and everything is loaded")
    func reconnects() {
        let stage = Stage(token: { _ in "kept" })
        stage.connect()
        #expect(
            stage.commands == [
                "format json", "status", "name alice kept", "laps", "who", "results",
            ])
        stage.send(joined("bob"))
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(
            stage.commands.suffix(7) == [
                "format json", "resume 1", "name alice kept", "status", "laps", "who", "results",
            ])
        #expect(stage.model.isConnected)
        #expect(stage.model.connection.lastError == nil)
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
        #expect(stage.commands[8] == "name alice t0ken")
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
                        + "this is not the token of the name, send the right one or choose another name"
                ),
                .exit(.refused),
            ])
    }

    @Test("a name that was requested too often is requested again later")
    func slowDown() {
        let stage = Stage()
        stage.isHeld = { if case .name = $0 { true } else { false } }
        stage.connect()
        stage.refuse(.tooManyTokens(seconds: 12))
        #expect(
            stage.feedback
                == .refusal("too many wrong tokens from your address, try again in 12 s"))
        stage.pass(.milliseconds(11_999))
        #expect(stage.commands.filter { $0 == "name alice" }.count == 1)
        stage.pass(.milliseconds(1))
        #expect(stage.commands.filter { $0 == "name alice" }.count == 2)
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
                .complain(
                    "alice cannot play: the name is in use, maybe by you on another machine: choose "
                        + "another one, or bring its token here with --token-file FILE"),
                .exit(.refused),
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
        #expect(!stage.effects.contains(.exit(.refused)))
        stage.isHeld = { _ in false }
        stage.pass(.seconds(1))
        #expect(
            stage.effects.contains(.keep(token: "t0ken", of: bidder("alice"), on: Identity("k3v9")))
        )
        #expect(stage.model.isConnected)
    }
}
