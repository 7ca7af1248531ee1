import Auction
import House
import Testing
import Wire

/// The news that a client missed.
@Suite struct LobbyResumeTests {
    /// A sale in which al and bo have bid in turn; the events are `LOT`, two `JOINED`, the first
    /// `PRICE` and its `COUNTDOWN`, and a `PRICE` for each further bid.
    private func with(bids: Int, answerLines: Int = 10_000) -> TestClients {
        var clients = TestClients(limits: .with { $0.answerLines = answerLines })
        clients.connectNamed("al", "bo")
        bid(1..<bids + 1, in: &clients)
        clients.connect("eve")
        return clients
    }

    private func bid(_ amounts: Range<Int>, in clients: inout TestClients) {
        for amount in amounts { clients.send(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
    }

    private static let all = [
        "LOT 1 lot-1", "JOINED al", "JOINED bo", "PRICE 1 al 00:00.0 1", "COUNTDOWN 7",
        "PRICE 2 bo 00:00.0 2",
    ]

    @Test("all news after a number is sent, once each and in order", arguments: 0...6)
    func missed(number: Int) {
        var clients = with(bids: 2)
        #expect(
            clients.send("eve", "#7 resume \(number)")
                == Self.all[number...] + ["OK #7 resume \(6 - number)"])
        #expect(clients.held.isEmpty)
        clients.send("al", "9")
        #expect(clients.received("eve") == ["PRICE 9 al 00:00.0 3"])
    }

    @Test("as a first line it comes after the greeting and its snapshot")
    func firstLine() {
        var clients = with(bids: 2)
        clients.connectUngreeted("x")
        let lines = clients.send("x", "resume 4")
        #expect(
            lines.dropFirst() == [
                "LOT 1 lot-1", "PRICE 2 bo 00:00.0 2", "COUNTDOWN 7", "COUNTDOWN 7",
                "PRICE 2 bo 00:00.0 2", "OK resume 2",
            ])
    }

    @Test("a number that no event has yet is refused", arguments: [7, 1_000_000, Int.max / 100])
    func beyond(number: Int) {
        var clients = with(bids: 2)
        #expect(
            clients.send("eve", "resume \(number)")
                == ["ERROR bad-arguments type: resume NUMBER with a NUMBER up to 6, the newest"])
    }

    @Test(
        "the newest thousand are kept; if more were missed, an error and a snapshot follow",
        arguments: [(1002, true), (1003, false), (0, true)])
    func tooMany(number: Int, isGone: Bool) {
        var clients = with(bids: 1999)
        let lines = clients.send("eve", "resume \(number)")
        if isGone {
            #expect(lines[0] == ServerMessage.error(.gone, tag: nil).text)
            #expect(
                lines.dropFirst()
                    == ["LOT 1 lot-1", "PRICE 1999 al 00:00.0 1999", "COUNTDOWN 7"])
        } else {
            #expect(lines.count == 1001)
            #expect(lines.first == "PRICE 1000 bo 00:00.0 1000")
            #expect(lines.last == "OK resume 1000")
        }
    }

    @Test("news that happens between the parts follows the whole answer")
    func inParts() {
        var clients = with(bids: 25, answerLines: 10)
        #expect(clients.take("eve", Array("resume 4\n".utf8), isConfirmed: true) == 9)
        #expect(clients.held == ["eve"])
        var lines = clients.received("eve")
        bid(26..<31, in: &clients)
        _ = clients.received("eve")
        clients.send("eve", [])
        lines += clients.received("eve")
        #expect(lines.count == 26)
        #expect(lines.first == "COUNTDOWN 7")
        #expect(
            lines[1...24]
                == (2...25).map { "PRICE \($0) \(bidder($0)) 00:00.0 \($0)" }[...])
        #expect(lines.last == "OK resume 25")
        #expect(clients.held.isEmpty)
        #expect(clients.mostReplies <= 11)
    }

    private func bidder(_ number: Int) -> Bidder {
        guard let bidder = Bidder(number.isMultiple(of: 2) ? "bo" : "al") else {
            preconditionFailure("the names are names")
        }
        return bidder
    }

    @Test("an answer whose next part is no longer kept ends with an error, and a snapshot follows")
    func goneMeanwhile() {
        var clients = with(bids: 25, answerLines: 10)
        _ = clients.take("eve", Array("#7 resume 4\n".utf8), isConfirmed: true)
        bid(26..<1100, in: &clients)
        _ = clients.received("eve")
        clients.send("eve", [])
        #expect(
            clients.received("eve") == [
                ServerMessage.error(.gone, tag: "7").text, "LOT 1 lot-1",
                "PRICE 1099 al 00:00.0 1099", "COUNTDOWN 7",
            ])
        #expect(clients.held.isEmpty)
    }

    @Test("with no budget left in a step the news is held back, so that the order is kept")
    func budget() {
        var clients = with(bids: 2)
        clients.lobby.answerBudget = 0
        _ = clients.take("eve", Array("resume 5\n".utf8), isConfirmed: true)
        #expect(clients.held == ["eve"])
        #expect(clients.received("eve").isEmpty)
        clients.send("al", "9")
        _ = clients.received("eve")
        clients.lobby.answerBudget = 1000
        clients.send("eve", [])
        #expect(clients.received("eve") == ["PRICE 2 bo 00:00.0 2", "OK resume 1"])
        #expect(clients.held.isEmpty)
    }

    @Test("ten of its lines are charged as one")
    func charged() {
        var clients = TestClients(
            limits: .with { $0.lines = TokenBucket.Rate(1, per: .seconds(1), burst: 50) })
        clients.connectNamed("al", "bo", "eve")
        bid(1..<26, in: &clients)
        let before = clients.available("eve")
        clients.send("eve", Array("resume 4\n".utf8))
        // The command itself, and two for 26 lines.
        #expect(before - clients.available("eve") == 3)
    }

    @Test("in JSON each line has its own number, no snapshot mark and no state")
    func json() {
        var clients = TestClients(Rules(seconds: 7, start: price(3)))
        clients.connectNamed("al", "eve")
        clients.send("eve", "format json")
        clients.send("al", "5")
        _ = clients.received("eve")
        let time = #""time":"1970-01-01T00:00:00.000Z"}"#
        #expect(
            clients.send("eve", "resume 0").dropLast(2) == [
                #"{"seq":1,"type":"lot","lot":1,"content":"lot-1","text":"lot 1 is open","# + time,
                #"{"seq":2,"type":"joined","content":"al","bidder":"al","#
                    + #""text":"al has joined","# + time,
                #"{"seq":3,"type":"joined","content":"eve","bidder":"eve","#
                    + #""text":"eve has joined","# + time,
                #"{"seq":4,"type":"price","content":"5","amount":5,"bidder":"al","#
                    + #""elapsedMilliseconds":40,"bid":1,"text":"al bids 5","# + time,
                #"{"seq":5,"type":"countdown","content":"7","seconds":7,"# + time,
                #"{"type":"ok","content":"resume 5","# + time,
            ])
    }

    @Test("an asking price of an earlier lot may be above what the first bid of a lot may be")
    func earlierPrice() throws {
        let plan = try LotPlan(line: "Clock format=dutch start=400 step=100")
        var clients = TestClients(
            Rules(seconds: 7, mostRaise: price(100)),
            Catalogue(plans: [plan, LotPlan(title: "Vase")]))
        clients.connectNamed("al")
        clients.pass(milliseconds: 3000)
        #expect(clients.received("al").contains("ASK 300"))
        clients.send("al", "take")
        clients.pass(milliseconds: 5000)
        #expect(clients.received("al").contains("LOT 2 Vase"))
        #expect(clients.send("al", "resume 0").contains("ASK 300"))
    }

    @Test("after a restart the news since the newest segment began is still there")
    func restarted() throws {
        let before = with(bids: 2)
        var after = TestClients(resuming: try recovered(before.journal))
        after.connect("x")
        let news = ["LEFT al", "LEFT bo", "COUNTDOWN 7"]
        #expect(after.send("x", "resume 0") == Self.all + news + ["OK resume 9"])
        let state = after.lobby.mainState
        var replay = ServerReplay()
        replay.beginSegment(first: 10, state: state.count)
        for (record, number) in state {
            let isTaken = replay.replay(record, number: number)
            #expect(isTaken)
        }
        var later = TestClients(resuming: replay)
        later.connect("y")
        #expect(later.send("y", "resume 9") == ["COUNTDOWN 7", "OK resume 1"])
        #expect(later.send("y", "resume 8").first == ServerMessage.error(.gone, tag: nil).text)
    }
}
