import Auction
import Simulation
import Testing

@Suite("LotRecord")
struct LotRecordTests {
    /// The promise that lines break, one after the other; lots begin at 1, in steps of 5.
    private static func broken(by lines: [String]) -> Promise? {
        var record = LotRecord(rules: Rules(seconds: 7, step: Price(5) ?? .lowest))
        return lines.compactMap { record.take($0)?.promise }.first
    }

    private static let lot = ["LOT 1 Vase", "PRICE 10 al 00:01.0 1", "PRICE 15 bo 00:02.0 2"]
    private static let sold = lot + ["COUNTDOWN 0", "WINNER bo 15 00:09.0 Vase"]

    @Test("lots that are sold one after the other are accepted")
    func right() {
        let next = ["LOT 2 Clock", "PRICE 3 bo 00:00.1 1", "WINNER bo 3 00:07.1 Clock", "OVER 2"]
        #expect(Self.broken(by: Self.sold + next) == nil)
    }

    @Test(
        "each line that cannot follow is refused",
        arguments: [
            (lot + ["PRICE 15 al 00:03.0 3"], .rises), (lot + ["PRICE 19 al 00:03.0 3"], .rises),
            (lot + ["PRICE 9 al 00:03.0 3"], .rises), (lot + ["PRICE 20 al 00:03.0 4"], .rises),
            (lot + ["PRICE 20 bo 00:03.0 3"], .rises), (lot + ["LOT 2 Clock"], .oneLot),
            (lot + ["WINNER al 10 00:09.0 Vase"], .oneWinner),
            (lot + ["WINNER bo 16 00:09.0 Vase"], .oneWinner),
            (sold + ["WINNER bo 15 00:09.0 Vase"], .oneWinner),
            (sold + ["PRICE 20 al 00:09.1 3"], .oneWinner), (sold + ["LOT 3 Lamp"], .oneLot),
            (["LOT 1 Vase", "WINNER al 10 00:09.0 Vase"], .oneWinner),
            (["LOT 1 Vase", "COUNTDOWN 7"], .countdown), (["PRICE 10 al 00:01.0 1"], .oneWinner),
            (["OK bid 10"], .oneLot), (["no message"], .replays),
        ] as [([String], Promise)])
    func wrong(lines: [String], promise: Promise) {
        #expect(Self.broken(by: lines) == promise)
    }
}
