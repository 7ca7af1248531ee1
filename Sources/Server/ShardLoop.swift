import Posix
import Transport

/// A shard on a loop and a thread of its own: reads, sends, and decides nothing.
///
/// Unchecked, because all but the mailbox and the loop belongs to that thread, from `start` to
/// `stop`.
final class ShardLoop: @unchecked Sendable {
    /// With so many bytes that the saleroom has not taken, no more is read.
    private static let mostUntaken = 1 << 20

    let mailbox: Mailbox
    let loop: EventLoop
    private let shard: Shard
    private let wakeSaleroom: @Sendable () -> Void
    private var thread: Thread?

    private var orders = Orders()
    private var arrivals = Arrivals()
    private var untaken = 0
    private var isHolding = false
    /// Who is not read from before the saleroom says so.
    private var awaited: Set<Handle> = []
    /// Of these, who is to be reported ready.
    private var asked: [Handle] = []
    private var isDrainAsked = false
    private var readBuffer = [UInt8](repeating: 0, count: Connections.readBytes)

    /// - Throws: `SystemError` when there is no descriptor left.
    init(poller: PollerKind, wakeSaleroom: @escaping @Sendable () -> Void) throws(SystemError) {
        mailbox = Mailbox()
        loop = try EventLoop(poller: poller)
        shard = Shard(loop)
        self.wakeSaleroom = wakeSaleroom
    }

    /// Begins to serve, on a new thread.
    ///
    /// - Throws: `SystemError` when the machine has no thread left.
    func start() throws(SystemError) {
        thread = try Thread { self.run() }
    }

    /// Ends the thread, and waits for that; what has not been sent is not sent any more.
    func stop() {
        loop.stop()
        thread.take()?.join()
    }

    private func run() {
        do {
            try loop.run { turn($0) }
        } catch {
            mailbox.fail(error)
            wakeSaleroom()
        }
    }

    /// Serves one turn, and returns when the next is due.
    private func turn(_ ready: [Readiness]) -> Int64? {
        let now = monotonicNanoseconds()
        takeOrders()
        for readiness in ready { hear(readiness) }
        shard.connections.expire(at: now)
        shard.flush()
        noteFallenAndEnded()
        noteReady()
        let isNews = mailbox.report(&arrivals, heardUntil: now, isHolding: isHolding)
        if isNews { wakeSaleroom() }
        return shard.connections.isBehind ? now : shard.connections.deadline
    }

    private func takeOrders() {
        let (untaken, wasBehind) = mailbox.take(&orders)
        self.untaken = untaken
        if wasBehind { wakeSaleroom() }
        if isHolding && untaken == 0 {
            isHolding = false
            shard.connections.releaseHeld()
        }
        var text = orders.text[...]
        for order in orders.list { obey(order, &text) }
    }

    private func obey(_ order: Orders.Order, _ text: inout ArraySlice<UInt8>) {
        switch order {
        case .adopt(let descriptor): adopt(descriptor)
        case .append(let count, let format):
            shard.append(text.prefix(count), as: format)
            text = text.dropFirst(count)
        case .perform(let effect): shard.perform(effect)
        case .await(let handle):
            awaited.insert(handle)
            asked.append(handle)
        case .resume(let handle):
            awaited.remove(handle)
            if !isHolding { shard.connections.releaseHeld() }
        case .drain: isDrainAsked = true
        }
    }

    private func adopt(_ descriptor: Int32) {
        do throws(SystemError) {
            arrivals.append(.joined(try shard.connections.adopt(descriptor)))
        } catch {
            arrivals.append(.refused(error))
        }
    }

    private func hear(_ readiness: Readiness) {
        let handle = readiness.handle
        if readiness.isWritable { shard.connections.writable(handle) }
        guard readiness.isReadable else { return }
        if untaken + arrivals.bytes.count > Self.mostUntaken { isHolding = true }
        if isHolding || awaited.contains(handle) {
            if !shard.connections.hold(handle) { lose(handle) }
        } else {
            read(handle)
        }
    }

    private func read(_ handle: Handle) {
        let outcome = readBuffer.withUnsafeMutableBytes { shard.connections.read(handle, into: $0) }
        switch outcome {
        case .bytes(let count): arrivals.append(readBuffer[..<count], from: handle)
        case .wouldBlock: break
        case .end: arrivals.append(.ended(handle))
        case .reset: lose(handle)
        }
    }

    private func lose(_ handle: Handle) {
        guard shard.connections.isOpen(handle) else { return }
        forget(handle)
    }

    private func forget(_ handle: Handle) {
        shard.close(handle)
        awaited.remove(handle)
        arrivals.append(.lost(handle))
    }

    private func noteFallenAndEnded() {
        for handle in shard.connections.takeFallen() { arrivals.append(.fallen(handle)) }
        for ending in shard.connections.takeEnded() { forget(ending.handle) }
    }

    private func noteReady() {
        asked.removeAll { handle in
            if shard.connections.isPaused(handle) { return false }
            arrivals.append(.ready(handle))
            return true
        }
        if isDrainAsked && shard.connections.pendingBytes == 0 {
            isDrainAsked = false
            arrivals.append(.drained)
        }
    }
}
