import Auction
import Basics
import House
import Wire

/// The connections of one loop, as the actor sends to them: directly, or through a mailbox.
package protocol ShardOutput: AnyObject {
    /// Takes over a connected socket of this peer.
    func adopt(_ descriptor: Int32, from address: PeerAddress)
    /// The encodings in which connections follow the news of a room.
    func encodings(followedIn room: RoomID) -> Encodings
    /// Appends news to a feed, as one record.
    func append(_ record: ArraySlice<UInt8>, to feed: RoomFeed)
    /// Appends several records, which follow each other without a gap.
    func append(_ records: ArraySlice<UInt8>, lengths: ArraySlice<Int>, to feed: RoomFeed)
    /// Performs an effect on its connection.
    func perform(_ effect: Effect)
    /// Does what the house asks of the loop.
    func execute(_ command: LoopCommand)
    /// Adds what happened since the last report; a mailbox keeps it until that one is taken.
    ///
    /// - Throws: What ended the loop.
    func report(into report: inout LoopReport) throws
}

extension ShardOutput {
    package func append(
        _ records: ArraySlice<UInt8>, lengths: ArraySlice<Int>, to feed: RoomFeed
    ) {
        var rest = records
        for length in lengths {
            append(rest.prefix(length), to: feed)
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
    /// What each loop has reported and the house has not taken.
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

    /// Adds what all loops have done to the reports.
    ///
    /// - Throws: What ended another loop.
    package mutating func collectReports() throws {
        try own.report(into: &reports[0])
        for (index, shard) in remote.enumerated() { try shard.report(into: &reports[index + 1]) }
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
