import Auction
import Simulation
import Testing
import Wire

/// The answers to bids on lots that begin at 10, in steps of 5.
@Suite("Game model")
struct GameModelTests {
    private static let lot = ["LOT 1 Vase"]
    private static let led = lot + ["PRICE 10 al 00:01.0 1"]
    private static let own = lot + ["PRICE 10 bo 00:01.0 1"]
    private static let paused = led + ["PAUSED"]
    private static let sold = led + ["WINNER al 10 00:09.0 Vase"]

    /// Whether an answer to bo after some news is right.
    private static func isRight(_ answer: String, after news: [String]) throws -> Bool {
        let rules = Rules(seconds: 7, start: try #require(Price(10)), step: try #require(Price(5)))
        var model = GameModel(rules, purse: nil)
        for line in news {
            let event = try #require(ServerMessage(text: line)?.event)
            _ = model.take(event) { _, _ in true }
        }
        return model.explains(try #require(ServerMessage(text: answer)), to: Bidder("bo"))
    }

    @Test(
        "an answer that the news explains is accepted",
        arguments: [
            (lot, "OK bid 10"), (led, "OK bid 15"), (led, "ERROR too-low minimum=15 more"),
            (own, "OK bid 10"), (own, "ERROR leading price=10 wait"), (paused, "ERROR paused wait"),
            (sold, "ERROR closed wait"), (paused + ["RESUMED"], "OK bid 15"),
            (led + ["VOIDED 10 al 1"], "OK bid 10"),
        ])
    func right(news: [String], answer: String) throws {
        #expect(try Self.isRight(answer, after: news))
    }

    @Test(
        "an answer that nothing explains is refused",
        arguments: [
            (lot, "OK bid 9"), (led, "OK bid 14"), (led, "ERROR too-low minimum=20 more"),
            (lot, "ERROR too-low minimum=11 more"), (led, "ERROR closed wait"),
            (led, "ERROR paused wait"), (led, "ERROR leading price=10 wait"), (own, "OK bid 15"),
            (own, "ERROR leading price=15 wait"), (paused, "OK bid 15"), (sold, "OK bid 15"),
            (sold, "ERROR paused wait"), (lot, "ERROR too-high maximum=12 less"),
        ])
    func wrong(news: [String], answer: String) throws {
        #expect(try !Self.isRight(answer, after: news))
    }
}
