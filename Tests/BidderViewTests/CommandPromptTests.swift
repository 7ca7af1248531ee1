import AuctionRules
import BidderView
import Sale
import Testing
import Typing
import Wire

@Suite struct CommandPromptTests {
    @Test(
        "the auctioneer's commands are sent as typed",
        arguments: [
            ("auctioneer t0p", "you are the auctioneer"), ("pause", "pause: done"),
            ("void", "void: done"), ("kick bob shill bids", "kick: done"),
        ])
    func auctioneer(line: String, answer: String) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(stage.commands.last == line)
        #expect(stage.view.model.prompt.feedback?.text == answer)
    }

    @Test("Tab completes the auctioneer's commands after the token is accepted")
    func auctioneersWords() {
        let stage = Stage.open()
        stage.type("res")
        stage.press(.tab)
        #expect(stage.view.model.prompt.input.text == "res")
        stage.press(.control("u"))
        stage.enter("auctioneer t0p")
        stage.type("res")
        stage.press(.tab)
        #expect(stage.view.model.prompt.input.text == "resume ")
    }

    @Test("the next lot removes the answer, a repeated lot does not")
    func answerOfLot() {
        let stage = Stage()
        let lots = [1, 2].map { number in
            ServerMessage.lot(Lot(number: number, title: "Vase"), start: price(1), elapsed: .zero)
        }
        stage.connect()
        stage.send(lots[0])
        stage.enter("7")
        stage.send(lots[0])
        #expect(stage.view.model.prompt.feedback?.text == "you bid 7")
        stage.send(lots[1])
        #expect(stage.view.model.prompt.feedback == nil)
    }

    @Test(
        "an amount and the bid command are equivalent",
        arguments: ["120", "bid 120", "BID  120", " 120 ", "0,120"])
    func bids(line: String) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(stage.commands.last == "bid 120")
        #expect(stage.view.model.prompt.feedback == .done("you bid 120"))
        #expect(stage.view.model.prompt.input.text.isEmpty)
    }

    @Test("outbid is shown with each price until the user leads again")
    func outbid() {
        let stage = Stage.open()
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        #expect(stage.view.model.prompt.feedback == .done("you bid 120"))
        stage.bid(140, by: "zoe", at: .zero)
        #expect(stage.view.model.prompt.feedback == .refusal("OUTBID by zoe, bid 141"))
        stage.bid(1400, by: "bob", at: .zero)
        #expect(stage.view.model.prompt.feedback == .refusal("OUTBID by bob, bid 1,401"))
        stage.bid(1500, by: "alice", at: .zero)
        #expect(stage.view.model.prompt.feedback == nil)
    }

    @Test("an accepted bid that was outbid before its answer is shown as outbid")
    func outbidBeforeAnswer() {
        let stage = Stage.open()
        stage.isHeld = { if case .bid = $0 { true } else { false } }
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        stage.bid(140, by: "zoe", at: .zero)
        stage.release()
        #expect(stage.view.model.prompt.feedback == .refusal("OUTBID by zoe, bid 141"))
    }

    @Test("outbid has no advice during a pause, and has it again afterwards")
    func outbidWhilePaused() {
        let stage = Stage.open()
        stage.bid(120, by: "alice", at: .zero)
        stage.bid(140, by: "zoe", at: .zero)
        stage.send(.paused)
        #expect(stage.view.model.prompt.feedback == .refusal("OUTBID by zoe"))
        stage.send(.resumed)
        #expect(stage.view.model.prompt.feedback == .refusal("OUTBID by zoe, bid 141"))
    }

    @Test(
        "a refusal because of the pause is removed at the end of the pause, or of the lot",
        arguments: [[ServerMessage.resumed], [.hammered, .winner(sold)]])
    func endOfPause(news: [ServerMessage]) {
        let stage = Stage.open()
        stage.bid(120, by: "bob", at: .zero)
        stage.send(.paused)
        stage.isHeld = { if case .bid = $0 { true } else { false } }
        stage.enter("130")
        stage.refuse(.paused)
        #expect(stage.view.model.prompt.feedback?.isRefusal == true)
        for message in news { stage.send(message) }
        #expect(stage.view.model.prompt.feedback == nil)
    }

    private static let sold = SoldLot(
        number: 1, title: "Vase", bidder: bidder("bob"), price: price(120), elapsed: .seconds(1))

    @Test("what is true for a moment is removed after 5 s, or when the server is lost")
    func moments() {
        let stage = Stage.open()
        stage.enter("ping")
        stage.pass(.milliseconds(4_900))
        #expect(stage.view.model.prompt.feedback == .done("the server is there"))
        stage.pass(.milliseconds(200))
        #expect(stage.view.model.prompt.feedback == nil)
        stage.enter("ping")
        stage.lose()
        #expect(stage.view.model.prompt.feedback == nil)
    }

    @Test(
        "each command that loads says that it did",
        arguments: [("laps", "1 lap loaded"), ("who", "0 here"), ("status", "up to date")])
    func loads(line: String, answer: String) {
        let stage = Stage.open()
        stage.bid(120, by: "bob", at: .zero)
        stage.enter(line)
        #expect(stage.view.model.prompt.feedback == .done(answer))
    }

    @Test("what seems to be an amount is refused as one", arguments: ["-5", "+5", "５００", "5.5"])
    func amounts(line: String) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(
            stage.view.model.prompt.feedback
                == .refusal("an amount is a whole number from 1 to 1,000,000,000,000"))
    }

    @Test("a new price removes the answer to a bid")
    func staleAnswer() {
        let stage = Stage.open()
        stage.isHeld = { _ in true }
        stage.enter("5")
        stage.refuse(.tooLow(minimum: 6))
        #expect(stage.view.model.prompt.feedback?.isRefusal == true)
        stage.bid(140, by: "zoe", at: .zero)
        #expect(stage.view.model.prompt.feedback == nil)
    }

    @Test("a new price does not remove another answer")
    func otherAnswer() {
        let stage = Stage.open()
        stage.enter("ping")
        stage.bid(140, by: "zoe", at: .zero)
        #expect(stage.view.model.prompt.feedback?.text == "the server is there")
    }

    @Test("a void removes the answer to the bid, and does not show outbid")
    func voided() {
        let stage = Stage.open()
        stage.bid(110, by: "zoe", at: .zero)
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        stage.void(restating: 7)
        #expect(stage.view.model.prompt.feedback == nil)
    }

    @Test("the end of the lot removes the answer to a bid")
    func hammer() {
        let stage = Stage.open()
        stage.enter("120")
        stage.bid(120, by: "alice", at: .zero)
        stage.bid(130, by: "zoe", at: .zero)
        stage.send(
            .winner(
                SoldLot(
                    number: 1, title: "Vase", bidder: bidder("zoe"), price: price(130),
                    elapsed: .seconds(9))))
        #expect(stage.view.model.prompt.feedback == nil)
    }

    @Test("a bid shows dots until it is answered")
    func underWay() {
        let stage = Stage.open()
        stage.isHeld = { _ in true }
        stage.enter("120")
        #expect(stage.view.model.prompt.feedback == .done("..."))
    }

    @Test(
        "a refusal is shown in plain words",
        arguments: [
            (.tooLow(minimum: 121), "too low: bid at least 121"),
            (
                .tooLow(minimum: Price.highest.amount + 1),
                "nobody can bid more than this"
            ),
            (.leading(at: price(120)), "you already lead"),
            (.closed, "no lot is open, wait for the next"),
            (.over, "the sale is over, no lot will follow"),
            (.unavailable, "nothing was accepted, try again later"),
            (ErrorReply(.init(rawValue: "new-word"), advice: "do so"), "do so"),
        ] as [(ErrorReply, String)])
    func refusals(fault: ErrorReply, words: String) {
        let stage = Stage.open()
        stage.isHeld = { _ in true }
        stage.enter("120")
        stage.refuse(fault)
        #expect(stage.view.model.prompt.feedback == .refusal(words))
    }

    @Test(
        "an invalid line is refused without sending it",
        arguments: [
            ("dance", "unknown command, ? for help"),
            ("0", "an amount is a whole number from 1 to 1,000,000,000,000"),
            ("bid lots", "an amount is a whole number from 1 to 1,000,000,000,000"),
            ("bid", "type: bid AMOUNT"),
            ("name bob", "you are alice here"),
            ("format text", "the view needs its own format, use --plain for lines"),
            ("max", "type: max AMOUNT, or max 0 to take it back"), ("take 5", "type: take"),
            ("mute", "type: mute NAME"),
        ])
    func wrongLines(line: String, words: String) {
        let stage = Stage.open()
        let sent = stage.sentLines
        stage.enter(line)
        #expect(stage.sentLines == sent)
        #expect(stage.view.model.prompt.feedback == .refusal(words))
    }

    @Test(
        "commands send their requests",
        arguments: [
            ("laps", ["laps"]), ("who", ["who"]), ("status", ["status", "laps", "who"]),
            ("ping", ["ping"]), ("", []), ("  ", []),
        ])
    func commands(line: String, expected: [String]) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(Array(stage.commands.dropFirst(5)) == expected)
    }

    @Test(
        "commas are removed from amounts only",
        arguments: [
            ("1,000", "bid 1000"), ("bid 12,000", "bid 12000"),
            ("kick bob bid 1,000 twice", "kick bob bid 1,000 twice"),
            ("auctioneer 1,2", "auctioneer 1,2"),
        ])
    func commas(line: String, sent: String) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(stage.commands.last == sent)
    }

    @Test("a line with a token is not in the history")
    func secrets() {
        let stage = Stage.open()
        stage.enter("ping")
        stage.enter("auctioneer 0123456789abcdef0123456789abcdef")
        stage.enter("name alice 0123456789abcdef0123456789abcdef")
        stage.enter("auctoneer 0123456789abcdef0123456789abcdef")
        stage.enter("auctioneer 0123456789abcdef0123456789abcdef please")
        stage.press(.up, .up)
        #expect(stage.view.model.prompt.input.text == "ping")
    }

    @Test("the next line removes the answer to the last")
    func answerGoes() {
        let stage = Stage.open()
        stage.enter("dance")
        stage.press(.enter)
        #expect(stage.view.model.prompt.feedback == nil)
    }

    @Test("the up arrow on an empty line offers the minimum bid")
    func offer() {
        let stage = Stage.open()
        stage.press(.up)
        #expect(stage.view.model.prompt.input.text == "5")
        stage.press(.enter)
        #expect(stage.commands.last == "bid 5")
        stage.bid(7, by: "bob", at: .zero)
        stage.press(.up)
        #expect(stage.view.model.prompt.input.text == "8")
    }

    @Test("without an open lot nothing is offered")
    func noOffer() {
        let stage = Stage.open()
        stage.send(.passed(Lot(number: 1, title: "Vase"), reason: "no-bids"))
        stage.press(.up)
        #expect(stage.view.model.prompt.input.text.isEmpty)
    }

    @Test("? shows and hides the help, Escape hides it, and other keys work beside it")
    func help() {
        let stage = Stage.open()
        stage.type("?")
        #expect(stage.view.model.prompt.helpPage == 0)
        stage.enter("7")
        #expect(stage.view.model.prompt.helpPage == 0)
        #expect(stage.commands.last == "bid 7")
        stage.type("?")
        #expect(stage.view.model.prompt.helpPage == nil)
        stage.enter("help")
        #expect(stage.view.model.prompt.helpPage == 0)
        stage.press(.escape)
        #expect(stage.view.model.prompt.helpPage == nil)
    }

    @Test("on a small screen ? turns the pages of the help")
    func helpPages() {
        let stage = Stage.open(columns: 40, rows: 12)
        var pages: [Int?] = []
        for _ in 0..<6 {
            stage.type("?")
            pages.append(stage.view.model.prompt.helpPage)
        }
        #expect(pages == [0, 1, 2, 3, 4, nil])
    }

    @Test("page keys scroll the laps, and Home and End do if no line is typed")
    func scrolling() {
        let stage = Stage.open()
        for number in 1...60 { stage.bid(Int64(number), by: "bob", at: .seconds(number)) }
        func newer() -> Int { stage.view.model.laps.newerCount }
        stage.press(.pageDown)
        #expect(newer() == 9)
        stage.type("12")
        stage.press(.home, .pageDown)
        #expect(newer() == 18)
        #expect(stage.view.model.prompt.input.cursor == 0)
        stage.press(.pageUp, .control("k"), .end)
        #expect(newer() == 50)
        stage.press(.home)
        #expect(!stage.view.model.laps.isScrolled)
    }

    @Test("an observer scrolls by one lap with the arrows, and connects again with Enter")
    func spectatorKeys() {
        let stage = Stage.open(of: nil)
        for number in 1...60 { stage.bid(Int64(number), by: "bob", at: .seconds(number)) }
        stage.press(.down, .down, .up)
        #expect(stage.view.model.laps.newerCount == 1)
        stage.lose()
        stage.press(.enter)
        #expect(stage.effects.last == .connect)
    }

    @Test("a question mark within a line is text")
    func questionMark() {
        let stage = Stage.open()
        stage.type("a?")
        #expect(stage.view.model.prompt.helpPage == nil)
        #expect(stage.view.model.prompt.input.text == "a?")
    }

    @Test(
        "a user leaves with Ctrl-C, Ctrl-D and quit",
        arguments: [[Key.control("c")], [.control("d")], "quit".map(Key.character) + [.enter]])
    func leaving(keys: [Key]) {
        let stage = Stage.open()
        for key in keys { stage.press(key) }
        #expect(stage.effects.last == .exit(.done))
    }

    @Test(
        "an observer leaves with Ctrl-C, Ctrl-D and q", arguments: ["c", "d", "q"] as [Character])
    func leavingTheWatch(letter: Character) {
        let stage = Stage.open(of: nil)
        stage.press(letter == "q" ? .character(letter) : .control(letter))
        #expect(stage.effects.last == .exit(.done))
    }

    @Test("leaving before the connection is made exits with the code for a lost server")
    func leavingEarly() {
        let stage = Stage()
        stage.press(.control("c"))
        #expect(
            stage.effects.suffix(2) == [
                .complain("not connected to 127.0.0.1 port 7777"), .exit(.lost),
            ])
    }

    @Test("leaving while the server is lost exits with the code for that")
    func leavingWhileLost() {
        let stage = Stage.open()
        stage.lose()
        stage.press(.control("c"))
        #expect(
            stage.effects.suffix(2) == [
                .complain("the server closed the connection"), .exit(.lost),
            ])
    }

    @Test("Ctrl-C leaves from the help too, and Ctrl-D within a line does not leave")
    func leavingOrNot() {
        let stage = Stage.open()
        stage.type("12")
        stage.press(.control("d"))
        #expect(stage.effects.last != .exit(.done))
        stage.press(.control("u"))
        stage.type("?")
        stage.press(.control("c"))
        #expect(stage.effects.last == .exit(.done))
    }

    @Test("after the exit there are no more effects")
    func left() {
        let stage = Stage.open()
        stage.press(.control("c"))
        let effects = stage.effects.count
        stage.lose()
        stage.pass(.seconds(60))
        stage.press(.control("c"), .control("l"))
        #expect(stage.effects.count == effects)
    }

    @Test("an observer cannot type")
    func watching() {
        let stage = Stage.open(of: nil)
        stage.enter("120")
        #expect(stage.view.model.prompt.input.text.isEmpty)
        #expect(stage.commands.last == "who")
        stage.type("?")
        #expect(stage.view.model.prompt.helpPage == 0)
    }

    @Test("Ctrl-L redraws, and Ctrl-Z suspends")
    func screenAndJobs() {
        let stage = Stage.open()
        stage.press(.control("l"), .control("z"))
        #expect(stage.effects.suffix(2) == [.redraw, .suspend])
    }
}

extension CommandPrompt.Feedback {
    static func done(_ text: String) -> Self { Self(text: text, isRefusal: false) }

    static func refusal(_ text: String) -> Self { Self(text: text, isRefusal: true) }
}
