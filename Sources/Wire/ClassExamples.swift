/// A file of a class that is built in; the raw value is its name.
public enum ClassExample: String, CaseIterable, Sendable {
    /// First price against second price.
    case vickreyVsFirstPrice = "vickrey-vs-first-price"
    /// A common value: the bidder with the highest estimate wins.
    case winnersCurse = "winners-curse"
    /// Four formats with the same values.
    case revenueEquivalence = "revenue-equivalence"
    /// Everybody pays.
    case allPay = "all-pay"

    /// What the class learns: the first line of the file, which is a comment.
    public var summary: String {
        String(text.prefix { $0 != "\n" }.dropFirst(2))
    }

    /// A line for each example: its name, and what the class learns.
    public static var list: [String] {
        let width = allCases.map(\.rawValue.count).max() ?? 0
        return allCases.map { example in
            let gap = String(repeating: " ", count: width - example.rawValue.count + 2)
            return example.rawValue + gap + example.summary
        }
    }

    /// The file, without the end of its last line.
    public var text: String {
        switch self {
        case .vickreyVsFirstPrice:
            """
            # Bids stay below the value at a first price only
            title   First price against second price
            groups  3                    # bidders in each auction; groups are drawn anew for each round
            values  50..150              # each bidder sees only its own value
            rounds  2 practice, 6 sealed, 2 practice, 6 vickrey
            seconds 30
            same    draws                # both treatments have the same values and groups
            show    instructions, standings after each round
            """
        case .winnersCurse:
            """
            # The highest estimate wins, and it is often too high
            title   The winner's curse
            groups  5                    # with more bidders the highest estimate is further off
            common  50..150 noise 20     # each group has one value, and estimates are up to 20 off
            rounds  2 practice, 5 sealed, 5 english
            seconds 30
            show    instructions          # a common value is told after the lot in any case
            """
        case .revenueEquivalence:
            """
            # Four auctions bring the seller the same on average
            title   Revenue equivalence
            groups  4 fixed              # the groups are drawn once and then stay
            values  50..150
            rounds  1 practice, 5 sealed, 1 practice, 5 vickrey, 1 practice, 5 english, 1 practice, 5 dutch
            seconds 20                   # in an english auction each bid starts them again
            same    draws                # all treatments have the same values
            """
        case .allPay:
            """
            # All bidders pay, together often more than the value
            title   Everybody pays
            groups  2
            rest    larger               # if the number of students is odd, one group has three
            values  0..100
            rounds  2 practice, 8 allpay
            seconds 30
            pause   15                   # this leaves time to look at the standings
            show    instructions, standings after each round
            """
        }
    }
}
