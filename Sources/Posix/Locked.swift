#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value that several threads may use, one at a time.
///
/// A `pthread_mutex_t` and not `Synchronization.Mutex`, in which ThreadSanitizer sees races that
/// are not there. It may not be entered again from within.
///
/// Unchecked, because the compiler does not see that the mutex guards the value.
public struct Locked<Value>: ~Copyable, @unchecked Sendable {
    // All live on the heap: a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates the lock, open, around a value.
    public init(_ initial: sending Value) {
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
        let result = pthread_mutex_init(mutex, nil) | pthread_cond_init(changed, nil)
        precondition(result == 0, "a mutex needs nothing that can run out")
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Calls `body` with the value while no other thread has it.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// Waits until `condition` holds, and calls `body` with the value before it can change again.
    ///
    /// The condition is looked at now and after each `signal()`.
    ///
    /// Source: pthread_cond_wait(3).
    public func withLock<Result>(
        when condition: (Value) -> Bool, _ body: (inout Value) throws -> Result
    ) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(value.pointee) { pthread_cond_wait(changed, mutex) }
        return try body(&value.pointee)
    }

    /// Lets the threads that wait for a condition look at it again.
    public func signal() {
        pthread_cond_broadcast(changed)
    }
}
