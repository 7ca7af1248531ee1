extension Signal {
    /// A signal that completes without a value.
    public static var empty: Signal {
        Signal { $0.complete() }
    }

    /// A signal that never says anything, not even an end.
    public static var never: Signal {
        Signal { _ in }
    }

    /// Returns a signal that fails at once.
    public static func failed(_ error: any Error) -> Signal {
        Signal { $0.fail(error) }
    }

    /// Returns a signal that says these values at once and completes.
    public static func of(_ values: Value...) -> Signal {
        Signal { observer in
            for value in values where !observer.isOver { observer.next(value) }
            observer.complete()
        }
    }
}
