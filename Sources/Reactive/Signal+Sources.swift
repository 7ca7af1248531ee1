extension Signal {
    /// A signal that completes without a value.
    public static var empty: Signal {
        Signal { $0.complete() }
    }

    /// A signal that never emits anything, not even an end.
    public static var never: Signal {
        Signal { _ in }
    }

    /// Returns a signal that fails at once.
    public static func failed(_ error: any Error) -> Signal {
        Signal { $0.fail(error) }
    }

    /// Returns a signal that emits these values at once and completes.
    public static func of(_ values: Value...) -> Signal {
        of(contentsOf: values)
    }

    /// Returns a signal that emits the elements of a sequence at once and completes.
    ///
    /// Each observation goes through the sequence from its beginning.
    public static func of(contentsOf values: some Sequence<Value>) -> Signal {
        Signal { observer in
            for value in values where !observer.isOver { observer.next(value) }
            observer.complete()
        }
    }
}
