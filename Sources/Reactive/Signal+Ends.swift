extension Signal {
    /// Returns the events of this signal as values, the end among them, and then completes.
    public func materialize() -> Signal<Event> {
        Signal<Event> { observer in
            func finish(with end: Event) {
                observer.next(end)
                observer.complete()
            }
            observer.follow(
                self, next: { observer.next(.next($0)) },
                completed: { finish(with: .completed) }, failed: { finish(with: .failed($0)) })
        }
    }

    /// Returns this signal, going on with the signal that the closure returns should this one fail.
    ///
    /// A failure of that one is passed on.
    public func catchError(_ replacement: @escaping (any Error) -> Signal) -> Signal {
        Signal { observer in
            observer.follow(
                self, next: observer.next,
                failed: { observer.follow(replacement($0), next: observer.next) })
        }
    }
}
