import House
import Posix

/// The commands and events that the server's loop and the loop of a shard exchange.
///
/// One lock. The reader swaps its emptied arrays for the full ones, so no memory is allocated.
package final class Mailbox: Sendable {
    /// The bytes of news, and the commands, above which the server's loop handles no input.
    ///
    /// It continues when the shard has taken them from the mailbox.
    private static let (backlogBytes, backlogCommands) = (64 * 1024, 32 * 1024)

    private struct State {
        var commands = ShardCommands()
        var events = ConnectionEvents()
        /// What reached the shard until this instant is among the events, or was taken.
        var readUntil: Int64 = .min
        /// The instant for which a report is requested; nil if none is.
        var requestedUntil: Int64?
        /// Whether the shard waits to read until its events are taken.
        var isHolding = false
        var failure: (any Error)?
        /// What the shard had counted at its last report.
        var figures = ShardFigures()

        var hasBacklog: Bool {
            commands.textBytes > Mailbox.backlogBytes
                || commands.count > Mailbox.backlogCommands
        }
    }

    private let state = Locked(State())

    package init() {}

    // The server's side

    /// Adds commands, and empties the list.
    package func add(_ commands: inout ShardCommands) {
        state.withLock { state in
            if state.commands.isEmpty {
                swap(&state.commands, &commands)
            } else {
                state.commands.append(commands)
            }
        }
        commands.removeAll()
    }

    /// Whether too many commands wait for the shard to handle more input.
    ///
    /// - Throws: What ended the shard.
    package func hasBacklog() throws -> Bool {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.hasBacklog
        }
    }

    /// Asks the shard for one report once it has read everything that arrived until an instant.
    ///
    /// It reports even if nothing arrived. While it waits for the server's loop it does not report,
    /// so that two waiting loops do not wake each other.
    package func requestReport(until instant: Int64) {
        state.withLock { $0.requestedUntil = instant }
    }

    /// Takes the events; returns until when they are complete, and whether the shard waits for this.
    ///
    /// - Throws: What ended the shard.
    package func take(_ events: inout ConnectionEvents) throws -> (
        readUntil: Int64, wasHolding: Bool
    ) {
        events.removeAll()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            swap(&events, &state.events)
            defer { state.isHolding = false }
            return (state.readUntil, state.isHolding)
        }
    }

    /// What the shard had counted at its last report.
    package var figures: ShardFigures { state.withLock { $0.figures } }

    // The shard's side

    /// Takes the commands.
    ///
    /// Returns how many bytes of its events were not taken, and whether there was a backlog, so that
    /// the server's loop must be woken.
    package func take(_ commands: inout ShardCommands) -> (untaken: Int, hadBacklog: Bool) {
        commands.removeAll()
        return state.withLock { state in
            let hadBacklog = state.hasBacklog
            swap(&commands, &state.commands)
            return (state.events.bytes.count, hadBacklog)
        }
    }

    /// Adds events, which are complete until `readUntil` if that is not nil.
    ///
    /// Returns whether the server's loop must be woken, and whether the shard should turn again at
    /// once: because it no longer needs to wait, or because a report for a later instant is
    /// requested.
    package func report(
        _ events: inout ConnectionEvents, readUntil: Int64?, isHolding: Bool,
        figures: ShardFigures = ShardFigures()
    ) -> (isNews: Bool, mustTurn: Bool) {
        defer { events.removeAll() }
        return state.withLock { state in
            var (isReport, isEarly) = (false, false)
            if let requested = state.requestedUntil, let readUntil {
                (isReport, isEarly) = (readUntil >= requested, readUntil < requested)
            }
            let isNews = !events.isEmpty || isReport
            if state.events.isEmpty {
                swap(&state.events, &events)
            } else {
                state.events.append(events)
            }
            if isReport { state.requestedUntil = nil }
            (state.isHolding, state.figures) = (isHolding, figures)
            if let readUntil { state.readUntil = readUntil }
            return (isNews, isEarly || isHolding && state.events.isEmpty)
        }
    }

    /// Records that the loop of the shard has ended with an error.
    package func fail(_ error: any Error) {
        state.withLock { $0.failure = error }
    }
}
