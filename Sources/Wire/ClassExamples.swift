/// A file of a class that is built in; the raw value is its name.
public enum ClassExample: String, CaseIterable, Sendable {
    /// First price against second price.
    case vickreyVsFirstPrice = "vickrey-vs-first-price"
    /// A common value: who has the highest estimate wins.
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
            # Bids below the value at a first price, not at a second
            title   First price against second price
            groups  3                    # bidders in each auction, drawn anew for each round
            values  50..150              # each bidder sees only its own value
            rounds  2 practice, 6 sealed, 2 practice, 6 vickrey
            seconds 30
            same    draws                # both parts have the same values and groups
            show    instructions, standings after each round
            """
        case .winnersCurse:
            """
            # Who wins has overestimated the common value most
            title   The winner's curse
            groups  5                    # with more bidders the highest estimate is worse
            common  50..150 noise 20     # one value for each group, estimates up to 20 away
            rounds  2 practice, 5 sealed, 5 english
            seconds 30
            show    instructions, values # after a lot the class sees what it was worth
            """
        case .revenueEquivalence:
            """
            # Four auctions that bring the seller the same on average
            title   Revenue equivalence
            groups  4 fixed              # drawn once, so that the groups can be compared
            values  50..150
            rounds  1 practice, 5 sealed, 1 practice, 5 vickrey, 1 practice, 5 english, 1 practice, 5 dutch
            seconds 20                   # in an english auction from each bid on
            same    draws                # all parts have the same values
            """
        case .allPay:
            """
            # All bidders pay, in sum often more than the value
            title   Everybody pays
            groups  2
            rest    larger               # if the number of students is odd, one group has three
            values  0..100
            rounds  2 practice, 8 allpay
            seconds 30
            pause   15                   # time to look at the standings
            show    instructions, standings after each round
            """
        }
    }
}
