import Auction
import Testing
import Wire

/// The states of a lot and of a bidder, written and read again.
@Suite struct LotStateJSONTests {
    private static var full: LotState {
        var state = LotState()
        (state.lot, state.title, state.format, state.stage) = (3, "Vase \"9\"", .vickrey, .paused)
        (state.price, state.leader, state.bids) = (Price(120), Bidder("alice"), 4)
        (state.amounts, state.buy, state.reserve) = (121...1_000, Price(900), .unmet)
        (state.seconds, state.warning, state.isLast) = (20, .twice, true)
        (state.longest, state.secondsAtPause) = (.milliseconds(1_500), 4)
        (state.reason, state.value) = ("no-bids", 117)
        (state.remaining, state.elapsed) = (.milliseconds(6_500), .seconds(9))
        (state.lots, state.next, state.nextOpening) = (7, ["Clock", "Lamp"], .seconds(3))
        state.game = PublicGame(
            purse: Price(500), values: .common(50...150, noise: 20), countsLeftover: true)
        state.people = 2
        return state
    }

    @Test("a whole state is read as it was written")
    func whole() {
        for state in [Self.full, LotState()] {
            var read = state == LotState() ? Self.full : LotState()
            let clocks = read.merge(json: state.json(after: nil, clocks: .all) ?? [])
            #expect(read == state && clocks == .all)
        }
    }

    @Test("changes replace the members that they have, and no others")
    func changes() {
        var (known, next) = (Self.full, Self.full)
        (next.leader, next.amounts, next.warning, next.game) = (nil, nil, nil, nil)
        (next.next, next.remaining) = ([], nil)
        let changes = next.json(after: known, clocks: .remaining) ?? []
        #expect(known.merge(json: changes) == .remaining)
        #expect(known == next)
    }

    @Test(
        "what is not valid changes nothing",
        arguments: [
            "", "[]", #"{"lot":-1,"seconds":0}"#, #"{"stage":"later","format":"none"}"#,
            #"{"title":7,"next":[1],"isLast":"yes","start":0}"#,
        ])
    func invalid(json: String) {
        var state = Self.full
        state.merge(json: Array(json.utf8))
        #expect(state == Self.full)
    }

    @Test("what is not valid becomes nil where null is allowed")
    func invalidOptional() {
        var state = Self.full
        state.merge(
            json: Array(
                #"{"price":"much","leader":7,"going":"thrice","longest":"1","minimum":0.5}"#.utf8))
        #expect(state.price == nil && state.leader == nil && state.warning == nil)
        #expect(state.longest == nil && state.amounts == nil)
    }

    @Test("what only a bidder may know is read as it was written")
    func own() {
        guard let (alice, bob) = Bidder("alice").flatMap({ a in Bidder("bob").map { (a, $0) } })
        else { return }
        var state = OwnState(alice)
        (state.leads, state.left, state.most, state.worth) = (true, 740, 860, 143)
        (state.isEstimate, state.maximum, state.rank) = (true, Price(200), 2)
        state.paid = Price(90)
        var read = OwnState(bob)
        read.merge(json: state.json(after: nil))
        #expect(read == state)
        var next = state
        (next.maximum, next.worth, next.leads) = (nil, nil, false)
        read.merge(json: next.json(after: state))
        #expect(read == next)
    }
}
