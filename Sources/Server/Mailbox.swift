import Posix

/// What the saleroom's loop and that of a shard hand each other, under one lock.
///
/// Whoever takes gives empty arrays in exchange, whose memory is used next.
package final class Mailbox: Sendable {
    /// With more bytes of news, or more orders, that the shard has not taken it is behind: nobody
    /// should be heard before it has.
    private static let (mostBytesAhead, mostOrdersAhead) = (64 * 1024, 32 * 1024)

    private struct State {
        var orders = Orders()
        var arrivals = Arrivals()
        /// Whatever reached the shard by then is among the arrivals, or was before.
        var heardUntil: Int64 = .min
        /// The instant until which the shard is asked to have read everything; nil if it is not.
        var wantedUntil: Int64?
        /// Whether the shard does not read until its arrivals are taken.
        var isHolding = false
        var failure: (any Error)?

        var isBehind: Bool {
            orders.text.count > Mailbox.mostBytesAhead
                || orders.list.count > Mailbox.mostOrdersAhead
        }
    }

    private let state = Locked(State())

    package init() {}

    // The saleroom's side

    package func give(_ orders: inout Orders) {
        state.withLock { state in
            if state.orders.isEmpty {
                swap(&state.orders, &orders)
            } else {
                state.orders.append(orders)
            }
        }
        orders.removeAll()
    }

    /// Whether the shard has so much to take that nobody should be heard before it has.
    ///
    /// - Throws: What ended the shard.
    package func isBehind() throws -> Bool {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.isBehind
        }
    }

    /// Asks the shard for a report when it has read everything that arrived until an instant, even
    /// if there was nothing.
    ///
    /// It reports once, and not while it waits for the saleroom, so that two waiting loops do not
    /// wake each other.
    package func wantReport(until instant: Int64) {
        state.withLock { $0.wantedUntil = instant }
    }

    /// Takes what has arrived: until when everything was heard, and whether the shard waits for
    /// this.
    ///
    /// - Throws: What ended the shard.
    package func take(_ arrivals: inout Arrivals) throws -> (heardUntil: Int64, wasHolding: Bool) {
        arrivals.removeAll()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            swap(&arrivals, &state.arrivals)
            defer { state.isHolding = false }
            return (state.heardUntil, state.isHolding)
        }
    }

    // The shard's side

    /// Takes what is to be done; how many bytes it has reported that were not taken, and whether it
    /// was behind, so that the saleroom is to be woken.
    package func take(_ orders: inout Orders) -> (untaken: Int, wasBehind: Bool) {
        orders.removeAll()
        return state.withLock { state in
            let wasBehind = state.isBehind
            swap(&orders, &state.orders)
            return (state.arrivals.bytes.count, wasBehind)
        }
    }

    /// Reports what has arrived, and until when that is everything, if it is.
    ///
    /// Returns whether the saleroom is to be woken for it, and whether the shard should turn again
    /// at once: because it holds and need do so no longer, or because it is asked for a later
    /// instant.
    package func report(
        _ arrivals: inout Arrivals, heardUntil: Int64?, isHolding: Bool
    ) -> (isNews: Bool, mustTurn: Bool) {
        defer { arrivals.removeAll() }
        return state.withLock { state in
            var (isReport, isEarly) = (false, false)
            if let wanted = state.wantedUntil, let heardUntil {
                (isReport, isEarly) = (heardUntil >= wanted, heardUntil < wanted)
            }
            let isNews = !arrivals.isEmpty || isReport
            if state.arrivals.isEmpty {
                swap(&state.arrivals, &arrivals)
            } else {
                state.arrivals.append(arrivals)
            }
            if isReport { state.wantedUntil = nil }
            state.isHolding = isHolding
            if let heardUntil { state.heardUntil = heardUntil }
            return (isNews, isEarly || isHolding && state.arrivals.isEmpty)
        }
    }

    package func fail(_ error: any Error) {
        state.withLock { $0.failure = error }
    }
}
