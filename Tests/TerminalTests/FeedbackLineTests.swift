import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

@Suite struct FeedbackLineTests {
    @Test("the next lot removes the answer, a repeated lot does not")
    func answerOfLot() {
        let stage = Stage()
        let lots = [1, 2].map { number in
            lotOpened(number, "Vase", start: 1)
        }
        stage.connect()
        stage.send(lots[0])
        stage.enter("7")
        stage.send(lots[0])
        #expect(stage.feedback?.text == "you bid 7")
        stage.send(lots[1])
        #expect(stage.feedback == nil)
    }

    @Test("outbid is shown with each price until the user leads again")
    func outbid() {
        let stage = Stage.open()
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        #expect(stage.feedback == .done("you bid 120"))
        stage.bid(140, by: "zoe", at: .zero)
        #expect(stage.feedback == .refusal("OUTBID by zoe, bid 141"))
        stage.bid(1400, by: "bob", at: .zero)
        #expect(stage.feedback == .refusal("OUTBID by bob, bid 1,401"))
        stage.bid(1500, by: "alice", at: .zero)
        #expect(stage.feedback == nil)
    }

    @Test("an accepted bid that was outbid before its answer is shown as outbid")
    func outbidBeforeAnswer() {
        let stage = Stage.open()
        stage.isHeld = { if case .offer = $0 { true } else { false } }
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        stage.bid(140, by: "zoe", at: .zero)
        stage.release()
        #expect(stage.feedback == .refusal("OUTBID by zoe, bid 141"))
    }

    @Test("outbid has no advice during a pause, and has it again afterwards")
    func outbidWhilePaused() {
        let stage = Stage.open()
        stage.bid(120, by: "alice", at: .zero)
        stage.bid(140, by: "zoe", at: .zero)
        stage.send(.event(.paused))
        #expect(stage.feedback == .refusal("OUTBID by zoe"))
        stage.send(.event(.resumed))
        #expect(stage.feedback == .refusal("OUTBID by zoe, bid 141"))
    }

    @Test(
        "a refusal because of the pause is removed at the end of the pause, or of the lot",
        arguments: [[ServerMessage.event(.resumed)], [.event(.hammered), .event(.lotSold(sold))]])
    func endOfPause(news: [ServerMessage]) {
        let stage = Stage.open()
        stage.bid(120, by: "bob", at: .zero)
        stage.send(.event(.paused))
        stage.isHeld = { if case .offer = $0 { true } else { false } }
        stage.enter("130")
        stage.refuse(.paused)
        #expect(stage.feedback?.isRefusal == true)
        for message in news { stage.send(message) }
        #expect(stage.feedback == nil)
    }

    private static let sold = SoldLot(
        number: 1, title: "Vase", bidder: bidder("bob"), price: price(120), elapsed: .seconds(1))

    @Test("what is true for a moment is removed after 5 s, or when the server is lost")
    func moments() {
        let stage = Stage.open()
        stage.enter("ping")
        stage.pass(.milliseconds(4_900))
        #expect(stage.feedback == .done("the server is there"))
        stage.pass(.milliseconds(200))
        #expect(stage.feedback == nil)
        stage.enter("ping")
        stage.lose()
        #expect(stage.feedback == nil)
    }

    @Test(
        "each command that loads says that it did",
        arguments: [
            ("laps", "1 lap"), ("who", "nobody is here under a name"),
            ("status", "Lot 1, Vase: 120 by bob, 7 s left"),
        ])
    func loads(line: String, answer: String) {
        let stage = Stage.open()
        stage.bid(120, by: "bob", at: .zero)
        stage.enter(line)
        #expect(stage.feedback == .done(answer))
    }

    @Test("a new price removes the answer to a bid")
    func staleAnswer() {
        let stage = Stage.open()
        stage.isHeld = { _ in true }
        stage.enter("5")
        stage.refuse(.tooLow(minimum: 6))
        #expect(stage.feedback?.isRefusal == true)
        stage.bid(140, by: "zoe", at: .zero)
        #expect(stage.feedback == nil)
    }

    @Test("a new price does not remove another answer")
    func otherAnswer() {
        let stage = Stage.open()
        stage.enter("ping")
        stage.bid(140, by: "zoe", at: .zero)
        #expect(stage.feedback?.text == "the server is there")
    }

    @Test("a void removes the answer to the bid, and does not show outbid")
    func voided() {
        let stage = Stage.open()
        stage.bid(110, by: "zoe", at: .zero)
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        stage.void()
        #expect(stage.feedback == nil)
    }

    @Test("the end of the lot removes the answer to a bid")
    func hammer() {
        let stage = Stage.open()
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        stage.bid(130, by: "zoe", at: .zero)
        stage.send(lotSold(1, "Vase", to: "zoe", for: 130, at: .seconds(9)))
        #expect(stage.feedback == nil)
    }

    @Test(
        "a warning before an offer leaves with the lot, and with the connection",
        arguments: [true, false])
    func warning(isLost: Bool) {
        let stage = Stage.open(secrets: [StageSale.drawn(67)])
        stage.enter("70")
        #expect(stage.feedback == .refusal("above your value 67, Enter again"))
        if isLost { stage.lose() } else { stage.sell(to: "bob", for: 5, at: .seconds(7)) }
        #expect(stage.feedback?.isRefusal != true)
    }

    @Test("an answer about the line leaves with the lot")
    func lineOfLot() {
        let stage = Stage.open()
        stage.enter("dance")
        stage.sell(to: "bob", for: 5, at: .seconds(7))
        #expect(stage.feedback == nil)
    }

    @Test("a bid shows dots until it is answered")
    func underWay() {
        let stage = Stage.open()
        stage.isHeld = { _ in true }
        stage.enter("120")
        #expect(stage.feedback == .done("..."))
    }

    @Test("the next line removes the answer to the last")
    func answerGoes() {
        let stage = Stage.open()
        stage.enter("dance")
        stage.press(.enter)
        #expect(stage.feedback == nil)
    }
}

extension CommandPrompt.Feedback {
    static func done(_ text: String) -> Self { Self(text: text, isRefusal: false) }

    static func refusal(_ text: String) -> Self { Self(text: text, isRefusal: true) }
}
