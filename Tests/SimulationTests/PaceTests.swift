import Simulation
import Testing

@Suite("Pace")
struct PaceTests {
    /// A price told at 1 s, from which 3 seconds run; and then numbers at times in milliseconds.
    private func isAccepted(_ numbers: [(number: Int, at: Int)]) -> Bool {
        var pace = Pace(seconds: 3)
        pace.price(seq: 2)
        var isRight = pace.countdown(3, seq: 3, at: .milliseconds(900))
        pace.told(upTo: 3, at: .seconds(1))
        for (number, time) in numbers {
            if !pace.countdown(number, seq: 4, at: .milliseconds(time)) { isRight = false }
            pace.told(upTo: 4, at: .milliseconds(time))
        }
        return isRight && pace.mayFall(at: .milliseconds(numbers.last?.at ?? 0))
    }

    @Test("a hammer falls after every second, each in its time or late")
    func full() {
        #expect(isAccepted([(2, 2000), (1, 3000), (0, 4000)]))
        #expect(isAccepted([(2, 2900), (1, 3001), (0, 4999)]))
    }

    @Test("a second that is early or missing is noticed, and a hammer before the last")
    func wrong() {
        #expect(!isAccepted([(2, 1999), (1, 3000), (0, 4000)]))
        #expect(!isAccepted([(2, 2000), (0, 4000)]))
        #expect(!isAccepted([(2, 2000), (1, 3000)]))
        #expect(!isAccepted([]))
    }

    @Test("the full seconds are given again after a second was missed, and not before")
    func standstill() {
        #expect(isAccepted([(2, 2000), (3, 4000), (2, 5000), (1, 6000), (0, 7000)]))
        #expect(!isAccepted([(2, 2000), (3, 3999), (2, 5000), (1, 6000), (0, 7000)]))
        #expect(!isAccepted([(2, 2000), (3, 4000), (2, 4500), (1, 6000), (0, 7000)]))
    }

    @Test("while a price is not told no second passes")
    func untold() {
        var pace = Pace(seconds: 3)
        pace.price(seq: 2)
        let first = pace.countdown(3, seq: 3, at: .zero)
        let next = pace.countdown(2, seq: 4, at: .seconds(60))
        #expect(first && !next)
    }
}
