import Reactive

/// Something that can be loaded again and again; of all loads the newest counts.
///
/// A load is a signal that starts when it is observed, says its result, and completes or fails. A
/// new one calls off the one under way. However many look at a resource, it is loaded once.
///
/// Source: the seed text on the loadable resource.
package struct Resource<Value> {
    /// Whether a load is under way.
    package let isLoading: Signal<Bool>
    /// The results of all loads; a failure says nothing here.
    package let result: Signal<Value>
    /// The error of the newest load; nil once it has a result.
    package let lastError: Signal<(any Error)?>

    package init(_ loads: Signal<Signal<Value>>) {
        let loads = loads.map { $0.replay(1) }.replay(1)
        isLoading = loads.map { load in
            .concat([.of(true), load.ignoreValues().catchError { _ in .empty }, .of(false)])
        }
        .switchToLatest().removeDuplicates()
        result = loads.map { load in load.catchError { _ in .empty } }.switchToLatest()
        lastError = loads.map { load in load.materialize().map(\.error) }.switchToLatest()
    }
}
