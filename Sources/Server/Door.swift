import Posix
import Transport

/// One listener on its loop.
final class Door {
    /// The name of the listener on the loop.
    let handle: Handle
    let listener: Listener

    /// - Throws: `SystemError` when the kernel will not watch it.
    init(_ listener: consuming Listener, on loop: EventLoop) throws(SystemError) {
        handle = try loop.register(listener.descriptor, for: .readable)
        self.listener = listener
    }
}
