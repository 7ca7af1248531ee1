import BidderView
import Testing

@Suite struct CountdownTests {
    @Test(
        "whole seconds are those that the server says: rounded up",
        arguments: [(0, 0), (1, 1), (999, 1), (1000, 1), (1001, 2), (6999, 7), (7000, 7)])
    func seconds(milliseconds: Int, expected: Int64) {
        let countdown = Countdown(remaining: .milliseconds(milliseconds), warning: nil)
        #expect(countdown.seconds == expected)
    }

    @Test(
        "the fraction of the full seconds is from 0 to 1",
        arguments: [
            (0, 7, 0), (3500, 7, 0.5), (7000, 7, 1), (9000, 7, 1), (500, 0, 0.5), (5000, 0, 1),
        ] as [(Int, Int, Double)])
    func fraction(milliseconds: Int, seconds: Int, expected: Double) {
        let countdown = Countdown(remaining: .milliseconds(milliseconds), warning: nil)
        #expect(countdown.fraction(ofSeconds: seconds) == expected)
    }
}
