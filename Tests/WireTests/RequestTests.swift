import Auction
import Testing
import Wire

@Suite struct RequestTests {
    static let alice = bidder("alice")

    static let requests: [(line: String, request: Request)] = [
        ("name alice", Request(.name(alice, token: nil))),
        ("name alice 0123abcd", Request(.name(alice, token: "0123abcd"))),
        ("bid 120", Request(.offer(.bid(price(120))))),
        ("120", Request(.offer(.bid(price(120))))),
        ("BID 1000000000000", Request(.offer(.bid(.highest)))),
        ("  bid \t 007  ", Request(.offer(.bid(price(7))))),
        ("bid 0000000000000000000000120", Request(.offer(.bid(price(120))))),
        ("take", Request(.offer(.take))),
        ("#b Buy", Request(.offer(.buy), tag: "b")),
        ("max 200", Request(.offer(.maximum(price(200))))),
        ("max 0", Request(.offer(.maximum(nil)))),
        ("bid 60 lot=4", Request(.offer(.bid(price(60)), lot: 4))),
        ("#l  60 \t lot=4 ", Request(.offer(.bid(price(60)), lot: 4), tag: "l")),
        ("take lot=1", Request(.offer(.take, lot: 1))),
        ("Buy lot=0123", Request(.offer(.buy, lot: 123))),
        ("max 200 lot=4", Request(.offer(.maximum(price(200)), lot: 4))),
        ("max 0 lot=4", Request(.offer(.maximum(nil), lot: 4))),
        ("say hello", Request(.say("hello"))),
        ("React 🔥", Request(.react(.fire))),
        ("display Zoë  ", Request(.display("Zoë"))),
        ("display O'Neill Jr. 2", Request(.display("O'Neill Jr. 2"))),
        ("display", Request(.display(nil))),
        ("Say  hello   all ", Request(.say("hello   all"))),
        ("#s say =5 é", Request(.say("=5 é"), tag: "s")),
        (
            "say " + String(repeating: "t", count: 200),
            Request(.say(String(repeating: "t", count: 200)))
        ),
        ("standings", Request(.standings)),
        ("Rooms", Request(.rooms)),
        ("#j join blue-2", Request(.join(ServerMessageTests.room("blue-2")), tag: "j")),
        ("open blue", Request(.open(ServerMessageTests.room("blue"), RoomOptions()))),
        (
            "open  blue \t lots=5 purse=1000  worth=50..150 format=english seconds=10 start=1 "
                + "step=5 pause=3 ",
            Request(.open(ServerMessageTests.room("blue"), RoomOptionsTests.resolved))
        ),
        ("laps", Request(.laps(nil))),
        ("laps 1 500", Request(.laps(ListRange(first: 1, count: 500)))),
        ("results", Request(.results(nil))),
        ("#r Results 7 1000", Request(.results(ListRange(first: 7, count: 1000)), tag: "r")),
        ("who", Request(.who)),
        ("Status", Request(.status)),
        ("format json", Request(.format(.json))),
        ("FORMAT TEXT", Request(.format(.text))),
        ("ping", Request(.ping)),
        ("help", Request(.help)),
        ("quit", Request(.quit)),
        ("auctioneer t0p/secret", Request(.auctioneer(token: "t0p/secret"))),
        ("PAUSE", Request(.rule(.pause))),
        ("resume", Request(.rule(.resume))),
        ("resume 0", Request(.resume(after: 0))),
        ("#7 Resume 1234", Request(.resume(after: 1234), tag: "7")),
        ("hammer", Request(.rule(.hammer))),
        ("END blue", Request(.rule(.end(ServerMessageTests.room("blue"))))),
        ("#v void", Request(.rule(.void), tag: "v")),
        ("mute alice", Request(.rule(.mute(alice)))),
        ("#m UNMUTE alice", Request(.rule(.unmute(alice)), tag: "m")),
        ("React 🔥", Request(.react(.fire))),
        ("start", Request(.rule(.start))),
        ("rematch", Request(.rule(.rematch))),
        ("Ready", Request(.ready)),
        ("skip", Request(.rule(.skip))),
        ("title 3 Blue  vase", Request(.rule(.title(Lot(number: 3, title: "Blue  vase"))))),
        ("add Blue vase", Request(.rule(.add(LotPlan(title: "Blue vase"))))),
        (
            "add  Blue  vase \t reserve=80 format=vickrey ",
            Request(
                .rule(.add(LotPlanTests.plan("Blue  vase", [.format(.vickrey), .reserve(80)]))))
        ),
        ("close", Request(.rule(.close))),
        ("stop", Request(.rule(.stop))),
        ("kick alice bids", Request(.rule(.kick(alice, reason: "bids")))),
        (
            "kick  alice \t for both  sides \t",
            Request(.rule(.kick(alice, reason: "for both  sides")))
        ),
        (
            "kick alice " + String(repeating: "r", count: 200),
            Request(.rule(.kick(alice, reason: String(repeating: "r", count: 200))))
        ),
        ("#42 bid 120", Request(.offer(.bid(price(120))), tag: "42")),
        ("#a1B2 5", Request(.offer(.bid(price(5))), tag: "a1B2")),
    ]

    @Test("every command is parsed", arguments: requests)
    func parsed(line: String, request: Request) throws {
        #expect(try Request(line: line) == request)
    }

    @Test("what a request prints parses back to it", arguments: requests.map(\.request))
    func roundTrip(request: Request) throws {
        #expect(try Request(line: request.description) == request)
    }

    @Test("a line without a word is no request", arguments: ["", " ", "\t \t"])
    func blank(line: String) throws {
        #expect(try Request(line: line) == nil)
    }

    static let faults: [(line: String, tag: String?, code: ErrorReply.Code)] = [
        ("bid", nil, .badArguments),
        ("bid 5 6", nil, .badArguments),
        ("5 6", nil, .badArguments),
        ("bid five", nil, .badAmount),
        ("bid 0", nil, .badAmount),
        ("0", nil, .badAmount),
        ("bid -5", nil, .badAmount),
        ("bid +5", nil, .badAmount),
        ("bid 1.5", nil, .badAmount),
        ("12x", nil, .badAmount),
        ("bid 1000000000001", nil, .badAmount),
        ("bid 99999999999999999999999999", nil, .badAmount),
        ("bid ５", nil, .badAmount),
        ("name", nil, .badArguments),
        ("name a b c", nil, .badArguments),
        ("name é", nil, .badName),
        ("name abcdefghijklmnopqrstuvwxy", nil, .badName),
        ("name \u{1B}[31m", nil, .badName),
        ("laps 1", nil, .badArguments),
        ("laps 0 5", nil, .badArguments),
        ("laps 1 1001", nil, .badArguments),
        ("laps 1 0", nil, .badArguments),
        ("laps 1 2 3", nil, .badArguments),
        ("laps a b", nil, .badArguments),
        ("results 1", nil, .badArguments),
        ("results 0 5", nil, .badArguments),
        ("results 1 1001", nil, .badArguments),
        ("results 1 2 3", nil, .badArguments),
        ("format", nil, .badArguments),
        ("format xml", nil, .badArguments),
        ("who now", nil, .badArguments),
        ("status x", nil, .badArguments),
        ("ping x", nil, .badArguments),
        ("help x", nil, .badArguments),
        ("quit x", nil, .badArguments),
        ("auctioneer", nil, .badArguments),
        ("auctioneer a b", nil, .badArguments),
        ("pause now", nil, .badArguments),
        ("resume now", nil, .badArguments),
        ("resume -1", nil, .badArguments),
        ("resume 1 2", nil, .badArguments),
        ("resume 99999999999999999999", nil, .badArguments),
        ("stop now", nil, .badArguments),
        ("kick", nil, .badArguments),
        ("kick alice", nil, .badArguments),
        ("kick alice  ", nil, .badArguments),
        ("kick al.ice x", nil, .badName),
        ("#k kick alice a\u{1B}[31m", "k", .badArguments),
        ("kick alice a\tb", nil, .badArguments),
        ("kick alice \u{202E}x", nil, .badArguments),
        ("kick alice " + String(repeating: "r", count: 201), nil, .badArguments),
        ("take 5", nil, .badArguments),
        ("buy now", nil, .badArguments),
        ("max", nil, .badArguments),
        ("max 5 6", nil, .badArguments),
        ("max five", nil, .badAmount),
        ("max -1", nil, .badAmount),
        ("#x max 1000000000001", "x", .badAmount),
        ("bid lot=4", nil, .badArguments),
        ("bid lot=4 60", nil, .badArguments),
        ("bid 60 LOT=4", nil, .badArguments),
        ("bid 60 lot=4 x", nil, .badArguments),
        ("60 lot=4 lot=4", nil, .badArguments),
        ("lot=4", nil, .unknownCommand),
        ("12x lot=4", nil, .badAmount),
        ("take 5 lot=4", nil, .badArguments),
        ("say", nil, .badArguments),
        ("react :)", nil, .badArguments),
        ("title 0 Vase", nil, .badArguments),
        ("title Vase", nil, .badArguments),
        ("say  ", nil, .badArguments),
        ("say \u{1B}[31m", nil, .badArguments),
        ("say a\tb", nil, .badArguments),
        ("say " + String(repeating: "t", count: 201), nil, .badArguments),
        ("standings 5", nil, .badArguments),
        ("rooms 5", nil, .badArguments),
        ("join", nil, .badArguments),
        ("join blue red", nil, .badArguments),
        ("join Blue", nil, .badArguments),
        ("#j join ../etc", "j", .badArguments),
        ("join \u{1B}[2J", nil, .badArguments),
        ("open", nil, .badArguments),
        ("open -blue", nil, .badArguments),
        ("open abcdefghijklmnopqrstuvwxy", nil, .badArguments),
        ("open seconds=10", nil, .badArguments),
        ("#o open blue lots=0", "o", .badOption),
        ("open blue red", nil, .badOption),
        ("open blue noise=5", nil, .badOption),
        ("open blue worth=1..5 common=1..5 noise=1", nil, .badOption),
        ("mute", nil, .badArguments),
        ("end", nil, .badArguments), ("end main", nil, .badArguments),
        ("end Blue", nil, .badArguments), ("end blue red", nil, .badArguments),
        ("mute alice bob", nil, .badArguments),
        ("unmute al.ice", nil, .badName),
        ("add", nil, .badArguments),
        ("#a add reserve=80", "a", .badArguments),
        ("add Vase a\u{1B}b", nil, .badArguments),
        ("add " + String(repeating: "t", count: 201), nil, .badArguments),
        ("add Vase reserve=0", nil, .badOption),
        ("add Vase color=red", nil, .badOption),
        ("#o add Vase seconds=5 seconds=6", "o", .badOption),
        ("react", nil, .badArguments), ("react x", nil, .badArguments),
        ("display a  b", nil, .badArguments), ("display a\u{202E}b", nil, .badArguments),
        ("hello", nil, .unknownCommand),
        ("-5", nil, .unknownCommand),
        ("Accept: example", nil, .unknownCommand),
        ("#7", "7", .badArguments),
        ("#", nil, .badArguments),
        ("#é bid 5", nil, .badArguments),
        ("#123456789012345678901234567890123 bid 5", nil, .badArguments),
        ("#7 bid x", "7", .badAmount),
        ("#7 dance", "7", .unknownCommand),
    ]

    @Test("every bad line gets its own word, with the tag if it has one", arguments: faults)
    func fault(line: String, tag: String?, code: ErrorReply.Code) {
        do throws(ParseError) {
            let request = try Request(line: line)
            Issue.record("parsed as \(String(describing: request))")
        } catch {
            #expect(ErrorReply(error.reason).code == code)
            #expect(error.tag == tag)
        }
    }

    @Test(
        "the number of a wrong lot is named, with how it is written",
        arguments: [
            ("bid 60 lot=x", "bid AMOUNT"), ("60 lot=0", "bid AMOUNT"), ("take lot=-1", "take"),
            ("buy lot=", "buy"), ("max 60 lot=99999999999999999999", "max AMOUNT"),
        ])
    func wrongLot(line: String, usage: String) {
        let usage = "\(usage) lot=NUMBER with the number of a lot"
        #expect(throws: ParseError(tag: nil, reason: .badArguments(usage: usage))) {
            try Request(line: line)
        }
    }

    @Test("bytes that are not UTF-8 are refused", arguments: [[0x62, 0xFF], [0xC0, 0x80]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: ParseError(tag: nil, reason: .notUTF8)) {
            try Request(line: bytes.span)
        }
    }

    @Test(
        "the first line of a browser is known as such",
        arguments: ["GET / HTTP/1.1", "PUT /a HTTP/1.0", "Host: example"])
    func http(line: String) {
        #expect(throws: ParseError(tag: nil, reason: .http)) { try Request(line: line) }
    }
}

func bidder(_ name: String) -> Bidder {
    guard let bidder = Bidder(name) else { preconditionFailure("a test's name is one") }
    return bidder
}

func price(_ amount: Int64) -> Price {
    guard let price = Price(amount) else { preconditionFailure("a test's price is in bounds") }
    return price
}
