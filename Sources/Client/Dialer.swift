import Posix
import Transport

/// Connects to a server while the loop goes on, one attempt at a time.
///
/// It belongs to the loop's thread, like the loop's registrations.
public final class Dialer {
    private let loop: EventLoop
    private var attempt: Attempt?
    private var thread: Thread?

    /// Creates a dialer that wakes this loop when an attempt has ended.
    public init(loop: EventLoop) {
        self.loop = loop
    }

    deinit {
        cancel()
    }

    /// Whether an attempt was begun and its outcome not taken.
    public var isDialing: Bool { attempt != nil }

    /// Begins to connect; the loop is woken when `takeOutcome` has something to return.
    ///
    /// The timeout is in nanoseconds, and does not count the time to resolve the host's name.
    public func dial(_ server: ServerAddress, timeoutNanoseconds: Int64) {
        precondition(attempt == nil, "one attempt ends before the next begins")
        let (attempt, loop) = (Attempt(), loop)
        self.attempt = attempt
        do throws(SystemError) {
            thread = try Thread {
                attempt.carryOut(
                    server, timeoutNanoseconds: timeoutNanoseconds, waking: loop)
            }
        } catch {
            attempt.end(with: .failure(.failed(error)), waking: loop)
        }
    }

    /// Takes what the attempt has come to; nil while it goes on, and when there is none.
    ///
    /// The descriptor is the caller's to close.
    public func takeOutcome() -> Result<Int32, EndpointError>? {
        guard let outcome = attempt?.takeOutcome() else { return nil }
        attempt = nil
        thread.take()?.join()
        return outcome
    }

    /// Gives the attempt up, if there is one; a connection that still comes about is closed.
    public func cancel() {
        attempt.take()?.abandon()
        thread.take()?.detach()
    }
}
