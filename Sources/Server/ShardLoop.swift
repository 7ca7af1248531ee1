import Addresses
import Posix
import Transport
import Wire

/// A shard on a loop and a thread of its own: it reads and sends, and decides nothing.
///
/// Unchecked: from `start` to `stop`, everything but the mailbox and the loop belongs to that thread.
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

    private var commands = ShardCommands()
    private var events = ShardEvents()
    /// Whether reading is paused because too much input waits for the saleroom.
    private var isAhead = false
    /// The connections to silence or unsilence after this turn's reading; a connection that is
    /// silenced and yet reported readable has gone.
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

    /// Starts the thread.
    ///
    /// - Throws: `SystemError` when the machine has no thread left.
    func start() throws(SystemError) {
        thread = try Thread { self.run() }
    }

    /// Stops the thread and waits for its end; what is not sent by then is dropped.
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

    /// Runs one turn, and returns when the next is due.
    private func turn(_ ready: [Readiness], polledAt: Int64) -> Int64? {
        let now = monotonicNanoseconds()
        takeCommands()
        shard.connections.beginRound(at: polledAt)
        while !isFull, let handle = shard.connections.takeHeld() { read(handle) }
        for readiness in ready { hear(readiness) }
        applySilences()
        shard.connections.expire(at: now)
        shard.flush()
        noteFallenAndEnded()
        noteSent()
        let (isNews, mustTurn) = mailbox.report(
            &events, heardUntil: shard.connections.readUntil,
            isHolding: shard.connections.hasHeld)
        if isNews { wakeSaleroom() }
        return shard.connections.isBehind || mustTurn ? now : shard.connections.deadline
    }

    /// Takes and executes the commands.
    private func takeCommands() {
        let (untaken, wasBehind) = mailbox.take(&commands)
        if wasBehind { wakeSaleroom() }
        isAhead = untaken > Self.mostUntaken
        var text = commands.text[...]
        for command in commands.list { execute(command, &text) }
    }

    private func execute(_ command: ShardCommands.Command, _ text: inout ArraySlice<UInt8>) {
        switch command {
        case .adopt(let descriptor, let address): adopt(descriptor, from: address)
        case .append(let count, let format):
            shard.append(text.prefix(count), as: format)
            text = text.dropFirst(count)
        case .perform(let effect):
            shard.perform(effect)
            if case .close(let id, _) = effect, shard.connections.isOpen(id.handle) {
                events.append(.finishing(id.handle))
            }
        case .silence(let handle): silences.append((handle, true))
        case .unsilence(let handle): silences.append((handle, false))
        case .closeOneFinishing: _ = shard.connections.closeOneFinishing()
        case .drain: isDrainAsked = true
        }
    }

    private func adopt(_ descriptor: Int32, from address: PeerAddress) {
        do throws(SystemError) {
            events.append(.joined(try shard.connections.adopt(descriptor), address))
        } catch {
            events.append(.refused(error))
        }
    }

    /// Whether no more should be read in this turn.
    private var isFull: Bool { isAhead || events.bytes.count > Self.mostRead }

    /// Reads from a connection that is ready, or holds it until a later turn.
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
        case .bytes(let count): events.append(readBuffer[..<count], from: handle)
        case .wouldBlock: break
        case .end: events.append(.ended(handle))
        case .reset: lose(handle)
        }
    }

    /// Stops reading from connections, or reads from them again, as commanded.
    private func applySilences() {
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
        events.append(.lost(handle))
    }

    /// Reports the connections that fell behind the feed, and those that have closed.
    private func noteFallenAndEnded() {
        for handle in shard.connections.takeFallen() { events.append(.fallen(handle)) }
        for ending in shard.connections.takeEnded() {
            if ending.cause == .stalled { events.append(.stalled(ending.handle)) }
            forget(ending.handle)
        }
    }

    /// Reports pauses and confirmations, and whether everything is sent.
    private func noteSent() {
        for handle in shard.connections.takePauseChanges() {
            let isPaused = shard.connections.isPaused(handle)
            events.append(isPaused ? .paused(handle) : .unpaused(handle))
        }
        for sent in shard.takeConfirmed() { events.append(.sent(sent.handle, sent.number)) }
        if isDrainAsked && shard.connections.pendingBytes == 0 {
            isDrainAsked = false
            events.append(.drained)
        }
    }
}
