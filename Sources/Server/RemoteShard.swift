import Addresses
import AuctionRules
import Saleroom
import ServerCore
import Wire

/// The actor's side of a shard that runs on another loop.
///
/// Commands are gathered until `handOver`. Belongs to the thread of the actor's loop.
package final class RemoteShard: ShardOutput {
    private let mailbox: Mailbox
    private let wake: () -> Void
    private var commands = ShardCommands()
    /// Whether it has connections, which follow the news.
    package var hasConnections = false
    private var hearsJSON = false

    /// Makes the actor's side of a mailbox; `wake` wakes the other side.
    package init(_ mailbox: Mailbox, wake: @escaping () -> Void) {
        (self.mailbox, self.wake) = (mailbox, wake)
    }

    package func adopt(_ descriptor: Int32, from address: PeerAddress) {
        commands.adopt(descriptor, from: address)
    }

    package func isFollowed(in format: Format) -> Bool {
        hasConnections && (format == .text || hearsJSON)
    }

    package func append(_ record: ArraySlice<UInt8>, as format: Format) {
        if isFollowed(in: format) { commands.append(record, as: format) }
    }

    package func perform(_ effect: Effect) {
        if case .use(.json, _) = effect { hearsJSON = true }
        commands.perform(effect)
    }

    package func execute(_ command: LoopCommand) {
        if case .inquire(_, let until) = command {
            mailbox.wantReport(until: until.nanoseconds)
            wake()
        } else {
            commands.execute(command)
        }
    }

    /// Hands the commands over that were gathered since the last time.
    package func handOver() {
        guard !commands.isEmpty else { return }
        mailbox.give(&commands)
        wake()
    }

    /// Takes what the loop reported, unless the last report was not handled.
    ///
    /// - Throws: What ended its loop.
    package func report(into report: inout LoopReport) throws {
        report.isBehind = try mailbox.isBehind()
        report.hasMore = !report.events.isEmpty
        guard report.events.isEmpty else { return }
        let (readUntil, wasHolding) = try mailbox.take(&report.events)
        report.readUntil = Instant(nanoseconds: readUntil)
        if wasHolding { wake() }
    }
}
