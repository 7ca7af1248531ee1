import Auction
import Testing
import Wire

@Suite struct ServerMessageTests {
    @Test(
        "a number that nothing is counted to is none",
        arguments: [
            (999_999_999_999_999, true), (1_000_000_000_000_000, false), (.max, false),
        ] as [(Int, Bool)])
    func most(number: Int, isRead: Bool) {
        #expect(
            (ServerMessage(text: "HELLO auction/1 seconds=\(number) step=1 (type help)") != nil)
                == isRead)
        #expect((ServerMessage(json: #"{"type":"skipped","lines":\#(number)}"#) != nil) == isRead)
        #expect((ServerMessage(text: "SKIPPED \(number)") != nil) == isRead)
    }

    @Test(
        "numbers have all their digits",
        arguments: [0, 9, 10, 99, 100, 999_999, 1_000_000, 1_000_000_000_000, Int.max])
    func digits(number: Int) {
        #expect(ServerMessage.skipped(number).text == "SKIPPED \(number)")
    }

    @Test("a number is written with all its digits", arguments: 0...18)
    func digits(zeros: Int) {
        let power = (0..<zeros).reduce(1) { power, _ in power * 10 }
        for number in [power - 1, power, power + 1, power * 2 + 5, power * 9 + 10] {
            #expect(ServerMessage.skipped(number).text == "SKIPPED \(number)")
        }
    }

    @Test("a name is written whole, whatever its length", arguments: 1...Bidder.longest)
    func names(length: Int) throws {
        let name = String("abcdefghijklmnopqrstuvwxyz".prefix(length))
        #expect(ServerMessage.event(.bidderJoined(bidder(name))).text == "JOINED \(name)")
    }

    @Test("the longest price is printed whole")
    func longestPrice() {
        let name = String(repeating: "n", count: Bidder.longest)
        let bid = Bid(
            number: .max, price: .highest, bidder: bidder(name),
            elapsed: .milliseconds(Int64.max))
        #expect(
            ServerMessage.event(.bidPlaced(bid)).text
                == "PRICE 1000000000000 \(name) 1666666:40.0 9223372036854775807")
    }

    @Test("every message prints its line", arguments: lines)
    func printed(message: ServerMessage, line: String) {
        #expect(text(of: message) == line + "\n")
    }

    @Test("every line of text parses back to its message", arguments: lines)
    func parsedText(message: ServerMessage, line: String) {
        #expect(ServerMessage(text: line) == message)
    }

    @Test(
        "a time is cut to the tenth and its minutes grow as they must",
        arguments: [
            (0, "00:00.0"), (99, "00:00.0"), (3299, "00:03.2"), (59_999, "00:59.9"),
            (60_000, "01:00.0"), (3_600_000, "60:00.0"), (36_000_000, "600:00.0"),
        ])
    func times(milliseconds: Int, time: String) {
        let bid = Bid(
            number: 1, price: price(1), bidder: Self.alice, elapsed: .milliseconds(milliseconds))
        #expect(text(of: .lap(bid)) == "LAP 1 1 alice \(time)\n")
    }

    @Test(
        "a line that the server does not send is no message",
        arguments: [
            "", "PRICE", "PRICE x alice 00:03.2 1", "PRICE 120 alice 3.2 1", "COUNTDOWN -1",
            "COUNTDOWN 7 8", "GOING thrice", "OK", "OK dance", "OK resume x", "LOT 1",
            "PRICE 5 bob 999999999999999999:00.0 1", "price 120 alice 00:03.2 1",
            "PAUSED now", "VOIDED 120 alice", "VOIDED alice 120 1", "VOIDED 120 alice 2 100 bob",
            "VOIDED 120 alice 2 100 bob 00:01.1", "VOIDED 120 alice 2 100 bob 00:01.1 1 x",
            "KICKED alice", "KICKED al.ice x",
            "WINNER alice 120 00:62.4 Vase",
            "RESULT 1 al.ice 120 00:07.0 Vase", "RESULT 1 alice x 00:07.0 Vase",
            "RESULT 1 alice 120 7 Vase", "RESULT 1 - - 00:07.0", "RESULT - - -",
            "HELLO auction/2 seconds=7 step=1 (type help)",
            "TERMS format=auction seconds=20 start=10 step=5", "TERMS", "ASK 0", "ASK -5",
            "TERMS format=sealed seconds=0 start=10 step=5", "SEALED -1", "REVEALED 120", "RESERVE",
            "TERMS format=sealed seconds=20 start=10", "VALUE", "RESERVE unmet", "CHAMPION alice",
            "TERMS format=sealed seconds=20 start=10 step=5 reserve=80", "CHAMPION alice --5",
            "TERMS format=sealed seconds=20 start=10 step=5 longest=1.", "SAID alice", "WORTH",
            "TERMS format=sealed seconds=20 start=10 step=5 longest=0.0000000001", "MAX 0",
            "TERMS format=sealed seconds=20 start=10 step=5 buy=0", "WORTH about", "PURSE",
            "STANDING 1 alice lots=1", "STANDING 1 alice lots=1 spent=x", "YOURS 0", "OK max",
            "STANDING 1 alice lots=1 spent=2 profit=1 left=5", "OK max x",
            "ROOM", "ROOM blue", "ROOM Blue people=1 lot=1 format=english Vase", "OK rooms x",
            "ROOM blue people=1 lot=1 format=english", "ROOM blue lot=1 people=1 format=english V",
            "ROOM blue people=1 lot=1 format=auction V", "ROOM blue people=-1 lot=1 format=dutch V",
            "OK join", "OK join Blue", "OK join ../x", "OK join blue x", "OK open blue",
            "OK open a/b 6e6adf", "OK open blue 6e6adf x",
        ])
    func unknownText(line: String) {
        #expect(ServerMessage(text: line) == nil)
    }

    @Test("the help fits on a screen of 80 by 24")
    func help() {
        for format in AuctionFormat.allCases {
            let lines = Help.lines(of: format)
            #expect(lines.count <= 22)
            for line in lines { #expect("HELP \(line)".count <= 80) }
        }
        #expect(
            Help.lines(of: .vickrey)[1]
                == "Secret bids: the highest wins, but pays the second-highest.")
    }

    private func text(of message: ServerMessage) -> String {
        var bytes: [UInt8] = []
        message.appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
