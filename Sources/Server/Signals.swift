import Posix
import Transport

/// The signals that end the server, on its loop.
final class Signals {
    /// The name of the pipe on the loop.
    let handle: Handle
    private let pipe: SignalPipe

    /// - Throws: `SystemError` when the kernel will not watch the pipe.
    init(_ loop: EventLoop, _ pipe: consuming SignalPipe) throws(SystemError) {
        handle = try loop.register(pipe.descriptor, for: .readable)
        self.pipe = pipe
    }

    /// Takes what has arrived, so that the pipe is readable no more.
    func drain() {
        while pipe.next() != nil {}
    }
}
