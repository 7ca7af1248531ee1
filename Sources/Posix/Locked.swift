#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value that several threads may use, one at a time.
///
/// A `pthread_mutex_t` and not `Synchronization.Mutex`, in which ThreadSanitizer sees races that
/// are not there. It may not be entered again from within.
public struct Locked<Value>: ~Copyable, @unchecked Sendable {
    // Both live on the heap: a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates the lock, open, around a value.
    public init(_ initial: sending Value) {
        mutex = .allocate(capacity: 1)
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "a mutex needs nothing that can run out")
    }

    deinit {
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
}
