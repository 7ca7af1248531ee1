import Auction
import Bidder
import Terminal
import Testing
import Wire

@Suite struct RequestClientTests {
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
        let model = { stage.view.model }
        #expect(model().lapsLoad.isLoading && model().biddersLoad.isLoading)

        stage.release { $0 == .who }
        #expect(model().bidders == stage.bidders)
        #expect(model().lapsLoad.isLoading && !model().biddersLoad.isLoading)
        stage.release { $0 == .offer(.bid(price(7))) }
        #expect(model().prompt.feedback?.text == "you bid 7")
        #expect(model().lapsLoad.isLoading)
        stage.release()
        #expect(model().laps.newest == stage.bids)
        #expect(!model().lapsLoad.isLoading)
    }

    @Test("two pending bids have their own answers, and the newer one is shown")
    func twoBids() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { if case .offer = $0 { true } else { false } }
        stage.enter("7")
        stage.enter("8")
        stage.release { $0 == .offer(.bid(price(7))) }
        #expect(stage.view.model.prompt.feedback?.text == "you bid 7")
        stage.release()
        #expect(stage.view.model.prompt.feedback?.text == "you bid 8")
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
        let model = stage.view.model
        #expect(model.lapsLoad.lastError == ErrorReply.unavailable.advice)
        #expect(model.laps.newest == stage.bids)
        #expect(model.biddersLoad.lastError == ErrorReply.unavailable.advice)
        #expect(model.bidders == [bidder("bob")])
        #expect(!model.lapsLoad.isLoading && !model.biddersLoad.isLoading)
        stage.isHeld = { _ in false }
        stage.enter("laps")
        #expect(stage.view.model.lapsLoad.lastError == nil)
    }

    @Test("pending requests fail when the connection is lost")
    func lost() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("7")
        stage.enter("laps")
        stage.lose("the server is gone")
        #expect(stage.view.model.prompt.feedback == .refusal("the server is gone"))
        #expect(stage.view.model.lapsLoad.lastError == "the server is gone")
        #expect(!stage.view.model.lapsLoad.isLoading)
    }

    @Test("without a connection a request fails")
    func notConnected() {
        let stage = Stage()
        stage.enter("7")
        #expect(stage.view.model.prompt.feedback == .refusal("not connected"))
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
        #expect(stage.view.model.prompt.feedback == .refusal("the server is gone"))
    }

    @Test("an answered request has no timeout")
    func inTime() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("ping")
        stage.pass(.seconds(4))
        stage.release()
        #expect(stage.view.model.prompt.feedback?.text == "the server is there")
        stage.pass(.seconds(60))
        #expect(!stage.effects.contains(.disconnect))
    }

    @Test(
        "unknown lines are ignored", arguments: ["", "{}", "hi", "{"])
    func garbage(line: String) {
        let stage = Stage()
        stage.connect()
        stage.view.receive([line])
        stage.send(.event(.bidderJoined(bidder("bob"))))
        #expect(stage.view.model.ticker == "bob has joined")
        #expect(stage.view.model.isConnected)
    }

    @Test("data without a request is not stored")
    func unaskedData() {
        let stage = Stage()
        stage.connect()
        stage.send(.lap(lap(1, 5, "bob")), .who(bidder("eve")))
        stage.enter("laps")
        #expect(stage.view.model.laps.newest == stage.bids)
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
        #expect(!stage.view.model.lapsLoad.isLoading)
        #expect(stage.view.model.isConnected)
    }
}
