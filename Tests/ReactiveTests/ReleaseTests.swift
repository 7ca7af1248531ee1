import Reactive
import Testing

/// Releasing a value may run any code, which may send into the source that is being observed.
@Suite struct ReleaseTests {
    @Test("a value that an operator lets go may send into its source", arguments: Keeper.allCases)
    func reentrantRelease(keeper: Keeper) {
        var source: Signal<Echo>.Observer?
        let timeline = Timeline()
        var told: [Int] = []
        let subscription = keeper.link(Signal { source = $0 }, timeline).observe { told.append($0) }
        source?.next(Echo(0))
        source?.next(Echo(1) { source?.next(Echo(3)) })
        source?.next(Echo(2))
        timeline.advance(to: .seconds(1))
        #expect(told == keeper.expected)
        subscription.cancel()
        source = nil
    }

    @Test("a value may observe a shared signal that forgets it with its last observer")
    func releaseBySharing() {
        var source: Signal<Echo>.Observer?
        var starts = 0
        let shared = Signal<Echo> {
            starts += 1
            source = $0
        }.replay(1)
        let subscription = shared.observe { _ in }
        source?.next(Echo(1) { shared.observe { _ in }.cancel() })
        subscription.cancel()
        #expect(starts == 2)
        source = nil
    }
}

/// The operators that keep a value until the next one comes.
enum Keeper: CaseIterable, Sendable {
    case removeDuplicates, sample, combineFirst, combineSecond, throttle

    fileprivate func link(_ source: Signal<Echo>, _ timeline: Timeline) -> Signal<Int> {
        switch self {
        case .removeDuplicates: source.removeDuplicates().map(\.number)
        case .sample: source.sample(on: .interval(.seconds(1), on: timeline)).map(\.number)
        case .combineFirst: source.combineLatest(Signal.of(1)).map(\.0.number)
        case .combineSecond: Signal.of(1).combineLatest(source).map(\.1.number)
        case .throttle: source.throttle(.seconds(1), on: timeline).map(\.number)
        }
    }

    /// Values in the order in which they were sent.
    var expected: [Int] {
        switch self {
        case .sample: [3]
        case .throttle: [0, 3]
        case .removeDuplicates, .combineFirst, .combineSecond: [0, 1, 2, 3]
        }
    }
}

/// A value that does something when it is released.
private final class Echo: Equatable {
    let number: Int
    private let onRelease: () -> Void

    init(_ number: Int, onRelease: @escaping () -> Void = {}) {
        (self.number, self.onRelease) = (number, onRelease)
    }

    deinit { onRelease() }

    static func == (left: Echo, right: Echo) -> Bool { left.number == right.number }
}
