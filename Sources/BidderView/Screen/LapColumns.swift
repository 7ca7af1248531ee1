import Drawing
import Wire

/// The table of laps as text: which columns there is room for, and how wide each is.
struct LapColumns {
    private static let age = "just now".count
    private static let shortestName = 8

    private let number: Int
    private let amount: Int
    private let bidder: Int
    private let time: Int
    private let split: Int
    private let hasTime: Bool
    private let hasSplit: Bool

    /// Fits the columns to what is to be shown; where there is no room for all, the split goes
    /// first, then the time.
    init(_ laps: [Lap], columns: Int) {
        number = max(2, laps.map { Int64($0.bid.number).grouped.count }.max() ?? 0)
        amount = max(6, laps.map { $0.bid.price.grouped.count }.max() ?? 0)
        time = max("00:00.0".count, laps.map { $0.bid.elapsed.lotTime.count }.max() ?? 0)
        split = max("after".count, laps.compactMap { $0.splitText?.count }.max() ?? 0)
        let rest = columns - 1 - number - 1 - 1 - amount - 1 - Self.age
        let withTime = rest - 1 - time
        let withBoth = withTime - 1 - split
        hasSplit = withBoth >= Self.shortestName
        hasTime = withTime >= Self.shortestName
        bidder = max(1, hasSplit ? withBoth : hasTime ? withTime : rest)
    }

    /// The names of the columns to the right of the heading.
    var titles: String {
        "bid".leftPadded(to: amount) + (hasTime ? " " + "time".leftPadded(to: time) : "")
            + (hasSplit ? " " + "after".leftPadded(to: split) : "") + " "
            + "ago".leftPadded(to: Self.age)
    }

    /// One row of the table.
    func row(_ lap: Lap) -> String {
        " " + Int64(lap.bid.number).grouped.leftPadded(to: number) + " "
            + "\(lap.bid.bidder)".fitted(to: bidder).padded(to: bidder) + " "
            + lap.bid.price.grouped.leftPadded(to: amount)
            + (hasTime ? " " + lap.bid.elapsed.lotTime.leftPadded(to: time) : "")
            + (hasSplit ? " " + (lap.splitText ?? "").leftPadded(to: split) : "") + " "
            + lap.age.leftPadded(to: Self.age)
    }
}

extension Lap {
    fileprivate var splitText: String? { split.map { "+\($0.seconds)" } }
}

extension Duration {
    /// The seconds, cut to a tenth.
    fileprivate var seconds: String {
        let tenths = Int64(self / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
