import Auction
import Testing
import Wire

@Suite struct ServerMessageJSONTests {
    private typealias Samples = ServerMessageTests

    @Test("every line of JSON parses back to its message", arguments: Samples.lines.map(\.message))
    func parsedJSON(message: ServerMessage) {
        #expect(ServerMessage(json: json(of: message)) == message)
    }

    /// Beside the examples on the protocol's page: characters with escapes, negative numbers, and
    /// private lines, which a server sends in text alone.
    static let exact: [(message: ServerMessage, seq: Int?, line: String)] = [
        (
            .event(.bidderKicked(Samples.alice, reason: "a \"b\"")), 19,
            #"{"seq":19,"type":"kicked","content":"alice","bidder":"alice","reason":"a \"b\"","#
                + #""text":"alice was removed: a \"b\"","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            Samples.opened(Lot(number: 3, title: "a \"b\" \\ \u{1}é")), 4,
            #"{"seq":4,"type":"lot","lot":3,"content":"a \"b\" \\ \u0001é","#
                + #""text":"lot 3 is open: a \"b\" \\ \u0001é","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .event(.termsAnnounced(Samples.plainTerms)), 21,
            #"{"seq":21,"type":"terms","content":"sealed","format":"sealed","seconds":20,"#
                + #""start":10,"step":5,"#
                + #""text":"secret bids: the highest wins and pays its amount","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .event(.championNamed(Samples.alice, score: -213)), 27,
            #"{"seq":27,"type":"champion","content":"alice","bidder":"alice","score":-213,"#
                + #""text":"alice is the champion with -213","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .event(.messageSaid(Samples.alice, text: "hello \"all\"")), 28,
            #"{"seq":28,"type":"said","content":"hello \"all\"","bidder":"alice","#
                + #""text":"alice: hello \"all\"","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .event(.displayNameSet(Samples.alice, text: "Zoë")), 29,
            #"{"seq":29,"type":"display","content":"Zoë","bidder":"alice","display":"Zoë","#
                + #""text":"alice is now called Zoë","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .event(.bidderJoined(Samples.alice, display: "Zoë")), 30,
            #"{"seq":30,"type":"joined","content":"alice","bidder":"alice","display":"Zoë","#
                + #""text":"alice has joined","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .who(Samples.alice, display: "Zoë"), nil,
            #"{"type":"who","content":"alice","bidder":"alice","display":"Zoë","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .purse(left: 860), nil,
            #"{"type":"purse","content":"860","left":860,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .worth(143, isEstimate: false), nil,
            #"{"type":"worth","content":"143","amount":143,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .worth(128, isEstimate: true), nil,
            #"{"type":"worth","content":"128","amount":128,"isEstimate":true,"#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .maximum(price(200)), nil,
            #"{"type":"max","content":"200","amount":200,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .ownBid(price(120)), nil,
            #"{"type":"yours","content":"120","amount":120,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .standing(
                StandingsRow(
                    rank: 1, bidder: Samples.alice, lots: 2, spent: 140, left: 860, profit: -37)),
            nil,
            #"{"type":"standing","rank":1,"content":"alice","bidder":"alice","lots":2,"#
                + #""spent":140,"left":860,"profit":-37,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .ok(.opened(Samples.room("blue"), key: "6e6adf"), tag: nil), nil,
            #"{"type":"ok","content":"open blue 6e6adf","time":"2026-11-20T10:00:00.000Z"}"#
        ),
    ]

    @Test("JSON has the members of the contract, in the order of the text", arguments: exact)
    func exactJSON(message: ServerMessage, seq: Int?, line: String) {
        #expect(json(of: message, seq: seq) == line)
        #expect(ServerMessage(json: line) == message)
    }

    @Test("a line of a snapshot is marked, and is read like any other")
    func snapshotMark() {
        var bytes: [UInt8] = []
        ServerMessage.event(.ended(lots: 2)).appendJSON(
            to: &bytes, seq: 9, isSnapshot: true, millisecondsSince1970: 0)
        let line = String(decoding: bytes.dropLast(), as: UTF8.self)
        #expect(line.hasPrefix(#"{"seq":9,"snapshot":true,"type":"over","content":"2","lots":2,"#))
        #expect(ServerMessage(json: line) == .event(.ended(lots: 2)))
        let other = line.replacing("true", with: "false")
        #expect(ServerMessage(json: other) == .event(.ended(lots: 2)))
        #expect(ServerMessage(json: line.replacing("true", with: "truth")) == nil)
    }

    @Test(
        "a date is right in every month and in leap years",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_798_761_599_123, "2026-12-31T23:59:59.123Z"),
        ])
    func dates(milliseconds: Int64, date: String) {
        var bytes: [UInt8] = []
        ServerMessage.ok(.ping, tag: nil).appendJSON(
            to: &bytes, seq: nil, millisecondsSince1970: milliseconds)
        let line = String(decoding: bytes, as: UTF8.self)
        #expect(line == #"{"type":"ok","content":"ping","time":"\#(date)"}"# + "\n")
    }

    @Test(
        "a line that is no flat JSON object of a known type is none",
        arguments: [
            "", "{}", "{", "[]", #"{"type":"price"}"#, #"{"type":"ok","content":"ping"} x"#,
            #"{"type":"ok","content":"ping",}"#, #"{"type":"ok","content":"pi"#,
            #"{"type":"dance"}"#, #"{"type":"over","lots":1.5}"#,
            #"{"type":"ok","content":"\u12"}"#, #"{"type":"ok","content":"ping","new":[1,2}"#,
            #"{"type":"ok","content":"ping","new":["a",1]}"#,
            #"{"type":"game","content":"","worth":[1,2],"common":[1,2],"noise":1}"#,
        ])
    func unknownJSON(line: String) {
        #expect(ServerMessage(json: line) == nil)
    }

    @Test("JSON is read with blanks, escapes and members of a newer server")
    func lenientJSON() {
        let line =
            #" { "type" : "lot", "content":"\u0041\n\ud83d\ude00\/", "lot":1, "new":[ 1, -2 ] } "#
        #expect(ServerMessage(json: line) == Samples.opened(Lot(number: 1, title: "A\n😀/")))
    }

    private func json(of message: ServerMessage, seq: Int? = nil) -> String {
        var bytes: [UInt8] = []
        message.appendJSON(
            to: &bytes, seq: seq, millisecondsSince1970: 1_795_168_800_000)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
