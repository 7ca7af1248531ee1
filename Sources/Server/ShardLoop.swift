import Addresses
import Posix
import Transport
import Wire

/// A shard on a loop and a thread of its own: reads, sends, and decides nothing.
///
/// Unchecked, because all but the mailbox and the loop belongs to that thread, from `start` to
/// `stop`.
final class ShardLoop: @unchecked Sendable {
    /// Nothing is read while the saleroom has not taken more bytes than this.
    private static let mostUntaken = 1 << 20
    /// A turn that has read more bytes than this leaves the other connections to a later one.
    private static let mostRead = 1 << 20

    let mailbox: Mailbox
    let loop: EventLoop
    private let shard: Shard
    private let wakeSaleroom: @Sendable () -> Void
    private var thread: Thread?

    private var orders = Orders()
    private var arrivals = Arrivals()
    /// Whether reading is paused because too much input waits for the saleroom.
    private var isAhead = false
    /// Who is to be read from no more, or again: after this turn's reading, for whoever is silent
    /// and yet reported has gone.
    private var silences: [(handle: Handle, isSilent: Bool)] = []
    private var isDrainAsked = false
    private var readBuffer = [UInt8](repeating: 0, count: Connections.readBytes)

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

    /// Carries out the orders since the last time.
    private func takeOrders() {
        let (untaken, wasBehind) = mailbox.take(&orders)
        if wasBehind { wakeSaleroom() }
        isAhead = untaken > Self.mostUntaken
        var text = orders.text[...]
        for order in orders.list { obey(order, &text) }
    }

    private func obey(_ order: Orders.Order, _ text: inout ArraySlice<UInt8>) {
        switch order {
        case .adopt(let descriptor, let address): adopt(descriptor, from: address)
        case .append(let count, let format):
            shard.append(text.prefix(count), as: format)
            text = text.dropFirst(count)
        case .perform(let effect):
            shard.perform(effect)
            if case .close(let id, _) = effect, shard.connections.isOpen(id.handle) {
                arrivals.append(.finishing(id.handle))
            }
        case .silence(let handle): silences.append((handle, true))
        case .unsilence(let handle): silences.append((handle, false))
        case .closeOneFinishing: _ = shard.connections.closeOneFinishing()
        case .drain: isDrainAsked = true
        }
    }

    private func adopt(_ descriptor: Int32, from address: PeerAddress) {
        do throws(SystemError) {
            arrivals.append(.joined(try shard.connections.adopt(descriptor), address))
        } catch {
            arrivals.append(.refused(error))
        }
    }

    /// Whether bytes read now would only wait.
    private var isFull: Bool { isAhead || arrivals.bytes.count > Self.mostRead }

    /// Reads from a connection, unless what was read would only wait.
    private func hear(_ readiness: Readiness) {
        let handle = readiness.handle
        if readiness.isWritable { shard.connections.writable(handle) }
        guard readiness.isReadable else { return }
        if shard.connections.isSilenced(handle) { return lose(handle) }
        if isFull || !shard.connections.mayReadReady {
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

    /// Reads no more from whom it was told, or again.
    private func obeySilences() {
        for (handle, isSilent) in silences {
            if isSilent {
                shard.connections.silence(handle)
            } else {
                shard.connections.unsilence(handle)
            }
        }
        silences.removeAll(keepingCapacity: true)
    }

    private func lose(_ handle: Handle) {
        guard shard.connections.isOpen(handle) else { return }
        forget(handle)
    }

    private func forget(_ handle: Handle) {
        shard.close(handle)
        arrivals.append(.lost(handle))
    }

    /// Reports who fell out of the feed, and who is gone.
    private func noteFallenAndEnded() {
        for handle in shard.connections.takeFallen() { arrivals.append(.fallen(handle)) }
        for ending in shard.connections.takeEnded() {
            if ending.cause == .stalled { arrivals.append(.stalled(ending.handle)) }
            forget(ending.handle)
        }
    }

    /// Reports who has been sent what they asked for, and that everybody has been sent everything.
    private func noteSent() {
        for handle in shard.connections.takePauseChanges() {
            let isPaused = shard.connections.isPaused(handle)
            arrivals.append(isPaused ? .paused(handle) : .unpaused(handle))
        }
        for sent in shard.takeConfirmed() { arrivals.append(.sent(sent.handle, sent.number)) }
        if isDrainAsked && shard.connections.pendingBytes == 0 {
            isDrainAsked = false
            arrivals.append(.drained)
        }
    }
}
