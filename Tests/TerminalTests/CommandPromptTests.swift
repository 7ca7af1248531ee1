import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
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
        #expect(stage.feedback?.text == answer)
    }

    @Test("Tab completes the auctioneer's commands after the token is accepted")
    func auctioneersWords() {
        let stage = Stage.open()
        stage.type("resu")
        stage.press(.tab)
        #expect(stage.line == "results ")
        stage.press(.control("u"))
        stage.enter("auctioneer t0p")
        stage.type("resu")
        stage.press(.tab)
        #expect(stage.line == "resu")
        stage.type("m")
        stage.press(.tab)
        #expect(stage.line == "resume ")
    }

    @Test(
        "an amount and the bid command are equivalent",
        arguments: ["120", "bid 120", "BID  120", " 120 ", "0,120"])
    func bids(line: String) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(stage.commands.last == "bid 120")
        #expect(stage.feedback == .done("you bid 120"))
        #expect(stage.line.isEmpty)
    }

    @Test("what seems to be an amount is refused as one", arguments: ["-5", "+5", "５００", "5.5"])
    func amounts(line: String) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(
            stage.feedback == .refusal("an amount is a whole number from 1 to 1,000,000,000,000"))
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
        #expect(stage.feedback == .refusal(words))
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
        #expect(stage.feedback == .refusal(words))
    }

    @Test(
        "commands send their requests",
        arguments: [
            ("laps", ["laps"]), ("who", ["who"]), ("results", ["results"]),
            ("status", ["status", "laps", "who", "results"]),
            ("ping", ["ping"]), ("", []), ("  ", []),
        ])
    func commands(line: String, expected: [String]) {
        let stage = Stage.open()
        stage.enter(line)
        #expect(Array(stage.commands.dropFirst(6)) == expected)
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
        #expect(stage.line == "ping")
    }

    @Test("the up arrow on an empty line offers the minimum bid")
    func offer() {
        let stage = Stage.open()
        stage.press(.up)
        #expect(stage.line == "5")
        stage.press(.enter)
        #expect(stage.commands.last == "bid 5")
        stage.bid(7, by: "bob", at: .zero)
        stage.press(.up)
        #expect(stage.line == "8")
    }

    @Test(
        "an offer that is typed does not survive its lot, and says so",
        arguments: ["60", "6", "bid 60", "b", "max 200", "take", "BUY", "#1 bid 60"])
    func offerOfLot(line: String) {
        let stage = Stage.open()
        stage.type(line)
        stage.send(lotPassed(1, "Vase"))
        #expect(stage.line == "")
        #expect(stage.feedback == .done("the lot has ended: \(line) was not sent"))
        stage.type(line)
        stage.send(lotOpened(2, "Clock", start: 5))
        #expect(stage.line == "")
        #expect(stage.feedback == .done("lot 2 is open: \(line) was not sent"))
        let sent = stage.sentLines
        stage.press(.enter)
        #expect(stage.sentLines == sent)
        stage.press(.up)
        #expect(stage.line == "5")
    }

    @Test("any other line survives the lot", arguments: ["say I bid 60", "who", "standings"])
    func otherLine(line: String) {
        let stage = Stage.open()
        stage.type(line)
        stage.send(lotPassed(1, "Vase"), lotOpened(2, "Clock", start: 5))
        #expect(stage.line == line)
    }

    @Test("the same lot in a snapshot leaves the line as it is")
    func sameLot() {
        let stage = Stage.open()
        stage.type("60")
        stage.send(lotOpened(1, "Vase", start: 5))
        #expect(stage.line == "60")
    }

    @Test("without an open lot nothing is offered")
    func noOffer() {
        let stage = Stage.open()
        stage.send(lotPassed(1, "Vase"))
        stage.press(.up)
        #expect(stage.line.isEmpty)
    }
}
