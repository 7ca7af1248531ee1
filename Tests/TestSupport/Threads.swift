import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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

/// Runs a closure on a thread of its own, so that what waits there does not hold up other tests.
public func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    var thread: Thread?
    let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
        do throws(SystemError) {
            thread = try Thread { continuation.resume(returning: Result(catching: body)) }
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }
    thread.take()?.join()
    return try result.get()
}

/// Raises a signal on this thread, also if the thread blocks it.
public func raiseUnblocked(_ signal: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(Int32(SIG_UNBLOCK), &set, nil)
    raise(signal)
}
