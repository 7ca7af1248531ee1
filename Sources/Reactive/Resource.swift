/// Something that can be loaded again and again; the newest load counts.
///
/// A load is a signal that starts when it is observed, emits its result, and completes or fails. A
/// new load cancels the current one. All observers of a resource share one load.
///
/// Source: the text on the loadable resource.
public struct Resource<Value> {
    /// Whether a load is running.
    public let isLoading: Signal<Bool>
    /// The results of all loads; a failure emits nothing here.
    public let result: Signal<Value>
    /// The error of the newest load; nil once it has a result.
    public let lastError: Signal<(any Error)?>

    /// Creates a resource from its loads, each of which replaces the one before.
    public init(_ loads: Signal<Signal<Value>>) {
        let loads = loads.map { $0.replay(1) }.replay(1)
        isLoading = loads.map { load in
            .concat([.of(true), load.ignoreValues().catchError { _ in .empty }, .of(false)])
        }
        .switchToLatest().removeDuplicates()
        result = loads.map { load in load.catchError { _ in .empty } }.switchToLatest()
        lastError = loads.map { load in load.materialize().map(\.error) }.switchToLatest()
    }
}
