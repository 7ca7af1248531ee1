import Posix

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
