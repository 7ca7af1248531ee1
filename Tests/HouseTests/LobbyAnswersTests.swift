import Auction
import House
import Testing
import Wire

/// Answers of many lines, which are sent in parts.
@Suite struct LobbyAnswersTests {
    private func with25Bids(answerLines: Int = 10, lines: TokenBucket.Rate? = nil) -> TestClients {
        var limits = Limits.none
        limits.answerLines = answerLines
        limits.lines = lines
        var clients = TestClients(limits: limits)
        clients.connectNamed("al", "bo", "eve")
        for amount in 1...25 { clients.send(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
        _ = clients.received("eve")
        return clients
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("one read causes no more replies than may wait, and every request is answered")
    func bounded() {
        var clients = with25Bids()
        clients.send("eve", bytes(String(repeating: "laps 1 25\n", count: 200)))
        let lines = clients.received("eve")
        #expect(lines.count == 200 * 26)
        #expect(lines.last == "OK laps 25")
        // The OK of an answer may be one more.
        #expect(clients.mostReplies <= 11)
    }

    @Test("the help comes in parts, each line once and in order")
    func helpInParts() {
        var clients = with25Bids()
        clients.send("eve", bytes("#1 help\n"))
        // The OK of an answer may be one more.
        #expect(clients.mostReplies <= 11)
        #expect(
            clients.received("eve") == Help.lines(of: .english).map { "HELP \($0)" } + [
                "OK #1 help"
            ])
        #expect(clients.held.isEmpty)
    }

    /// With 4,096 bytes of output, the least that can be chosen, a part has eight lines.
    @Test(
        "the replies to one read fit the smallest output",
        arguments: ["status", "help", "laps 1 1000", "who"])
    func smallestOutput(question: String) {
        let title = String(repeating: "\"", count: Lot.longestTitle)
        var clients = TestClients(
            Rules(seconds: 7), Catalogue(titles: [title]), limits: .with { $0.answerLines = 8 })
        for number in 0..<8 {
            clients.join("b\(number)")
            let padding = String(repeating: "x", count: Bidder.longest - 1)
            clients.send("b\(number)", "name \(number)\(padding)")
        }
        for amount in 1...20 {
            clients.send("b\(amount % 8)", "\(Price.highest.amount - 20 + Int64(amount))")
        }
        clients.join("eve")
        clients.send("eve", "format json")
        let tag = "#" + String(repeating: "t", count: 32)
        let asked = String(repeating: tag + " bid 1\n", count: 7) + "\(tag) \(question)\n"
        #expect(clients.take("eve", bytes(asked), isConfirmed: true) == asked.utf8.count)
        let size = clients.received("eve").reduce(0) { $0 + $1.utf8.count + 1 }
        #expect((1000...4096).contains(size))
    }

    @Test("no input is handled until the answer is complete, and no news comes in between")
    func inOnePiece() {
        var clients = with25Bids()
        let asked = bytes("#1 laps 1 25\n#2 ping\n")
        #expect(clients.take("eve", asked, isConfirmed: true) == 13)
        let isAnswering = clients.lobby.isAnswering(clients.id("eve"))
        #expect(isAnswering)
        #expect(clients.held == ["eve"])
        #expect(clients.received("eve").count == 10)
        clients.send("bo", "26")
        _ = clients.received("eve")
        #expect(clients.take("eve", [], isConfirmed: true) == 0)
        #expect(clients.take("eve", bytes("#2 ping\n"), isConfirmed: true) == 8)
        #expect(clients.held.isEmpty)
        let lines = clients.received("eve")
        #expect(lines.count == 17)
        #expect(lines[14...] == ["LAP 25 25 al 00:00.0", "OK #1 laps 25", "OK #2 ping"])
    }

    @Test("who lists those who were present at its first part, also if they have left since")
    func whoInParts() {
        var clients = with25Bids(answerLines: 2)
        clients.connectNamed("cy", "di", "fay")
        #expect(clients.take("eve", bytes("who\n")) == 4)
        clients.lose("cy")
        clients.connectNamed("gil")
        clients.send("eve", [])
        let lines = clients.received("eve").filter { !$0.hasPrefix("JOINED") && $0 != "LEFT cy" }
        #expect(
            lines == ["WHO al", "WHO bo", "WHO eve", "WHO cy", "WHO di", "WHO fay", "OK who 6"])
    }

    @Test("who ends with an error when more have left than are remembered")
    func whoOfManyWhoLeft() {
        var clients = with25Bids(answerLines: 2)
        _ = clients.take("eve", bytes("#1 who\n"))
        for _ in 0..<1001 {
            clients.connectNamed("cy")
            clients.lose("cy")
        }
        _ = clients.received("eve")
        clients.send("eve", [])
        #expect(clients.received("eve").map { $0.prefix(20) } == ["ERROR #1 unavailable"])
        #expect(clients.held.isEmpty)
    }

    @Test("a void within an answer of bids ends it with an error: no such list ever was")
    func voidedBids() {
        var clients = with25Bids()
        clients.preside()
        _ = clients.take("eve", bytes("#1 laps 1 25\n"), isConfirmed: true)
        clients.send("boss", "void")
        clients.connectNamed("cy")
        clients.send("cy", "25")
        _ = clients.received("eve")
        clients.send("eve", [])
        #expect(clients.received("eve").map { $0.prefix(20) } == ["ERROR #1 unavailable"])
        #expect(clients.held.isEmpty)
        #expect(clients.send("eve", "laps 25 1") == ["LAP 25 25 cy 00:00.1", "OK laps 25"])
    }

    @Test("an answer to a lot that is gone ends with an error")
    func otherLot() {
        var clients = TestClients(
            Rules(seconds: 1), Catalogue(pause: .zero), limits: .with { $0.answerLines = 3 })
        clients.connectNamed("al", "bo")
        for amount in 1...5 { clients.send(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
        _ = clients.take("al", bytes("laps\n"))
        clients.pass(milliseconds: 1500)
        _ = clients.received("al")
        clients.send("al", [])
        #expect(clients.received("al").map { $0.prefix(17) } == ["ERROR unavailable"])
    }

    @Test("an answer of which bids are no longer kept ends with an error, and has no hole")
    func droppedBids() {
        var clients = with25Bids()
        _ = clients.take("eve", bytes("laps 1 1000\n"), isConfirmed: true)
        for amount in 26...3000 {
            clients.send(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)")
        }
        _ = clients.received("eve")
        clients.send("eve", [])
        #expect(clients.received("eve").map { $0.prefix(17) } == ["ERROR unavailable"])
        #expect(clients.held.isEmpty)
    }

    @Test("an answer to a connection that is closed ends with an error before any news")
    func sentAway() {
        var clients = with25Bids()
        _ = clients.take("eve", bytes("#1 laps 1 25\n"), isConfirmed: true)
        _ = clients.received("eve")
        clients.shutDown()
        let lines = clients.received("eve")
        #expect(lines.map { $0.prefix(20) } == ["ERROR #1 unavailable", "BYE shutdown"])
        #expect(clients.held.isEmpty)
    }

    @Test(
        "with no budget left in a step an answer waits, and other input is handled",
        arguments: ["laps 1 25", "who", "status", "help"])
    func budget(question: String) {
        var clients = with25Bids()
        clients.lobby.answerBudget = 0
        let line = bytes(question + "\n")
        #expect(clients.take("eve", line, isConfirmed: true) == line.count)
        let isAnswering = clients.lobby.isAnswering(clients.id("eve"))
        #expect(isAnswering)
        #expect(clients.received("eve").isEmpty)
        #expect(clients.send("bo", "26").last == "PRICE 26 bo 00:00.0 26")
        _ = clients.received("eve")
        clients.lobby.answerBudget = 1000
        clients.send("eve", [])
        let verb = question.split(separator: " ")[0]
        #expect(clients.received("eve").last?.hasPrefix("OK \(verb)") == true)
    }

    @Test("a connection that falls behind before the first part gets its snapshot at once")
    func fellBehindBefore() {
        var clients = with25Bids()
        clients.lobby.answerBudget = 0
        _ = clients.take("eve", bytes("help\n"), isConfirmed: true)
        _ = clients.received("eve")
        clients.fallBehind("eve")
        #expect(clients.received("eve").prefix(2) == ["(skipped)", "LOT 1 lot-1"])
        clients.lobby.answerBudget = 1000
        clients.send("eve", [])
        #expect(clients.received("eve").last == "OK help")
    }

    @Test("ten lines of a long answer are charged as one line of the client")
    func charged() {
        var clients = with25Bids(
            answerLines: 100, lines: TokenBucket.Rate(1, per: .seconds(1), burst: 50))
        // Each joined with a name; the question itself and two for 25 laps.
        let before = clients.available("eve")
        clients.send("eve", bytes("laps 1 25\n"))
        #expect(before - clients.available("eve") == 3)
    }

    @Test("a state is charged with its length, to a client in JSON")
    func stateLength() {
        let titles = (1...20).map { "Vase \($0) " + String(repeating: "x", count: 80) }
        var clients = TestClients(
            Rules(seconds: 7), Catalogue(titles: titles), limits: .with { $0.answerLines = 6 })
        clients.connectNamed("al", "bo")
        clients.send("bo", "format json")
        let input = Array("status\nping\n".utf8)
        #expect(clients.take("al", input, isConfirmed: true) == input.count)
        #expect(clients.take("bo", input, isConfirmed: true) == "status\n".utf8.count)
    }

    @Test("a state has no more bytes than it is charged as")
    func stateFrame() {
        let members = Array(#"{"stage":"over"}"#.utf8)
        var line: [UInt8] = []
        ServerMessage.state(members).append(
            to: &line, as: .webSocket, seq: .max, isSnapshot: true, millisecondsSince1970: 0)
        #expect(line.count - members.count <= Limits.stateFrameBytes)
    }

    @Test("a client that closes its side during an answer receives the rest, and then BYE")
    func ended() {
        var clients = with25Bids()
        _ = clients.take("eve", bytes("laps 1 25"))
        clients.end("eve")
        #expect(clients.closed.isEmpty)
        clients.send("eve", [])
        let lines = clients.received("eve")
        #expect(lines.count == 27 + 1)
        #expect(Array(lines.suffix(3).prefix(1)) == ["OK laps 25"])
        #expect(clients.closed == ["eve"])
    }

    @Test("a connection that falls behind during an answer gets its snapshot after it")
    func fellBehind() {
        var clients = with25Bids()
        _ = clients.take("eve", bytes("laps 1 25\n"))
        clients.fallBehind("eve")
        #expect(!clients.received("eve").contains("(skipped)"))
        clients.send("eve", [])
        let lines = clients.received("eve")
        let end = lines.firstIndex(of: "OK laps 25")
        #expect(lines.firstIndex(of: "(skipped)") == end.map { $0 + 1 })
    }
}
