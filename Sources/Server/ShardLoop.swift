import Posix
import Transport

/// A shard on a loop and a thread of its own: reads, sends, and decides nothing.
///
/// Unchecked, because all but the mailbox and the loop belongs to that thread, from `start` to
/// `stop`.
final class ShardLoop: @unchecked Sendable {
    let mailbox: Mailbox
    let loop: EventLoop
    let shard: Shard
    let wakeSaleroom: @Sendable () -> Void
    private var thread: Thread?

    var orders = Orders()
    var arrivals = Arrivals()
    /// Whether reading is paused because too much input waits for the saleroom.
    var isAhead = false
    /// Who is to be read from no more, or again: after this turn's reading, for whoever is silent
    /// and yet reported has gone.
    var silences: [(handle: Handle, isSilent: Bool)] = []
    var isDrainAsked = false
    var readBuffer = [UInt8](repeating: 0, count: Connections.readBytes)

    /// - Throws: `SystemError` when there is no descriptor left.
    init(
        poller: PollerKind, _ limits: ConnectionLimits,
        wakeSaleroom: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        mailbox = Mailbox()
        loop = try EventLoop(poller: poller)
        shard = Shard(loop, limits)
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
            try loop.run { turn($0, polledAt: $1) }
        } catch {
            mailbox.fail(error)
            wakeSaleroom()
        }
    }

    /// Serves one turn, and returns when the next is due.
    private func turn(_ ready: [Readiness], polledAt: Int64) -> Int64? {
        let now = monotonicNanoseconds()
        takeOrders()
        shard.connections.beginRound(at: polledAt)
        while !isFull, let handle = shard.connections.takeHeld() { read(handle) }
        for readiness in ready { hear(readiness) }
        obeySilences()
        shard.connections.expire(at: now)
        shard.flush()
        noteFallenAndEnded()
        noteSent()
        let (isNews, mustTurn) = mailbox.report(
            &arrivals, heardUntil: shard.connections.readUntil,
            isHolding: shard.connections.hasHeld)
        if isNews { wakeSaleroom() }
        return shard.connections.isBehind || mustTurn ? now : shard.connections.deadline
    }
}
