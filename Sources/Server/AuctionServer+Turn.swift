import AuctionRules
import Posix
import Reactive
import Saleroom
import ServerCore
import Transport
import Wire

extension AuctionServer {
    /// Serves one turn: read, step, publish, send.
    ///
    /// Everything that one poll found is read, in this turn or, if there is no room, in the next
    /// ones. Time advances to `polledAt`, the instant at which that poll began: it has found
    /// everything that arrived until then. What the turn handles has the time of now. So a turn's
    /// work is finite, whatever arrives meanwhile.
    ///
    /// Returns when the next is due. That may be an instant
    /// between `polledAt` and now; then the next poll does not sleep.
    func turn(_ ready: [Readiness], polledAt: Instant) throws -> Instant? {
        let now = Instant.now
        try read(ready, polledAt: polledAt)
        try acceptor.expire(at: now)
        for (index, other) in others.enumerated() {
            other.hasConnections = core.connectionCount(of: index + 1) > 0
            try other.report(into: &reports[index + 1])
        }
        let outputs = core.step(&reports, at: now, timeOfDay: wallClockMilliseconds())
        logConnections(outputs)
        for batch in outputs.durable {
            publish(batch)
            core.published(batch, at: .now)
        }
        for effect in outputs.effects { perform(effect) }
        for command in outputs.commands { output(command.loop).execute(command) }
        for other in others { other.handOver() }
        shard.send(at: now)
        if outputs.hasFreedDescriptors { try acceptor.resume() }
        writeLog(outputs, at: now)
        return nextTurn(after: outputs, at: now)
    }

    /// Reads the connections of the actor's own loop, accepts new ones, and takes signals.
    private func read(_ ready: [Readiness], polledAt: Instant) throws {
        shard.beginReading(
            polledAt: polledAt, isAhead: core.isFull || !reports[0].events.isEmpty)
        for readiness in ready {
            if acceptor.contains(readiness.handle) {
                try acceptConnections(from: readiness.handle)
            } else if readiness.handle == signals?.handle {
                takeSignals()
            } else {
                shard.heed(readiness)
            }
        }
        shard.report(into: &reports[0])
    }

    private func acceptConnections(from listener: Handle) throws {
        try acceptor.accept(from: listener, log) { socket, address in
            guard let loop = core.placeNewcomer(isLocal: address == .local) else { return false }
            output(loop).adopt(socket, from: address)
            return true
        }
        limitLog.note(.full, count: acceptor.takeRefused())
    }

    /// The connections of a loop: the actor's own directly, the others through their mailboxes.
    private func output(_ loop: Int) -> any ShardOutput {
        loop == 0 ? shard : others[loop - 1]
    }

    // Publishing

    /// Publishes what is durable: news through the subjects, replies to their connections.
    private func publish(_ batch: Batch) {
        var lines = batch.news.makeIterator()
        for (index, effect) in batch.effects.enumerated() {
            if case .news(let message, let seq) = effect, let line = lines.next() {
                subject(of: message).notify(News(index, of: batch, line: line, seq: seq))
            } else {
                perform(effect)
            }
        }
    }

    private func perform(_ effect: Effect) {
        guard let id = effect.session else { return }
        output(id.loop).perform(effect)
    }

    /// The subject whose observers a message concerns.
    private func subject(of message: ServerMessage) -> Subject<News> {
        switch message {
        case .price, .voided: price
        case .countdown, .last, .paused, .resumed: countdown
        case .winner: winner
        default: calls
        }
    }

    // The end of a turn

    /// Writes what the log says of connections, before the news that follows from it.
    private func logConnections(_ outputs: StepOutputs) {
        for event in outputs.sessionEvents { log.write(event) }
        for reason in outputs.refusals {
            log.write(limited: .warning, .turnedAway) { $0.add("reason", reason) }
        }
    }

    /// Writes what else the log says of the turn, and hands it over.
    private func writeLog(_ outputs: StepOutputs, at now: Instant) {
        for upkeep in journal?.takeUpkeep() ?? [] { log.write(upkeep) }
        for (limit, count) in outputs.limitsReached { limitLog.note(limit, count: count) }
        limitLog.expire(at: now, log)
        log.handOver()
    }

    private func nextTurn(after outputs: StepOutputs, at now: Instant) -> Instant? {
        if endsWithFirstLot, !core.isClosing, sales.first != nil || core.isOver {
            core.shutDown(at: now)
            return now
        }
        if core.isClosing { acceptor.close() }
        if core.isFinished { loop.stop() }
        let canRead = !core.isFull && shard.isHolding
        if shard.isBusy || outputs.canContinue || canRead { return now }
        let withheld = log.hasWithheld ? now.advanced(by: .seconds(1)) : nil
        let logging = Instant.earliest(limitLog.deadline, withheld)
        let listening = Instant.earliest(shard.deadline, acceptor.deadline)
        return Instant.earliest(core.deadline, Instant.earliest(logging, listening))
    }
}

/// The observer that notes the first lot sold.
final class SaleRecord: Sendable {
    private let record: Locked<SoldLot?>

    /// Begins with a sale that was made before, or without one.
    init(_ first: SoldLot? = nil) {
        record = Locked(first)
    }

    /// The first sale; nil before it.
    var first: SoldLot? { record.withLock { $0 } }

    /// Notes news of a winner.
    func receive(_ news: News) {
        guard case .winner(let sale) = news.message else { return }
        record.withLock { $0 = $0 ?? sale }
    }
}
