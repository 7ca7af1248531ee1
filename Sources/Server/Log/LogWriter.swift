import Posix
import Wire

/// The thread that writes the log, and the lines that wait for it.
///
/// Whoever gives it lines never waits: with 1 MiB waiting for a reader that has stalled, what comes
/// is dropped, and how many lines that were is said as soon as it reads again. Where nobody reads at
/// all, everything is dropped.
public final class LogWriter: Sendable {
    /// After a write of fewer bytes lines gather for so many milliseconds, so that the thread is
    /// not woken for each bid.
    private static let (fewBytes, pauseMilliseconds) = (64 * 1024, 5 as Int32)

    private struct Queue {
        var text: [UInt8] = []
        var dropped = 0
        var isClosing = false
    }

    private let descriptor: Int32
    private let mostWaiting: Int
    private let queue = Locked(Queue())
    private let end: WakeSignal

    /// Begins to write to a descriptor, which stays the caller's.
    ///
    /// - Throws: `SystemError` when the machine has no thread or no descriptor left.
    public convenience init(to descriptor: Int32) throws(SystemError) {
        try self.init(to: descriptor, mostWaiting: 1 << 20)
    }

    package init(to descriptor: Int32, mostWaiting: Int) throws(SystemError) {
        self.descriptor = descriptor
        self.mostWaiting = mostWaiting
        end = try WakeSignal()
        // Nobody waits for the thread for ever: its reader may have stalled.
        try Thread { self.run() }.detach()
    }

    /// Has a text written as it is, lines and their ends.
    public func say(_ text: String) {
        take(Array((text + "\n").utf8), count: 1)
    }

    /// Has so many whole lines written, or drops them all.
    package func take(_ lines: [UInt8], count: Int) {
        queue.withLock { queue in
            if queue.text.isEmpty || queue.text.count + lines.count <= mostWaiting {
                queue.text += lines
            } else {
                queue.dropped += count
            }
        }
        queue.signal()
    }

    /// Waits until everything is written, for so many milliseconds at most; then nothing more is.
    public func close(milliseconds: Int32 = 1_000) {
        queue.withLock { $0.isClosing = true }
        queue.signal()
        end.wait(milliseconds: milliseconds)
    }

    private func run() {
        var text: [UInt8] = []
        while takeWaiting(&text) {
            do throws(SystemError) {
                try writeAll(text, to: descriptor)
            } catch {
                let lost = text.count { $0 == UInt8(ascii: "\n") }
                queue.withLock { $0.dropped += lost }
            }
            if text.count < Self.fewBytes { pause(milliseconds: Self.pauseMilliseconds) }
        }
        end.give()
    }

    /// Waits for lines; false when it is closed and all is written.
    private func takeWaiting(_ text: inout [UInt8]) -> Bool {
        text.removeAll(keepingCapacity: true)
        return queue.withLock(when: { !$0.text.isEmpty || $0.isClosing }) { queue in
            guard !queue.text.isEmpty else { return false }
            swap(&text, &queue.text)
            if queue.dropped > 0 { LogLine.append(dropped: queue.dropped, to: &text) }
            queue.dropped = 0
            return true
        }
    }
}
