import Basics
import Posix

/// A thread that waits for descriptors, and on which an actor lives.
///
/// The thread that calls `run` is the loop's thread. Each turn is one wait, then the actor's jobs
/// in the order they came, then the caller's closure. An actor whose `unownedExecutor` is this loop
/// can be entered from that closure with `assumeIsolated`, without a hop.
///
/// Unchecked, because the poller, the table and the arrays belong to the loop's thread alone;
/// everything that other threads may touch is in the inbox, which is `Sendable`.
///
/// Source: SE-0392, SE-0424 and SE-0471.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
    private let inbox: Inbox
    private let poller: any Poller
    private var table = HandleTable()
    private let wakeHandle: Handle
    private var ready: [Readiness] = []
    private var jobs: [UnownedJob] = []

    /// Creates a loop that no thread runs yet.
    ///
    /// - Throws: `SystemError` when there is no descriptor left.
    public init(poller kind: PollerKind = .standard) throws(SystemError) {
        inbox = try Inbox()
        poller = try kind.makePoller()
        wakeHandle = table.insert(inbox.signal.descriptor, .readable)
        try poller.add(inbox.signal.descriptor, for: .readable, handle: wakeHandle)
    }

    /// Starts to wait for a descriptor, which stays the caller's to close, after `deregister`.
    ///
    /// Only the loop's thread may call this, or any thread while none runs the loop; the same holds
    /// for `change` and `deregister`.
    ///
    /// - Throws: `SystemError` when the kernel will not watch the descriptor.
    public func register(
        _ descriptor: Int32, for interest: Interest
    ) throws(SystemError) -> Handle {
        requireOwnership()
        let handle = table.insert(descriptor, interest)
        do {
            try poller.add(descriptor, for: interest, handle: handle)
        } catch {
            table.remove(handle)
            throw error
        }
        return handle
    }

    /// Waits for something else from now on; no system call if it is the same.
    ///
    /// - Throws: `SystemError` when the kernel has no memory left for it.
    public func change(_ handle: Handle, to interest: Interest) throws(SystemError) {
        requireOwnership()
        guard let descriptor = table.descriptor(of: handle) else {
            preconditionFailure("a stale handle has no interest to change")
        }
        guard table.setInterest(of: handle, to: interest) else { return }
        try poller.change(descriptor, to: interest, handle: handle)
    }

    /// Stops waiting and makes the handle stale: nothing that is already on its way is reported.
    public func deregister(_ handle: Handle) {
        requireOwnership()
        guard let descriptor = table.descriptor(of: handle) else {
            preconditionFailure("a handle is deregistered once")
        }
        poller.remove(descriptor, handle: handle)
        table.remove(handle)
    }

    /// Runs turns on the calling thread until `stop`; each returns when it next wants waking.
    ///
    /// Returns true if the loop was stopped. Returns false when `mayContinue`, which is called
    /// after each turn, is false: then the loop is to be run again soon, on any thread.
    ///
    /// Nil waits for descriptors and jobs alone. The first turn comes at
    /// once, without waiting. A handle in the array may turn stale by what the turn does. The loop
    /// can be run again afterwards.
    ///
    /// The turn is also given `polledAt`, the time right before the wait: everything that had
    /// arrived by then is in the array. Input may arrive between the end of the wait and a later
    /// reading of the clock, so that instant proves nothing. A wait that slept until a deadline
    /// began before it. To learn what has arrived by the deadline, return it once more: the next
    /// wait does not sleep, and begins after it.
    ///
    /// - Throws: `SystemError` when the wait fails, or whatever a turn throws.
    @discardableResult
    public func run(
        while mayContinue: () -> Bool = { true },
        _ turn: (_ ready: [Readiness], _ polledAt: Instant) throws -> Instant?
    ) throws -> Bool {
        inbox.takeOwnership()
        defer { inbox.giveUpOwnership() }
        var deadline: Instant? = .distantPast
        while !inbox.takeStop() {
            let polledAt = Instant.now
            try wait(until: deadline, from: polledAt)
            runJobs()
            dropStale()
            deadline = try turn(ready, polledAt)
            guard mayContinue() else { return false }
        }
        inbox.endSleep(taking: &jobs)
        runJobs()
        return true
    }

    /// Makes `run` return after the turn it is in; from any thread.
    public func stop() {
        inbox.stop()
    }

    /// Makes the loop turn once more without waiting; from any thread.
    public func wake() {
        inbox.wake()
    }

    /// Puts a job of the actor behind those already waiting; from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        inbox.enqueue(UnownedJob(job))
    }

    /// Whether the caller is on the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? {
        inbox.isOwned(else: false)
    }

    /// Stops the process unless the caller is on the loop's thread.
    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the thread of the event loop")
    }

    private func requireOwnership() {
        precondition(inbox.isOwned(else: true), "not on the thread of the event loop")
    }

    private func wait(until deadline: Instant?, from now: Instant) throws(SystemError) {
        ready.removeAll(keepingCapacity: true)
        let timeout = inbox.canSleep() ? nanoseconds(until: deadline, from: now) : 0
        try poller.wait(nanoseconds: timeout, into: &ready)
        inbox.endSleep(taking: &jobs)
    }

    private func runJobs() {
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        jobs.removeAll(keepingCapacity: true)
    }

    /// A job may have closed what the wait found ready.
    private func dropStale() {
        ready.removeAll { [inbox, wakeHandle, table] readiness in
            if readiness.handle == wakeHandle { inbox.signal.drain() }
            return readiness.handle == wakeHandle || !table.contains(readiness.handle)
        }
    }
}
