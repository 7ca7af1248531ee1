import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

/// The command line in lots that are not plain English auctions, and in a game.
@Suite struct GamePromptTests {
    @Test(
        "the commands of a game are sent as typed, and their answers are in words",
        arguments: [
            ("max 200", "the server bids for you, up to 200"),
            ("max 0", "the server bids for you no more"),
            ("buy", "you buy it for 500"), ("say  hello all", "said to everybody"),
            ("120", "you bid 120"), ("standings", "nobody has a place in the standings yet"),
        ])
    func commands(line: String, answer: String) {
        let stage = Stage.open(.english, buy: 500)
        stage.enter(line)
        #expect(stage.feedback == .done(answer))
    }

    @Test(
        "the auctioneer's commands of a game are sent as typed",
        arguments: [
            ("mute bob", "mute: done"), ("unmute bob", "unmute: done"),
            ("add Old lamp reserve=80 format=dutch", "add: done"),
        ])
    func auctioneer(line: String, answer: String) {
        let stage = Stage.open()
        stage.enter("auctioneer t0p")
        stage.enter(line)
        #expect(stage.feedback == .done(answer))
    }

    @Test("an offer is for the lot that is open, and says if another one opened meanwhile")
    func lot() {
        let stage = Stage.open(.english, buy: 500)
        for (line, sent) in [
            ("120", "bid 120 lot=1"), ("max 200", "max 200 lot=1"), ("buy", "buy lot=1"),
            ("bid 130 lot=3", "bid 130 lot=3"),
        ] {
            stage.enter(line)
            #expect(stage.sentLines.last?.hasSuffix(" " + sent) == true)
        }
        stage.isHeld = { _ in true }
        stage.enter("140")
        stage.send(lotPassed(1, "Vase"), lotOpened(2, "Clock", start: 5))
        stage.refuse(.otherLot(open: 2))
        #expect(stage.feedback == .refusal("this was for the lot before: lot 2 is open now"))
    }

    @Test(
        "a bid that buys the lot at once is asked for once more",
        arguments: [
            ("499", nil, nil), ("500", nil, "this buys the lot for 500, Enter again"),
            ("900", nil, "this buys the lot for 500, Enter again"),
            ("900", 600, "this buys the lot for 500, Enter again"),
            ("900", 450, "this buys the lot for 500, above your value 450, Enter again"),
            ("buy", nil, nil), ("buy", 450, "above your value 450, Enter again"),
        ] as [(String, Int64?, String?)])
    func purchase(line: String, worth: Int64?, warning: String?) {
        let stage = Stage.open(.english, buy: 500)
        if let worth { stage.send(.event(StageSale.drawn(worth))) }
        let sent = stage.sentLines
        stage.enter(line)
        guard let warning else { return #expect(stage.sentLines.count == sent.count + 1) }
        #expect(stage.sentLines == sent)
        #expect(stage.feedback == .refusal(warning))
        stage.press(.enter)
        #expect(stage.sentLines.count == sent.count + 1)
    }

    @Test("the least bid is the server's")
    func leastBid() {
        let stage = Stage.open(.english, buy: 200)
        let bid = lap(1, 95, "bob")
        stage.send(.event(.bidPlaced(bid)))
        stage.deliver(
            .state(Array(#"{"minimum":97,"maximum":99}"#.utf8)), number: nil, at: stage.now)
        #expect(stage.model.offer == price(97))
    }

    @Test("the answer to a bid that buys says that it bought, and at what price")
    func purchased() {
        let stage = Stage.open(.english, buy: 500)
        stage.isHeld = { _ in true }
        stage.enter("900")
        stage.press(.enter)
        let tag = stage.sentLines.last?.split(separator: " ").first.map { String($0.dropFirst()) }
        stage.send(.ok(.buy(price(500)), tag: tag))
        #expect(stage.feedback == .done("you buy it for 500"))
    }

    @Test("Tab completes the commands of a game")
    func completion() {
        let stage = Stage.open()
        for (begun, completed) in [("ta", "take "), ("m", "max "), ("sta", "sta"), ("sa", "say ")] {
            stage.type(begun)
            stage.press(.tab)
            #expect(stage.line == completed)
            stage.press(.control("u"))
        }
    }

    @Test("a sealed bid is not shown as a leading one, and can be replaced")
    func sealed() {
        let stage = Stage.open(.sealed)
        stage.enter("120")
        #expect(stage.feedback == .done("your sealed bid is 120"))
        #expect(stage.model.own?.sealed == price(120))
        stage.send(.event(.bidsSealed(2)))
        stage.enter("110")
        #expect(stage.commands.suffix(2) == ["bid 120", "bid 110"])
        #expect(stage.model.own?.sealed == price(110))
    }

    // MARK: - A falling price

    @Test(
        "while the price falls, up or Enter proposes to take the lot, and Enter takes it",
        arguments: [Key.up, .enter])
    func take(key: Key) {
        let stage = Stage.open(.dutch)
        stage.press(key)
        #expect(stage.line == "take")
        #expect(stage.commands.last != "take")
        stage.send(.event(.askFell(price(90)), .init(remaining: .seconds(6))))
        #expect(stage.line == "take")
        stage.press(.enter)
        #expect(stage.commands.last == "take")
        #expect(stage.feedback == .done("you take it at 90"))
    }

    @Test("while the price falls, t is short for take")
    func shortTake() {
        let stage = Stage.open(.dutch)
        stage.enter("t")
        #expect(stage.commands.last == "take")
        let english = Stage.open()
        english.enter("t")
        #expect(english.feedback?.isRefusal == true)
    }

    @Test("where no price falls, or it is paused, Enter on an empty line proposes nothing")
    func noTake() {
        for stage in [Stage.open(), Stage.open(.sealed), Stage.open(.dutch)] {
            if stage.model.lot.format == .dutch { stage.send(.event(.paused)) }
            let sent = stage.sentLines
            stage.press(.enter)
            #expect(stage.line.isEmpty)
            #expect(stage.sentLines == sent)
        }
    }

    @Test("a falling price removes a refusal because of the price")
    func refusedBid() {
        let stage = Stage.open(.dutch)
        stage.isHeld = { _ in true }
        stage.enter("80")
        stage.refuse(.tooLow(minimum: 100))
        #expect(stage.feedback == .refusal("too low: bid at least 100"))
        stage.send(.event(.askFell(price(90)), .init(remaining: .seconds(6))))
        #expect(stage.feedback == nil)
    }

    // MARK: - Values and purses

    @Test(
        "what may cost more than the value needs a second Enter",
        arguments: [
            (AuctionFormat.english, "150"), (.english, "bid 150"), (.english, "max 150"),
            (.english, "buy"), (.sealed, "150"), (.dutch, "take"),
        ])
    func aboveValue(format: AuctionFormat, line: String) {
        let stage = Stage.open(format, buy: format == .english ? 150 : nil)
        stage.send(.event(StageSale.drawn(90)))
        let sent = stage.sentLines
        stage.enter(line)
        #expect(stage.sentLines == sent)
        #expect(stage.line == line)
        #expect(stage.feedback?.text.hasSuffix("above your value 90, Enter again") == true)
        stage.press(.enter)
        #expect(stage.sentLines.count == sent.count + 1)
        #expect(stage.line.isEmpty)
    }

    @Test(
        "what costs at most the value, or no money, is sent at once",
        arguments: ["120", "max 120", "max 0", "say 1000", "who"])
    func withinValue(line: String) {
        let stage = Stage.open(.english)
        stage.send(.event(StageSale.drawn(120, isEstimate: true)))
        let sent = stage.sentLines
        stage.enter(line)
        #expect(stage.sentLines.count == sent.count + 1)
    }

    @Test("another amount, and the same amount in the next lot, are asked about again")
    func askedAgain() {
        let stage = Stage.open(.english)
        stage.send(.event(StageSale.drawn(120, isEstimate: true)))
        stage.enter("150")
        stage.press(.backspace, .character("5"), .enter)
        #expect(stage.feedback == .refusal("above your estimate 120, Enter again"))
        stage.press(.control("u"))
        stage.send(lotOpened(2, start: 1), .event(StageSale.drawn(130, isEstimate: true)))
        stage.enter("155")
        #expect(stage.line == "155")
        #expect(!stage.commands.contains { $0.hasPrefix("bid") })
    }

    @Test("a bid above the purse is refused in words until the price changes")
    func overPurse() {
        let stage = Stage.open(.english)
        stage.isHeld = { _ in true }
        stage.enter("1200")
        stage.refuse(.overPurse(left: 1_060))
        #expect(stage.feedback == .refusal("over your purse: bid at most 1,060"))
        stage.bid(140, by: "zoe", at: .zero)
        #expect(stage.feedback == nil)
    }

    // MARK: - Maximum bids

    @Test("a bid that the maximum answers is not shown as outbid, and does not ring")
    func maximum() {
        let stage = Stage.open(.english, ringsBell: true)
        stage.enter("max 200")
        stage.bid(100, by: "alice", at: .zero)
        stage.bid(150, by: "bob", at: .zero)
        #expect(stage.feedback == .done("the server bids for you, up to 200"))
        stage.bid(151, by: "alice", at: .zero)
        #expect(!stage.effects.contains(.bell))
        stage.bid(201, by: "bob", at: .zero)
        #expect(stage.feedback == .refusal("OUTBID by bob, bid 202"))
        #expect(stage.effects.count { $0 == .bell } == 1)
    }

    @Test("without the maximum, which was taken back, a bid is shown as outbid")
    func maximumTakenBack() {
        let stage = Stage.open(.english)
        stage.enter("max 200")
        stage.bid(100, by: "alice", at: .zero)
        stage.enter("max 0")
        stage.bid(150, by: "bob", at: .zero)
        #expect(stage.feedback == .refusal("OUTBID by bob, bid 151"))
    }
}
