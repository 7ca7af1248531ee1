import Posix
import Wire

/// The thread that writes the log, and the lines that wait for it.
///
/// Adding lines never blocks: with 1 MiB waiting for a stalled reader, further lines are dropped,
/// and their number is written as soon as it reads again. If nobody reads, everything is dropped.
public final class LogWriter: Sendable {
    /// After a write of fewer bytes than this, the thread pauses while lines gather.
    ///
    /// So it does not wake up for each bid.
    private static let (smallWriteBytes, pauseMilliseconds) = (64 * 1024, 5 as Int32)

    private struct Queue {
        var text: [UInt8] = []
        var dropped = 0
        var isClosing = false
    }

    private let descriptor: Int32
    private let waitingByteLimit: Int
    private let queue = Locked(Queue())
    private let end: WakeSignal

    /// Begins to write to a descriptor, which stays the caller's.
    ///
    /// - Throws: `SystemError` when the machine has no thread or no descriptor left.
    public convenience init(to descriptor: Int32) throws(SystemError) {
        try self.init(to: descriptor, waitingByteLimit: 1 << 20)
    }

    package init(to descriptor: Int32, waitingByteLimit: Int) throws(SystemError) {
        self.descriptor = descriptor
        self.waitingByteLimit = waitingByteLimit
        end = try WakeSignal()
        // Nobody waits for the thread for ever: its reader may have stalled.
        try Thread { self.run() }.detach()
    }

    /// Adds a text, whose last line needs no end.
    public func write(_ text: String) {
        add(Array((text + "\n").utf8), count: 1)
    }

    /// Adds `count` whole lines, or drops them all.
    package func add(_ lines: [UInt8], count: Int) {
        queue.withLock { queue in
            if queue.text.isEmpty || queue.text.count + lines.count <= waitingByteLimit {
                queue.text += lines
            } else {
                queue.dropped += count
            }
        }
        queue.signal()
    }

    /// Waits until everything is written, for at most `milliseconds`; afterwards nothing more is.
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
            if text.count < Self.smallWriteBytes { pause(milliseconds: Self.pauseMilliseconds) }
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
