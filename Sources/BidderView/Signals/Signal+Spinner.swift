import Reactive

extension Signal where Value == Int? {
    /// The number of the spinner's picture, ten a second while anything is loading; else nil.
    package static func spinner(while loading: [Signal<Bool>], on timeline: Timeline) -> Signal<
        Int?
    > {
        loading.map { $0.startWith(false) }
            .reduce(Signal<Bool>.of(false)) { any, one in
                any.combineLatest(one).map { $0 || $1 }
            }
            .removeDuplicates()
            .map { isLoading in
                guard isLoading else { return .of(nil) }
                return Signal<Int>.interval(.milliseconds(100), on: timeline).map { $0 + 1 }
                    .startWith(0).map(Optional.some)
            }
            .switchToLatest()
    }
}
