import Reactive

/// The connection to the server, which is made again whenever it is lost.
///
/// It is a resource: an attempt to connect is a load, and the greeting is its result.
final class Link {
    /// A server that does not stay for so long is not met any sooner the next time.
    private static let trialPeriod = Duration.seconds(5)

    /// The connection as it is seen.
    let resource: Resource<Greeting>

    private let timeline: Timeline
    private let wishes: Subject<Wish>
    private let attempts = Subject<Signal<Greeting>>()
    private var attempt: Signal<Greeting>.Observer?
    private var backoff: Backoff
    private var retry: Subscription?
    private var settledAt: Duration?

    /// Each attempt is wished for.
    init(on timeline: Timeline, backoff: Backoff, wishes: Subject<Wish>) {
        self.timeline = timeline
        self.backoff = backoff
        self.wishes = wishes
        resource = Resource(attempts.signal)
    }

    /// Whether an attempt is under way.
    var isConnecting: Bool { attempt != nil }

    /// Makes an attempt now.
    func begin() {
        retry = nil
        attempts.notify(
            Signal { [self] observer in
                attempt = observer
                wishes.notify(.connect)
            })
    }

    /// The attempt was met by a server.
    func greet(_ greeting: Greeting) {
        let observer = attempt.take()
        observer?.next(greeting)
        observer?.complete()
    }

    /// The server does what it should: if it goes on to, the next attempt may follow as soon as the
    /// first did.
    func settle() {
        settledAt = settledAt ?? timeline.now
    }

    /// The connection or the attempt has come to nothing; another follows after a while.
    ///
    /// What is said of it later, as by the end of the stream behind a goodbye, changes nothing.
    func lose(_ trouble: Trouble) {
        guard retry == nil else { return }
        if let start = settledAt.take(), timeline.now - start >= Self.trialPeriod {
            backoff.reset()
        }
        if let observer = attempt.take() {
            observer.fail(trouble)
        } else {
            attempts.notify(.failed(trouble))
        }
        retry = timeline.schedule(after: backoff.delay(), begin)
    }
}
