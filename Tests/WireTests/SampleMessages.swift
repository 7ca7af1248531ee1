import Auction
import Wire

/// Messages of every kind with their lines, and what they are made of.
extension ServerMessageTests {
    static let alice = bidder("alice")
    static let bid = Bid(
        number: 1, price: price(120), bidder: alice, elapsed: .milliseconds(3200))
    static let sale = SoldLot(
        number: nil, title: "Blue \"Vase\"", bidder: alice, price: price(120),
        elapsed: .milliseconds(12_400))

    /// The notice of a round of sealed bids.
    private static func notice(
        _ round: Int, of rounds: Int, _ change: (inout ClassNotice) -> Void
    ) -> ClassNotice {
        var notice = ClassNotice(round: round, of: rounds, format: .sealed, title: "First price")
        change(&notice)
        return notice
    }

    /// Where a class of twelve rounds stands.
    private static func status(
        _ stage: ClassStatus.Stage, round: Int?, _ change: (inout ClassStatus) -> Void
    ) -> ClassStatus {
        var status = ClassStatus(stage, round: round, of: 12, title: "First price")
        change(&status)
        return status
    }

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
        (
            .game(PublicGame(lots: 10, purse: price(200), values: .personal(50...150))),
            "GAME lots=10 purse=200 worth=50..150"
        ),
        (
            .game(PublicGame(values: .common(0...150, noise: 20))), "GAME common=0..150 noise=20"
        ),
        (.game(PublicGame(purse: price(200))), "GAME purse=200"),
        (
            .round(notice(3, of: 12) { ($0.group, $0.groups, $0.size) = (2, 10, 3) }),
            "ROUND 3 practice=no format=sealed group=2 of=10 size=3 rounds=12 First price"
        ),
        (
            .round(notice(1, of: 2) { ($0.isPractice, $0.size) = (true, 4) }),
            "ROUND 1 practice=yes format=sealed size=4 rounds=2 First price"
        ),
        (
            .classStatus(
                status(.counting, round: 3) {
                    $0.remaining = .milliseconds(2500)
                    $0.orders = [.start, .pause, .skip]
                }),
            "CLASS counting round=3 milliseconds=2500 orders=start,pause,skip rounds=12 First price"
        ),
        (
            .classStatus(
                status(.playing, round: 3) { ($0.isPaused, $0.orders) = (true, [.resume]) }),
            "CLASS playing paused=yes round=3 orders=resume rounds=12 First price"
        ),
        (
            .classStatus(status(.over, round: nil) { _ in }),
            "CLASS over rounds=12 First price"
        ),
        (.student(ClassStudent(alice, .thinking, group: 2)), "STUDENT alice thinking group=2"),
        (
            .student(ClassStudent(alice, .away, group: nil)), "STUDENT alice away"
        ),
        (
            .game(
                PublicGame(purse: price(9), values: .personal(5...9), countsLeftover: true)),
            "GAME purse=9 worth=5..9 leftover=counts"
        ),
        (opened(Lot(number: 1, title: "Blue \"Vase\"")), "LOT 1 Blue \"Vase\""),
        (opened(Lot(number: 12)), "LOT 12 lot-12"),
        (.event(.bidPlaced(bid)), "PRICE 120 alice 00:03.2 1"),
        (.event(.termsAnnounced(plainTerms)), "TERMS format=sealed seconds=20 start=10 step=5"),
        (
            .event(.termsAnnounced(fullTerms)),
            "TERMS format=vickrey seconds=20 start=10 step=5 reserve=yes buy=500 longest=60"
        ),
        (
            .event(.termsAnnounced(terms(.english, buy: nil, longest: .milliseconds(1_500)))),
            "TERMS format=english seconds=20 start=10 step=5 reserve=yes longest=1.5"
        ),
        (.event(.askFell(price(900))), "ASK 900"),
        (.event(.bidsSealed(0)), "SEALED 0"),
        (.event(.bidsSealed(3)), "SEALED 3"),
        (
            .event(.bidRevealed(SealedBid(bidder: alice, price: price(120), elapsed: .zero))),
            "REVEALED 120 alice"
        ),
        (.event(.reserveMet), "RESERVE met"),
        (.event(.valueRevealed(117)), "VALUE 117"),
        (.event(.championNamed(alice, score: 213)), "CHAMPION alice 213"),
        (.event(.championNamed(alice, score: -5)), "CHAMPION alice -5"),
        (.event(.championNamed(alice, score: -42)), "CHAMPION alice -42"),
        (.event(.championNamed(alice, score: .min)), "CHAMPION alice -9223372036854775808"),
        (.event(.championNamed(alice, score: .max)), "CHAMPION alice 9223372036854775807"),
        (
            .event(.awardGiven(Award(.bargain, to: alice, amount: 40, title: "The Duke's Hat"))),
            "AWARD bargain alice 40 The Duke's Hat"
        ),
        (
            .event(.awardGiven(Award(.overpay, to: alice, amount: 12, title: "Vase"))),
            "AWARD overpay alice 12 Vase"
        ),
        (
            .event(.awardGiven(Award(.closest, to: alice, amount: 0, title: "Vase"))),
            "AWARD closest alice 0 Vase"
        ),
        (.event(.messageSaid(alice, text: "hello \"all\"")), "SAID alice hello \"all\""),
        (.event(.messageSaid(alice, text: "  = 5")), "SAID alice   = 5"),
        (.event(.reacted(alice, .applause)), "REACTED alice 👏"),
        (.event(.displayNameSet(alice, text: "Alice Müller")), "DISPLAY alice Alice Müller"),
        (.event(.displayNameSet(alice, text: "")), "DISPLAY alice"),
        (.event(.waiting(people: 4)), "WAITING 4"),
        (.event(.rematchBegan(games: 2, firstLot: 11)), "REMATCH 2 11"),
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
        (.ok(.reacted(.thinking), tag: nil), "OK react 🤔"),
        (.ok(.displayed("Zoë"), tag: nil), "OK display Zoë"),
        (.ok(.displayed(nil), tag: nil), "OK display"),
        (.ok(.standings(5), tag: nil), "OK standings 5"),
        (.ok(.ruled(.mute), tag: nil), "OK mute"),
        (.ok(.ruled(.unmute), tag: nil), "OK unmute"),
        (.ok(.ruled(.add), tag: "7"), "OK #7 add"),
        (
            .error(.overPurse(left: 860), tag: nil),
            "ERROR over-purse left=860 you can bid at most 860"
        ),
        (.error(.otherLot(open: 5), tag: "7"), "ERROR #7 other-lot lot=5 lot 5 is open now"),
        (
            .error(.outbid(minimum: 41), tag: nil),
            "ERROR outbid minimum=41 another bid is as high, bid at least 41"
        ),
        (
            .error(.outbid(minimum: nil), tag: nil),
            "ERROR outbid another bid is as high, and nobody can bid more"
        ),
        (.event(.secondsLeft(7)), "COUNTDOWN 7"),
        (.event(.secondsLeft(0)), "COUNTDOWN 0"),
        (.event(.warned(.once)), "GOING once"),
        (.event(.warned(.twice)), "GOING twice"),
        (.event(.lotSold(sale)), "WINNER alice 120 00:12.4 Blue \"Vase\""),
        (
            .event(.lotPassed(Lot(number: 1, title: "Vase"), reason: "no-bids", elapsed: nil)),
            "PASSED 1 no-bids Vase"
        ),
        (.event(.ended(lots: 2)), "OVER 2"),
        (.event(.paused), "PAUSED"),
        (.event(.resumed), "RESUMED"),
        (.event(.nextAnnounced(title: "Blue vase", seconds: 3)), "NEXT 3 Blue vase"),
        (.event(.hammered), "HAMMERED"),
        (
            .event(
                .bidVoided(VoidedBid(number: 2, price: price(150), bidder: alice, leading: bid))),
            "VOIDED 150 alice 2 120 alice 00:03.2 1"
        ),
        (
            .event(
                .bidVoided(VoidedBid(number: 1, price: price(120), bidder: alice, leading: nil))),
            "VOIDED 120 alice 1"
        ),
        (
            .event(.bidderKicked(alice, reason: "bids for \"both\" sides")),
            "KICKED alice bids for \"both\" sides"
        ),
        (.event(.stopped), "STOPPED"),
        (.event(.lastReset), "LAST"),
        (.bye(.kicked), "BYE kicked"),
        (.event(.bidderJoined(alice)), "JOINED alice"),
        (.event(.bidderLeft(alice)), "LEFT alice"),
        (.skipped(512), "SKIPPED 512"),
        (.bye(.replaced), "BYE replaced"),
        (.bye(.full), "BYE full"),
        (.bye(.roomEnded), "BYE room-ended"),
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

    /// A lot, parsed from its line of text.
    static func opened(_ lot: Lot) -> ServerMessage {
        .event(.lotOpened(lot))
    }
}
