import Posix
import Transport

/// The signals that the server heeds, on its loop.
final class Signals {
    /// The name of the pipe on the loop.
    let handle: Handle
    private let pipe: SignalPipe

    /// - Throws: `SystemError` when the kernel will not watch the pipe.
    init(_ loop: EventLoop, _ pipe: consuming SignalPipe) throws(SystemError) {
        handle = try loop.register(pipe.descriptor, for: .readable)
        self.pipe = pipe
    }

    /// Takes the oldest that has arrived; nil when none is waiting.
    func next() -> Int32? { pipe.next() }
}
