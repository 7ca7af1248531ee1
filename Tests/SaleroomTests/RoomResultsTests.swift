import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

/// The list of how the lots ended.
@Suite struct RoomResultsTests {
    /// A sale in which al won the odd lots, the auctioneer closed the even ones, and one more is
    /// open.
    private func afterLots(_ count: Int, resuming recovered: SaleReplay? = nil) -> Visitors {
        var visitors = Visitors.presided(Catalogue(pause: .zero), resuming: recovered)
        for lot in 1..<count + 1 {
            visitors.pass(milliseconds: 1000)
            if lot.isMultiple(of: 2) {
                visitors.say("boss", "close")
            } else {
                visitors.say("al", "\(lot)")
                visitors.pass(milliseconds: 7000)
            }
            visitors.pass(milliseconds: 1)
        }
        for visitor in ["al", "bo", "boss"] { _ = visitors.hear(visitor) }
        return visitors
    }

    private static let first = "RESULT 1 al 1 00:08.0 lot-1"
    private static let second = "RESULT 2 - - 00:01.0 lot-2"
    private static let third = "RESULT 3 al 3 00:08.0 lot-3"

    @Test(
        "results lists the lots that have ended, the newest 20 or those requested",
        arguments: [
            (0, "results", ["OK results 0"]), (1, "results", [first, "OK results 1"]),
            (3, "#7 results", [first, second, third, "OK #7 results 3"]),
            (3, "results 2 1", [second, "OK results 3"]),
            (3, "results 3 1000", [third, "OK results 3"]), (3, "results 4 10", ["OK results 3"]),
            (3, "results 999999999 10", ["OK results 3"]),
        ])
    func listed(lots: Int, request: String, answer: [String]) {
        var visitors = afterLots(lots)
        #expect(visitors.say("bo", request) == answer)
    }

    @Test("without arguments these are the newest 20")
    func newest() {
        var visitors = afterLots(25)
        let heard = visitors.say("bo", "results")
        #expect(heard.count == 21)
        #expect(heard.first?.hasPrefix("RESULT 6 - - ") == true)
        #expect(heard.last == "OK results 25")
    }

    @Test("a long list comes in parts, and lots that end meanwhile are not in it")
    func inParts() {
        var limits = Limits.none
        limits.answerLines = 4
        var visitors = Visitors(Rules(seconds: 1), Catalogue(pause: .zero), limits: limits)
        for visitor in ["al", "eve"] { visitors.joinNamed(visitor) }
        for _ in 1...10 {
            visitors.say("al", "5")
            visitors.pass(milliseconds: 1500)
        }
        _ = visitors.hear("eve")
        _ = visitors.take("eve", Array("results\n".utf8), isConfirmed: true)
        #expect(visitors.held == ["eve"])
        visitors.say("al", "5")
        visitors.pass(milliseconds: 1500)
        visitors.send("eve", [])
        let heard = visitors.hear("eve").filter { $0.hasPrefix("RESULT") || $0.hasPrefix("OK") }
        #expect(heard.count == 11)
        #expect(heard.last == "OK results 10")
        #expect(visitors.held.isEmpty)
    }

    @Test("the results are the same after a restart")
    func restarted() throws {
        var before = afterLots(3)
        let expected = before.say("bo", "results")
        var after = Visitors(Rules(seconds: 7), resuming: try recovered(before.journal))
        after.join("eve")
        _ = after.hear("eve")
        #expect(after.say("eve", "results") == expected)
    }
}
