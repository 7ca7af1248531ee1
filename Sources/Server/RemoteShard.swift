import Addresses
import Posix
import Saleroom
import Transport
import Wire

/// The saleroom's side of a shard that runs on another loop.
///
/// Commands are gathered until `handOver`. Belongs to the thread of the saleroom's loop.
package final class RemoteShard: ShardOutput {
    package let number: Int
    /// The number of connections that it was given and has not lost.
    package private(set) var count = 0
    /// Everything that reached its connections until this instant is heard, in nanoseconds.
    package private(set) var heardUntil: Int64 = .min
    /// Whether it has sent everything, after `drain`.
    private(set) var isDrained = false
    /// Whether so many commands wait for it that no more input should be read until it takes them.
    private(set) var isBehind = false
    private let mailbox: Mailbox
    private let wake: () -> Void
    private var commands = ShardCommands()
    private var events = ShardEvents()
    /// The number of events that were handled, and of their bytes.
    private var used = (events: 0, bytes: 0)
    private var takenUntil: Int64 = .min
    /// The instant until which a report was requested that has not come.
    private var inquiredUntil: Int64?
    private var hearsJSON = false
    /// The connections that it does not read from, because they do not read their replies.
    private var paused: Set<Handle> = []
    /// The connections that it reported as finishing, and not yet as gone.
    private var finishing: Set<Handle> = []
    /// How many of them it was told to close.
    ///
    /// - Invariant: at most `finishing.count`.
    private var closing = 0

    /// Makes the saleroom's side of a mailbox; `wake` wakes the other side.
    package init(_ number: Int, _ mailbox: Mailbox, wake: @escaping () -> Void) {
        (self.number, self.mailbox, self.wake) = (number, mailbox, wake)
    }

    package func hears(_ format: Format) -> Bool {
        count > 0 && (format == .text || hearsJSON)
    }

    package func append(_ lines: ArraySlice<UInt8>, as format: Format) {
        if hears(format) { commands.append(lines, as: format) }
    }

    package func perform(_ effect: Effect) {
        if case .use(.json, _) = effect { hearsJSON = true }
        commands.append(.perform(effect))
    }

    /// Gives a connection to it; its handle comes back in an event.
    package func adopt(_ descriptor: Int32, from address: PeerAddress) {
        count += 1
        commands.append(.adopt(descriptor, address))
    }

    /// Stops reading from a connection until `unsilence`.
    package func silence(_ handle: Handle) {
        commands.append(.silence(handle))
    }

    /// Reads from a connection again.
    package func unsilence(_ handle: Handle) {
        commands.append(.unsilence(handle))
    }

    /// Tells it to close one of its finishing connections; false if it has none that is not about to
    /// be closed.
    ///
    /// The connection counts until it is reported as gone.
    package func closeOneFinishing() -> Bool {
        guard closing < finishing.count else { return false }
        closing += 1
        commands.append(.closeOneFinishing)
        return true
    }

    /// Asks for a report when everything is sent: then `isDrained` holds.
    func drain() {
        commands.append(.drain)
    }

    /// Hands the commands over that were gathered since the last time.
    package func handOver() {
        guard !commands.isEmpty else { return }
        mailbox.give(&commands)
        wake()
    }

    /// Whether it does not read from a connection, because that does not read its replies.
    package func isPaused(_ handle: Handle) -> Bool { paused.contains(handle) }

    /// Requests a report once it has read everything that arrived until an instant, unless that was
    /// taken or requested; the answer wakes the saleroom's loop.
    package func inquire(until instant: Int64) {
        guard max(takenUntil, inquiredUntil ?? .min) < instant else { return }
        inquiredUntil = instant
        mailbox.wantReport(until: instant)
        wake()
    }

    /// Updates `isBehind`.
    ///
    /// - Throws: What ended its loop.
    package func catchUp() throws {
        isBehind = try mailbox.isBehind()
    }

    /// Whether some events that were taken are not handled.
    package var hasUnheard: Bool { used.events < events.list.count }

    /// Takes its events, unless some of the last time are not handled.
    ///
    /// - Throws: What ended its loop.
    package func takeEvents() throws {
        guard !hasUnheard else { return }
        let (heardUntil, wasHolding) = try mailbox.take(&events)
        if let inquired = inquiredUntil, heardUntil >= inquired { inquiredUntil = nil }
        (used, takenUntil) = ((0, 0), heardUntil)
        if events.isEmpty { self.heardUntil = heardUntil }
        if wasHolding { wake() }
    }

    /// Returns the next event that was taken, with its bytes; nil if all are handled.
    package func nextEvent() -> (ShardEvents.Event, ArraySlice<UInt8>)? {
        guard used.events < events.list.count else {
            heardUntil = takenUntil
            return nil
        }
        let event = events.list[used.events]
        used.events += 1
        switch event {
        case .heard(_, let count):
            used.bytes += count
            return (event, events.bytes[used.bytes - count..<used.bytes])
        case .lost(let handle):
            count -= 1
            paused.remove(handle)
            if finishing.remove(handle) != nil { closing = max(closing - 1, 0) }
        case .refused: count -= 1
        case .paused(let handle): paused.insert(handle)
        case .unpaused(let handle): paused.remove(handle)
        case .finishing(let handle): finishing.insert(handle)
        case .drained: isDrained = true
        case .joined, .ended, .fallen, .sent, .stalled: break
        }
        return (event, [])
    }
}
