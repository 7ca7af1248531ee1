import AuctionRules
import Sale
import Testing
import Wire

@Suite struct ServerMessageTests {
    static let alice = bidder("alice")
    static let bid = Bid(
        number: 1, price: price(120), bidder: alice, elapsed: .milliseconds(3200))
    static let sale = SoldLot(
        number: nil, title: "Blue \"Vase\"", bidder: alice, price: price(120),
        elapsed: .milliseconds(12_400))

    static let lines: [(message: ServerMessage, line: String)] = [
        (.hello(seconds: 7, step: price(1)), "HELLO auction/1 seconds=7 step=1 (type help)"),
        (
            .hello(seconds: 7, step: price(1), serverID: Identity("k3v9")),
            "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)"
        ),
        (
            .hello(
                seconds: 7, step: price(1), serverID: Identity("k3v9"), room: RoomName("blue-2")),
            "HELLO auction/1 seconds=7 step=1 game=k3v9 room=blue-2 (type help)"
        ),
        (
            .hello(
                seconds: 7, step: price(1), serverID: Identity("k3v9"), room: RoomName("blue"),
                sale: Identity("x7p2mb")),
            "HELLO auction/1 seconds=7 step=1 game=k3v9 room=blue sale=x7p2mb (type help)"
        ),
        (
            .hello(seconds: 7, step: price(1), room: .main),
            "HELLO auction/1 seconds=7 step=1 room=main (type help)"
        ),
        (opened(Lot(number: 1, title: "Blue \"Vase\"")), "LOT 1 Blue \"Vase\""),
        (opened(Lot(number: 12)), "LOT 12 lot-12"),
        (.price(bid, lot: nil, remaining: nil), "PRICE 120 alice 00:03.2 1"),
        (.terms(plainTerms), "TERMS format=sealed seconds=20 start=10 step=5"),
        (
            .terms(fullTerms),
            "TERMS format=vickrey seconds=20 start=10 step=5 reserve=yes buy=500 longest=60"
        ),
        (
            .terms(terms(.english, buy: nil, longest: .milliseconds(1_500))),
            "TERMS format=english seconds=20 start=10 step=5 reserve=yes longest=1.5"
        ),
        (.ask(price(900), remaining: nil), "ASK 900"),
        (.sealed(0), "SEALED 0"),
        (.sealed(3), "SEALED 3"),
        (.revealed(alice, price(120)), "REVEALED 120 alice"),
        (.reserveMet, "RESERVE met"),
        (.value(117), "VALUE 117"),
        (.champion(alice, score: 213), "CHAMPION alice 213"),
        (.champion(alice, score: -5), "CHAMPION alice -5"),
        (.champion(alice, score: -42), "CHAMPION alice -42"),
        (.champion(alice, score: .min), "CHAMPION alice -9223372036854775808"),
        (.champion(alice, score: .max), "CHAMPION alice 9223372036854775807"),
        (.said(alice, text: "hello \"all\""), "SAID alice hello \"all\""),
        (.said(alice, text: "  = 5"), "SAID alice   = 5"),
        (.purse(left: 860), "PURSE 860"),
        (.purse(left: 0), "PURSE 0"),
        (.worth(143, isEstimate: false), "WORTH 143"),
        (.worth(128, isEstimate: true), "WORTH about 128"),
        (.maximum(price(200)), "MAX 200"),
        (.ownBid(price(120)), "YOURS 120"),
        (
            .standing(
                StandingsRow(rank: 1, bidder: alice, lots: 2, spent: 140, left: 860, profit: 37)),
            "STANDING 1 alice lots=2 spent=140 left=860 profit=37"
        ),
        (
            .standing(StandingsRow(rank: 2, bidder: alice, lots: 1, spent: 9, profit: -30)),
            "STANDING 2 alice lots=1 spent=9 profit=-30"
        ),
        (
            .standing(StandingsRow(rank: 2, bidder: alice, lots: 0, spent: 0, left: 5)),
            "STANDING 2 alice lots=0 spent=0 left=5"
        ),
        (
            .standing(StandingsRow(rank: 3, bidder: alice, lots: 0, spent: 0)),
            "STANDING 3 alice lots=0 spent=0"
        ),
        (.ok(.take(price(900)), tag: nil), "OK take 900"),
        (.ok(.buy(price(500)), tag: "b"), "OK #b buy 500"),
        (.ok(.maximum(price(200)), tag: nil), "OK max 200"),
        (.ok(.maximum(nil), tag: nil), "OK max 0"),
        (.ok(.said, tag: nil), "OK say"),
        (.ok(.standings(5), tag: nil), "OK standings 5"),
        (.ok(.ruled(.mute), tag: nil), "OK mute"),
        (.ok(.ruled(.unmute), tag: nil), "OK unmute"),
        (.ok(.ruled(.add), tag: "7"), "OK #7 add"),
        (
            .error(.overPurse(left: 860), tag: nil),
            "ERROR over-purse left=860 you can bid at most 860"
        ),
        (.countdown(7, remaining: nil), "COUNTDOWN 7"),
        (.countdown(0, remaining: nil), "COUNTDOWN 0"),
        (.going(.once), "GOING once"),
        (.going(.twice), "GOING twice"),
        (.winner(sale), "WINNER alice 120 00:12.4 Blue \"Vase\""),
        (.passed(Lot(number: 1, title: "Vase"), reason: "no-bids"), "PASSED 1 no-bids Vase"),
        (.over(lots: 2), "OVER 2"),
        (.paused, "PAUSED"),
        (.resumed, "RESUMED"),
        (.next(title: "Blue vase", seconds: 3), "NEXT 3 Blue vase"),
        (.hammered, "HAMMERED"),
        (
            .voided(
                VoidedBid(number: 2, price: price(150), bidder: alice, leading: bid), lot: nil),
            "VOIDED 150 alice 2 120 alice 00:03.2 1"
        ),
        (
            .voided(
                VoidedBid(number: 1, price: price(120), bidder: alice, leading: nil), lot: nil),
            "VOIDED 120 alice 1"
        ),
        (.kicked(alice, reason: "bids for \"both\" sides"), "KICKED alice bids for \"both\" sides"),
        (.stopped, "STOPPED"),
        (.last, "LAST"),
        (.bye(.kicked), "BYE kicked"),
        (.joined(alice), "JOINED alice"),
        (.left(alice), "LEFT alice"),
        (.skipped(512), "SKIPPED 512"),
        (.bye(.replaced), "BYE replaced"),
        (.bye(.full), "BYE full"),
        (.bye(.idle), "BYE idle"),
        (.lap(bid), "LAP 1 120 alice 00:03.2"),
        (
            .result(
                Lot(number: 1, title: "Blue vase"), winner: alice, price: price(120),
                elapsed: .milliseconds(12_400)), "RESULT 1 alice 120 00:12.4 Blue vase"
        ),
        (
            .result(
                Lot(number: 2, title: "Clock"), winner: nil, price: nil, elapsed: .seconds(7)),
            "RESULT 2 - - 00:07.0 Clock"
        ),
        (
            .result(Lot(number: 3, title: "- -"), winner: nil, price: nil, elapsed: nil),
            "RESULT 3 - - - - -"
        ),
        (
            .result(
                Lot(number: 4, title: "-"), winner: bidder("-"), price: price(5), elapsed: .zero),
            "RESULT 4 - 5 00:00.0 -"
        ),
        (.who(alice), "WHO alice"),
        (.room(row("blue", people: 12)), "ROOM blue people=12 lot=3 format=english Blue vase"),
        (
            .room(row("0", people: 0, .dutch, title: "  = \"5\"")),
            "ROOM 0 people=0 lot=3 format=dutch   = \"5\""
        ),
        (.ok(.rooms(2), tag: nil), "OK rooms 2"),
        (.ok(.joined(room("blue")), tag: "j"), "OK #j join blue"),
        (.ok(.opened(room("blue"), key: "6e6adf"), tag: nil), "OK open blue 6e6adf"),
        (.error(.noRoom, tag: nil), "ERROR no-room no room has this name, type rooms for a list"),
        (.help("bid 5   to bid"), "HELP bid 5   to bid"),
        (.ok(.name(alice, token: "0af"), tag: nil), "OK name alice 0af"),
        (.ok(.bid(price(120)), tag: "42"), "OK #42 bid 120"),
        (.ok(.laps(25), tag: nil), "OK laps 25"),
        (.ok(.results(12), tag: nil), "OK results 12"),
        (.ok(.who(1), tag: nil), "OK who 1"),
        (.ok(.resumed(37), tag: nil), "OK resume 37"),
        (.ok(.ruled(.resume), tag: "r"), "OK #r resume"),
        (.ok(.status, tag: nil), "OK status"),
        (.ok(.format(.json), tag: nil), "OK format json"),
        (.ok(.ping, tag: nil), "OK ping"),
        (.ok(.quit, tag: "7"), "OK #7 quit"),
        (.ok(.help, tag: nil), "OK help"),
        (.ok(.auctioneer, tag: "1"), "OK #1 auctioneer"),
        (.ok(.ruled(.pause), tag: nil), "OK pause"),
        (.ok(.ruled(.kick), tag: "7"), "OK #7 kick"),
        (.error(.paused, tag: nil), "ERROR paused wait for RESUMED"),
        (
            .error(.notAuctioneer, tag: nil),
            "ERROR not-auctioneer type first: auctioneer TOKEN, with the server's token or the key of this room"
        ),
        (
            .error(.tooLow(minimum: 121), tag: "42"),
            "ERROR #42 too-low minimum=121 bid at least 121"
        ),
        (.error(.notNamed, tag: nil), "ERROR not-named take a name first, type: name YOU"),
    ]

    static let plainTerms = Terms(
        format: .sealed, seconds: 20, start: price(10), step: price(5), hasReserve: false,
        buy: nil, longest: nil)
    static let fullTerms = terms(.vickrey, buy: price(500), longest: .seconds(60))

    static func room(_ name: String) -> RoomName {
        guard let room = RoomName(name) else { preconditionFailure("a test's room is one") }
        return room
    }

    static func row(
        _ name: String, people: Int, _ format: AuctionFormat = .english,
        title: String = "Blue vase"
    ) -> RoomRow {
        RoomRow(name: room(name), people: people, lot: 3, format: format, title: title)
    }

    static func terms(_ format: AuctionFormat, buy: Price?, longest: Duration?) -> Terms {
        Terms(
            format: format, seconds: 20, start: price(10), step: price(5), hasReserve: true,
            buy: buy, longest: longest)
    }

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
        #expect(ServerMessage.joined(bidder(name)).text == "JOINED \(name)")
    }

    @Test("the longest price is printed whole")
    func longestPrice() {
        let name = String(repeating: "n", count: Bidder.longest)
        let bid = Bid(
            number: .max, price: .highest, bidder: bidder(name),
            elapsed: .milliseconds(Int64.max))
        #expect(
            ServerMessage.price(bid, lot: nil, remaining: nil).text
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

    @Test("every line of JSON parses back to its message", arguments: lines.map(\.message))
    func parsedJSON(message: ServerMessage) {
        #expect(ServerMessage(json: json(of: message)) == message)
    }

    static let exact: [(message: ServerMessage, seq: Int?, line: String)] = [
        (
            .price(bid, lot: 1, remaining: .seconds(7)), 17,
            #"{"seq":17,"type":"price","content":"120","amount":120,"bidder":"alice","#
                + #""elapsedMilliseconds":3200,"bid":1,"lot":1,"remainingMilliseconds":7000,"#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .ok(.bid(price(120)), tag: "42"), nil,
            #"{"type":"ok","tag":"42","content":"bid 120","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .error(.tooLow(minimum: 121), tag: nil), nil,
            #"{"type":"error","code":"too-low","minimum":121,"content":"bid at least 121","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .voided(
                VoidedBid(number: 2, price: price(150), bidder: alice, leading: bid), lot: 1), 18,
            #"{"seq":18,"type":"voided","content":"150","amount":150,"bidder":"alice","bid":2,"#
                + #""leadingAmount":120,"leadingBidder":"alice","#
                + #""leadingElapsedMilliseconds":3200,"leadingBid":1,"lot":1,"#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .kicked(alice, reason: "a \"b\""), 19,
            #"{"seq":19,"type":"kicked","content":"alice","bidder":"alice","reason":"a \"b\"","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .paused, 20,
            #"{"seq":20,"type":"paused","content":"","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            opened(Lot(number: 3, title: "a \"b\" \\ \u{1}é")), 4,
            #"{"seq":4,"type":"lot","lot":3,"content":"a \"b\" \\ \u0001é","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .terms(fullTerms), 21,
            #"{"seq":21,"type":"terms","content":"vickrey","format":"vickrey","seconds":20,"#
                + #""start":10,"step":5,"reserve":true,"buy":500,"longest":60,"#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .terms(plainTerms), 21,
            #"{"seq":21,"type":"terms","content":"sealed","format":"sealed","seconds":20,"#
                + #""start":10,"step":5,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .ask(price(900), remaining: .seconds(3)), 22,
            #"{"seq":22,"type":"ask","content":"900","amount":900,"remainingMilliseconds":3000,"#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .sealed(3), 23,
            #"{"seq":23,"type":"sealed","content":"3","bids":3,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .revealed(alice, price(120)), 24,
            #"{"seq":24,"type":"revealed","content":"120","amount":120,"bidder":"alice","#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .reserveMet, 25,
            #"{"seq":25,"type":"reserve","content":"met","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .value(117), 26,
            #"{"seq":26,"type":"value","content":"117","value":117,"#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .champion(alice, score: -213), 27,
            #"{"seq":27,"type":"champion","content":"alice","bidder":"alice","score":-213,"#
                + #""time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .said(alice, text: "hello \"all\""), 28,
            #"{"seq":28,"type":"said","content":"hello \"all\"","bidder":"alice","#
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
                StandingsRow(rank: 1, bidder: alice, lots: 2, spent: 140, left: 860, profit: -37)),
            nil,
            #"{"type":"standing","rank":1,"content":"alice","bidder":"alice","lots":2,"#
                + #""spent":140,"left":860,"profit":-37,"time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .hello(seconds: 7, step: price(1), serverID: Identity("k3v9"), room: .main), nil,
            #"{"type":"hello","content":"auction/1","seconds":7,"step":1,"game":"k3v9","#
                + #""room":"main","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .hello(
                seconds: 7, step: price(1), serverID: Identity("k3v9"), room: RoomName("blue"),
                sale: Identity("x7p2mb")), nil,
            #"{"type":"hello","content":"auction/1","seconds":7,"step":1,"game":"k3v9","#
                + #""room":"blue","sale":"x7p2mb","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .room(row("blue", people: 12)), nil,
            #"{"type":"room","content":"blue","room":"blue","people":12,"lot":3,"#
                + #""format":"english","title":"Blue vase","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .ok(.opened(room("blue"), key: "6e6adf"), tag: nil), nil,
            #"{"type":"ok","content":"open blue 6e6adf","time":"2026-11-20T10:00:00.000Z"}"#
        ),
        (
            .lot(Lot(number: 2, title: "Clock"), start: price(5), elapsed: .milliseconds(3200)), 5,
            #"{"seq":5,"type":"lot","lot":2,"content":"Clock","start":5,"#
                + #""elapsedMilliseconds":3200,"time":"2026-11-20T10:00:00.000Z"}"#
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
        ServerMessage.over(lots: 2).appendJSON(
            to: &bytes, seq: 9, isSnapshot: true, millisecondsSince1970: 0)
        let line = String(decoding: bytes.dropLast(), as: UTF8.self)
        #expect(line.hasPrefix(#"{"seq":9,"snapshot":true,"type":"over","content":"2","lots":2,"#))
        #expect(ServerMessage(json: line) == .over(lots: 2))
        let other = line.replacing("true", with: "false")
        #expect(ServerMessage(json: other) == .over(lots: 2))
        #expect(ServerMessage(json: line.replacing("true", with: "truth")) == nil)
    }

    @Test("members that only JSON has are printed and parsed")
    func jsonFacts() {
        let sale = SoldLot(
            number: 4, title: "Vase", bidder: Self.alice, price: price(9), elapsed: .milliseconds(7)
        )
        for message in [
            .winner(sale), .countdown(3, remaining: .milliseconds(2999)),
            .price(Self.bid, lot: 4, remaining: .milliseconds(1)),
            .lot(Lot(number: 4, title: "Vase"), start: .highest, elapsed: .zero),
            .passed(Lot(number: 4, title: "Vase"), reason: "closed", elapsed: .milliseconds(7)),
        ] as [ServerMessage] {
            #expect(ServerMessage(json: json(of: message, seq: 1)) == message)
        }
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

    @Test(
        "a line that is no flat JSON object of a known type is none",
        arguments: [
            "", "{}", "{", "[]", #"{"type":"price"}"#, #"{"type":"ok","content":"ping"} x"#,
            #"{"type":"ok","content":"ping",}"#, #"{"type":"ok","content":"pi"#,
            #"{"type":"dance"}"#, #"{"type":"over","lots":1.5}"#,
            #"{"type":"ok","content":"\u12"}"#,
        ])
    func unknownJSON(line: String) {
        #expect(ServerMessage(json: line) == nil)
    }

    @Test("JSON is read with blanks, escapes and members of a newer server")
    func lenientJSON() {
        let line = #" { "type" : "lot", "content":"\u0041\n\ud83d\ude00\/", "lot":1, "new":"x" } "#
        #expect(ServerMessage(json: line) == Self.opened(Lot(number: 1, title: "A\n😀/")))
    }

    @Test("the help fits on a screen of 80 by 24")
    func help() {
        #expect(Help.lines.count <= 22)
        for line in Help.lines { #expect("HELP \(line)".count <= 80) }
    }

    /// A lot, parsed from its line of text.
    private static func opened(_ lot: Lot) -> ServerMessage {
        .lot(lot, start: nil, elapsed: nil)
    }

    private func text(of message: ServerMessage) -> String {
        var bytes: [UInt8] = []
        message.appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func json(of message: ServerMessage, seq: Int? = nil) -> String {
        var bytes: [UInt8] = []
        message.appendJSON(
            to: &bytes, seq: seq, millisecondsSince1970: 1_795_168_800_000)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
