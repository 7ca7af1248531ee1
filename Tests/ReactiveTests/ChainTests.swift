import MarbleSupport
import Reactive
import Testing

@Suite struct ChainTests {
    @Test("cancelling a chain cancels its source and leaves nothing", arguments: Chain.allCases)
    func cancelling(chain: Chain) {
        let source = Source()
        let subscription = source.observe(through: chain)
        source.timeline.advance(to: .seconds(5))
        #expect(source.liveCount > 0)
        subscription.cancel()
        #expect(source.liveCount == 0)
        #expect(source.timeline.nextDeadline == nil)
        #expect(source.token == nil)
    }

    @Test("releasing the subscription of a chain does the same", arguments: Chain.allCases)
    func releasing(chain: Chain) {
        let source = Source()
        var subscription: Subscription? = source.observe(through: chain)
        source.timeline.advance(to: .seconds(5))
        #expect(subscription != nil)
        subscription = nil
        #expect(source.liveCount == 0)
        #expect(source.timeline.nextDeadline == nil)
        #expect(source.token == nil)
    }

    @Test("a chain that has failed leaves nothing either", arguments: Chain.allCases)
    func ending(chain: Chain) {
        let source = Source(failsAt: 3)
        let subscription = source.observe(through: chain)
        source.timeline.advance(to: .seconds(9))
        subscription.cancel()
        #expect(source.liveCount == 0)
        #expect(source.timeline.nextDeadline == nil)
        #expect(source.token == nil)
    }
}

/// A signal that counts seconds, knows how many observe it, and has given each of them a token.
private final class Source {
    let timeline = Timeline()
    private(set) var liveCount = 0
    private(set) weak var token: Token?
    private let failureTick: Int?

    init(failsAt tick: Int? = nil) {
        failureTick = tick
    }

    func observe(through chain: Chain) -> Subscription {
        let token = Token()
        self.token = token
        return chain.link(signal(holding: token), timeline).observe { token.count += $0 }
    }

    private func signal(holding token: Token) -> Signal<Int> {
        Signal { [unowned self] observer in
            liveCount += 1
            observer.hold(
                Subscription {
                    token.count += 1
                    self.liveCount -= 1
                })
            let bag = SubscriptionBag()
            observer.hold(Subscription(bag.cancel))
            Signal.interval(.seconds(1), on: timeline).observe(in: bag) { [failureTick] in
                if $0 == failureTick { observer.fail(Broken()) } else { observer.next($0) }
            }
        }
    }
}

/// Each operator, linked to a source.
enum Chain: CaseIterable, Sendable {
    case map, filter, scan, prefix, sample, trigger, ignoreValues
    case removeDuplicates, materialize, catchError, combineLatest, combined, concat
    case startWith, repeated, switchToLatest, share, replay, interval, delay, buffer, throttle, all

    func link(_ source: Signal<Int>, _ timeline: Timeline) -> Signal<Int> {
        switch self {
        case .map: source.map { $0 + 1 }
        case .filter: source.filter { $0 > 1 }
        case .scan: source.scan(into: 0) { $0 += $1 }
        case .prefix: source.prefix(100)
        case .sample: source.sample(on: .interval(.seconds(2), on: timeline))
        case .trigger: Signal.of(1).sample(on: source)
        case .ignoreValues: source.ignoreValues()
        case .removeDuplicates: source.removeDuplicates()
        case .materialize: source.materialize().map { $0.error == nil ? 1 : 0 }
        case .catchError: source.catchError { _ in source.delay(.seconds(1), on: timeline) }
        case .combineLatest: source.combineLatest(source).map { $0 + $1 }
        case .combined: Signal.of(1).combineLatest(source).map { $0 + $1 }
        case .concat: source.prefix(2).concat(source)
        case .startWith: source.startWith(1)
        case .repeated: source.prefix(1).repeated()
        case .switchToLatest: source.map { _ in source }.switchToLatest()
        case .share: shared(source.share())
        case .replay: shared(source.replay(2))
        case .interval: source.combineLatest(.interval(.seconds(2), on: timeline)).map { $0 + $1 }
        case .delay: source.delay(.seconds(2), on: timeline)
        case .buffer: source.buffer(time: .seconds(2), on: timeline).map(\.count)
        case .throttle: source.throttle(.seconds(2), on: timeline)
        case .all:
            shared(
                source.map { $0 + 1 }.removeDuplicates().replay(1).scan(into: 0) { $0 += $1 }
                    .share()
            )
            .map { Signal.of($0).concat(source.delay(.seconds(1), on: timeline)) }
            .switchToLatest().catchError { _ in source.prefix(1).repeated() }.startWith(1)
        }
    }

    private func shared(_ signal: Signal<Int>) -> Signal<Int> {
        signal.combineLatest(signal).map { $0 + $1 }
    }
}
