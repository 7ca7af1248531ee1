import Bidder
import TestSupport
import Testing

@Suite struct BackoffTests {
    @Test("a delay is at most a fifth shorter or longer", arguments: [(0.0, 160), (1, 240)])
    func bounds(chance: Double, expected: Int) {
        var backoff = Backoff { chance }
        let wait = backoff.delay()
        #expect((wait - .milliseconds(expected)).magnitude < .microseconds(1))
    }

    @Test("random delays differ, and stay in these bounds")
    func jitter() {
        var random = SplitMix64(seed: 7)
        let waits = (0..<100).map { _ in
            var backoff = Backoff { .random(in: 0...1, using: &random) }
            return backoff.delay()
        }
        #expect(Set(waits).count > 90)
        #expect(waits.allSatisfy { (.milliseconds(160)...(.milliseconds(240))).contains($0) })
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
