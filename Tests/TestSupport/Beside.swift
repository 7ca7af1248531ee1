import Posix

/// Does something here, and something else beside it on a thread of its own that begins at once.
///
/// Waits for both. A child task would wait in the queue of the threads that all tests share.
///
/// - Throws: What `other` throws, else what `body` does.
public func beside<Other: Sendable, Value>(
    _ other: @escaping @Sendable () throws -> Other, do body: () throws -> Value
) throws -> (Other, Value) {
    let outcome = Locked<Result<Other, any Error>?>(nil)
    let thread = try Thread {
        let result = Result { try other() }
        outcome.withLock { $0 = result }
    }
    let value = Result { try body() }
    thread.join()
    guard let result = outcome.withLock({ $0 }) else {
        preconditionFailure("a thread that was joined has its result")
    }
    return (try result.get(), try value.get())
}
