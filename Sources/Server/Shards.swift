import Addresses
import AuctionRules
import Lobby
import ServerCore
import Wire

/// The connections of one loop, as the actor sends to them: directly, or through a mailbox.
package protocol ShardOutput: AnyObject {
    /// Takes over a connected socket of this peer.
    func adopt(_ descriptor: Int32, from address: PeerAddress)
    /// Whether a connection follows the news in an encoding.
    func isFollowed(in encoding: Encoding) -> Bool
    /// Appends news to the feed of an encoding, as one record.
    func append(_ record: ArraySlice<UInt8>, as encoding: Encoding)
    /// Appends several records, which stand one behind the other.
    func append(_ records: ArraySlice<UInt8>, lengths: ArraySlice<Int>, as encoding: Encoding)
    /// Performs an effect on its connection.
    func perform(_ effect: Effect)
    /// Does what the core asks of the loop.
    func execute(_ command: LoopCommand)
    /// Adds what happened since the last report; a mailbox keeps it until that one is taken.
    ///
    /// - Throws: What ended the loop.
    func report(into report: inout LoopReport) throws
}

extension ShardOutput {
    package func append(
        _ records: ArraySlice<UInt8>, lengths: ArraySlice<Int>, as encoding: Encoding
    ) {
        var rest = records
        for length in lengths {
            append(rest.prefix(length), as: encoding)
            rest = rest.dropFirst(length)
        }
    }
}

/// The shards of a server by their loops: the actor's own, and those behind mailboxes.
///
/// The actor and the simulation send and collect reports through it. Belongs to the thread of the
/// actor's loop.
package struct Shards {
    private let own: any ShardOutput
    private let remote: [RemoteShard]
    /// What each loop has reported and the core has not taken.
    package var reports: [LoopReport]

    package init(_ own: any ShardOutput, _ remote: [RemoteShard]) {
        (self.own, self.remote) = (own, remote)
        reports = Array(repeating: LoopReport(), count: 1 + remote.count)
    }

    /// All shards, in the order of their loops.
    package var all: [any ShardOutput] { [own] + remote }

    /// The shard of a loop.
    package subscript(loop: Int) -> any ShardOutput {
        loop == 0 ? own : remote[loop - 1]
    }

    /// Adds what all loops have done to the reports; `connectionCount` is that of a loop.
    ///
    /// - Throws: What ended another loop.
    package mutating func collectReports(connectionCount: (Int) -> Int) throws {
        try own.report(into: &reports[0])
        for (index, shard) in remote.enumerated() {
            shard.hasConnections = connectionCount(index + 1) > 0
            try shard.report(into: &reports[index + 1])
        }
    }

    /// Performs an effect on its connection.
    package func perform(_ effect: Effect) {
        guard let loop = effect.session?.loop else { return }
        if loop == 0 { own.perform(effect) } else { remote[loop - 1].perform(effect) }
    }

    /// Executes commands, and hands over to the other loops what was sent to them.
    package func finish(_ commands: [LoopCommand]) {
        for command in commands { self[command.loop].execute(command) }
        for shard in remote { shard.handOver() }
    }
}

/// The actor's side of a shard that runs on another loop.
///
/// Commands are gathered until `handOver`. Belongs to the thread of the actor's loop.
package final class RemoteShard: ShardOutput {
    private let mailbox: Mailbox
    private let wake: () -> Void
    private var commands = ShardCommands()
    /// Whether it has connections, which follow the news.
    package var hasConnections = false
    /// Whether a connection has used the encodings other than text.
    private var (usesJSON, usesWebSocket) = (false, false)

    /// Makes the actor's side of a mailbox; `wake` wakes the other side.
    package init(_ mailbox: Mailbox, wake: @escaping () -> Void) {
        (self.mailbox, self.wake) = (mailbox, wake)
    }

    package func adopt(_ descriptor: Int32, from address: PeerAddress) {
        commands.adopt(descriptor, from: address)
    }

    package func isFollowed(in encoding: Encoding) -> Bool {
        guard hasConnections else { return false }
        return switch encoding {
        case .text: true
        case .json: usesJSON
        case .webSocket: usesWebSocket
        }
    }

    package func append(_ record: ArraySlice<UInt8>, as encoding: Encoding) {
        if isFollowed(in: encoding) { commands.append(record, as: encoding) }
    }

    package func perform(_ effect: Effect) {
        if case .use(let encoding, _) = effect {
            usesJSON = usesJSON || encoding == .json
            usesWebSocket = usesWebSocket || encoding == .webSocket
        }
        commands.perform(effect)
    }

    package func execute(_ command: LoopCommand) {
        if case .report(_, let until) = command {
            mailbox.requestReport(until: until.nanoseconds)
            wake()
        } else {
            commands.execute(command)
        }
    }

    /// Hands the commands over that were gathered since the last time.
    package func handOver() {
        guard !commands.isEmpty else { return }
        mailbox.add(&commands)
        wake()
    }

    /// Takes what the loop reported, unless the last report was not handled.
    ///
    /// - Throws: What ended its loop.
    package func report(into report: inout LoopReport) throws {
        report.hasBacklog = try mailbox.hasBacklog()
        report.hasMore = !report.events.isEmpty
        guard report.events.isEmpty else { return }
        let (readUntil, wasHolding) = try mailbox.take(&report.events)
        report.readUntil = Instant(nanoseconds: readUntil)
        if wasHolding { wake() }
    }
}
