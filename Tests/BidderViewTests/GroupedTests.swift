import BidderView
import Testing

@Suite struct GroupedTests {
    @Test(
        "an amount has a comma before each three digits",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (1_050, "1,050"),
            (10_005, "10,005"), (999_999, "999,999"), (1_000_000, "1,000,000"),
            (1_000_000_000_000, "1,000,000,000,000"), (-1_050, "-1,050"),
        ] as [(Int64, String)])
    func groups(amount: Int64, text: String) {
        #expect(amount.grouped == text)
    }
}
