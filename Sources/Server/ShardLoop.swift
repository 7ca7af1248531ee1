import Auction
import Basics
import House
import Posix
import Transport

/// A shard on a loop and a thread of its own.
///
/// Unchecked: from `start` to `stop`, everything but the mailbox and the loop belongs to that thread.
final class ShardLoop: @unchecked Sendable {
    /// Nothing is read while the server's loop has not taken more bytes than this.
    ///
    /// Until the server's loop silences a connection, this is what is read of it and then stored.
    private static let untakenByteLimit = 16 << 10

    let mailbox = Mailbox()
    let loop: EventLoop
    private let shard: Shard
    private let wakeServer: @Sendable () -> Void
    private var thread: Thread?
    private var commands = ShardCommands()
    private var report = LoopReport()

    /// - Throws: `SystemError` if no descriptor is left.
    init(
        number: Int, poller: PollerKind, _ limits: ConnectionLimits,
        wakeServer: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        loop = try EventLoop(poller: poller)
        shard = Shard(loop, number: number, limits)
        self.wakeServer = wakeServer
    }

    /// Starts the thread.
    ///
    /// - Throws: `SystemError` if the machine has no thread left.
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
            wakeServer()
        }
    }

    /// Runs one turn, and returns when the next is due.
    private func turn(_ ready: [Readiness], polledAt: Instant) -> Instant? {
        let now = Instant.now
        let (untaken, hadBacklog) = mailbox.take(&commands)
        if hadBacklog { wakeServer() }
        commands.execute(on: shard)
        shard.beginReading(polledAt: polledAt, isAhead: untaken > Self.untakenByteLimit)
        for readiness in ready { shard.heed(readiness) }
        shard.send(at: now)
        shard.report(into: &report)
        let (isNews, mustTurn) = mailbox.report(
            &report.events, readUntil: report.readUntil?.nanoseconds, isHolding: shard.isHolding,
            figures: shard.figures)
        if isNews { wakeServer() }
        return shard.isBusy || mustTurn ? now : shard.deadline
    }
}
