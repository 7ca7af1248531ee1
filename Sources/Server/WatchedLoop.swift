import Auction
import Basics
import Posix
import Transport

/// An event loop whose thread writes to the journal itself, while another thread watches it.
///
/// A bid is answered soonest when the loop's thread writes it: no other thread has to wake. But a
/// write takes as long as the disk hangs, and the countdown must go on meanwhile. So the loop runs
/// on a worker thread, which leaves it for each write. If a write takes longer than
/// `WriteWatch.patienceNanoseconds`, the thread that called `run` takes the loop over, and leaves
/// all writes to the journal's thread. It gives the loop back when the worker has returned from the
/// write.
package final class WatchedLoop: Sendable {
    /// A turn of `EventLoop.run`, on either thread.
    package typealias Turn =
        @Sendable (_ ready: [Readiness], _ polledAt: Instant) throws -> Instant?

    private struct State {
        var watch = WriteWatch()
        /// Whether the watcher has the loop, or is about to have it.
        var isTakenOver = false
        /// Whether the worker waits to have the loop back.
        var isWorkerBack = false
        /// How the loop ended; nil while it runs.
        var end: Result<Void, any Error>?
    }

    private let loop: EventLoop
    private let writer: any InlineWriter
    private let turn: Turn
    private let state = Locked(State())
    /// Given to the watcher when it sleeps and there is something to watch, or the loop has ended.
    private let signal: WakeSignal

    /// Prepares to run a loop that nobody runs yet.
    ///
    /// - Throws: `SystemError` when there is no descriptor left.
    package init(
        _ loop: EventLoop, _ writer: any InlineWriter, turn: @escaping Turn
    ) throws(SystemError) {
        (self.loop, self.writer, self.turn) = (loop, writer, turn)
        signal = try WakeSignal()
    }

    /// Runs the loop until it is stopped; the calling thread watches.
    ///
    /// Does not wait for a write that hangs when the loop is stopped.
    ///
    /// - Throws: What the loop throws, or `SystemError` when the machine has no thread left.
    package func run() throws {
        let worker = try Thread { self.work() }
        writer.allowInline(true)
        while let look = look() {
            switch look {
            case .sleep(let milliseconds):
                signal.wait(milliseconds: milliseconds ?? -1)
                signal.drain()
            case .takeOver: takeOver()
            }
        }
        let (end, isWriting) = state.withLock { ($0.end, $0.watch.isWriting) }
        if isWriting { worker.detach() } else { worker.join() }
        try end?.get()
    }

    // The worker.

    private func work() {
        while true {
            guard lead(while: { [writer] in !writer.isInlineDue }) else { break }
            write()
            guard hasLoop() else { break }
        }
        signal.give()
    }

    private func write() {
        let mustSignal = state.withLock { $0.watch.begin(at: monotonicNanoseconds()) }
        if mustSignal { signal.give() }
        writer.writeInline()
    }

    /// Ends the write, and waits for the loop if the watcher has taken it; false if the loop has
    /// ended.
    private func hasLoop() -> Bool {
        let isTakenOver = state.withLock { state in
            state.watch.end()
            state.isWorkerBack = state.isTakenOver
            return state.isTakenOver
        }
        if isTakenOver { loop.wake() }
        return state.withLock(when: { !$0.isTakenOver || $0.end != nil }) { $0.end == nil }
    }

    // The watcher.

    /// Decides what to do now; nil once the loop has ended.
    private func look() -> WriteWatch.Look? {
        state.withLock { state in
            guard state.end == nil else { return nil }
            let look = state.watch.look(at: monotonicNanoseconds())
            state.isTakenOver = look == .takeOver
            return look
        }
    }

    private func takeOver() {
        writer.allowInline(false)
        let isRunning = lead(while: { [self] in state.withLock { !$0.isWorkerBack } })
        if isRunning { writer.allowInline(true) }
        state.withLock { ($0.isTakenOver, $0.isWorkerBack) = (false, false) }
        state.signal()
    }

    /// Runs the loop on the calling thread; false if it has ended.
    private func lead(while mayContinue: () -> Bool) -> Bool {
        do {
            guard try loop.run(while: mayContinue, turn) else { return true }
            state.withLock { $0.end = .success(()) }
        } catch {
            state.withLock { $0.end = .failure(error) }
        }
        return false
    }
}

/// What writes for a loop: a thread of its own, or inline the thread of the loop.
package protocol InlineWriter: Sendable {
    /// Lets small writes wait for `writeInline`, or leaves all to the writer's own thread.
    func allowInline(_ isAllowed: Bool)

    /// Whether something waits for `writeInline`.
    var isInlineDue: Bool { get }

    /// Writes what waits on the calling thread; may take as long as a disk can hang.
    func writeInline()
}

/// When a write takes too long, and how long the thread that watches may sleep.
///
/// Writes follow each other quickly or not at all. So the watcher looks at intervals while there
/// are writes, and is signalled only for the first.
package struct WriteWatch {
    /// The time after which a write takes too long.
    package static let patienceNanoseconds: Int64 = 5_000_000

    /// What the watcher does.
    package enum Look: Equatable {
        /// Sleep for this long, or until it is signalled; nil for no bound.
        case sleep(milliseconds: Int32?)
        /// Take the loop over, for a write takes too long.
        case takeOver
    }

    /// When the write that is under way began.
    private var began: Int64?
    /// Whether a write began since the watcher looked last.
    private var isActive = false
    /// Whether the watcher sleeps without a bound.
    private var isAsleep = false

    package init() {}

    /// Whether a write is under way.
    package var isWriting: Bool { began != nil }

    /// Begins a write; true if the watcher must be signalled.
    package mutating func begin(at now: Int64) -> Bool {
        defer { isAsleep = false }
        (began, isActive) = (now, true)
        return isAsleep
    }

    /// Ends the write.
    package mutating func end() {
        began = nil
    }

    /// Decides what the watcher does now.
    package mutating func look(at now: Int64) -> Look {
        let wasActive = isActive
        isActive = false
        if let began {
            let left = began + Self.patienceNanoseconds - now
            isActive = true
            return left > 0 ? .sleep(milliseconds: Int32((left + 999_999) / 1_000_000)) : .takeOver
        }
        isAsleep = !wasActive
        return .sleep(milliseconds: wasActive ? Int32(Self.patienceNanoseconds / 1_000_000) : nil)
    }
}
