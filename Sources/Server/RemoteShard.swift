import Auction
import Basics
import House

/// The actor's side of a shard that runs on another loop.
///
/// Commands are gathered until `handOver`. Belongs to the thread of the actor's loop.
package final class RemoteShard: ShardOutput {
    private let mailbox: Mailbox
    private let wake: () -> Void
    private var commands = ShardCommands()
    private var followers = RoomFollowers()

    /// Makes the actor's side of a mailbox; `wake` wakes the other side.
    package init(_ mailbox: Mailbox, wake: @escaping () -> Void) {
        (self.mailbox, self.wake) = (mailbox, wake)
    }

    package func adopt(_ descriptor: Int32, from address: PeerAddress) {
        commands.adopt(descriptor, from: address)
    }

    package func encodings(followedIn room: RoomID) -> Encodings {
        followers.encodings(in: room)
    }

    package func append(_ record: ArraySlice<UInt8>, to feed: RoomFeed) {
        guard followers.encodings(in: feed.room).contains(feed.encoding) else { return }
        commands.append(record, to: feed)
    }

    package func perform(_ effect: Effect) {
        followers.note(effect)
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

    /// Hands over the commands that were gathered since the last call.
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
        followers.note(report.events)
        report.readUntil = Instant(nanoseconds: readUntil)
        if wasHolding { wake() }
    }
}

/// Which rooms the connections of another loop follow, and in which encodings.
///
/// The actor's loop knows it from the commands and reports, so that it need not ask: news that
/// nobody on that loop follows is neither encoded nor copied for it. O(connections of the loop).
struct RoomFollowers {
    /// What a connection follows.
    private struct Following {
        var room: RoomID?
        var encoding = Encoding.text
    }

    /// The connections of the loop that are open.
    private var sessions: [SessionID: Following] = [:]
    /// The number of followers in each encoding, by its format; a room without followers has no entry.
    private var counts: [RoomID: SIMD4<Int32>] = [:]

    /// The encodings in which a room is followed.
    func encodings(in room: RoomID) -> Encodings {
        guard let counts = counts[room] else { return [] }
        var bits: UInt8 = 0
        for format in counts.indices where counts[format] > 0 { bits |= 1 << UInt8(format) }
        return Encodings(rawValue: bits)
    }

    /// Notes what an effect changes for its connection, if that is open.
    mutating func note(_ effect: Effect) {
        switch effect {
        case .follow(let id, let room): change(id) { $0.room = room }
        case .use(let encoding, let id): change(id) { $0.encoding = encoding }
        case .close(let id, _): remove(id)
        case .news, .note, .log, .openRoom, .endRoom, .reply, .replay, .restate, .send,
            .sendMetrics, .skip, .holdNews, .releaseNews, .confirm:
            break
        }
    }

    /// Notes which connections were opened and lost.
    ///
    /// A connection may be lost before an effect for it is performed, so only open ones count.
    mutating func note(_ events: ConnectionEvents) {
        // A span, because the iterator of an array copies each event.
        let list = events.list
        let span = list.span
        for index in span.indices {
            switch span[index] {
            case .joined(let id, _): sessions[id] = Following()
            case .lost(let id): remove(id)
            case .refused, .received, .ended, .fallen, .paused, .unpaused, .finishing, .stalled,
                .drained:
                break
            }
        }
    }

    private mutating func change(_ id: SessionID, _ body: (inout Following) -> Void) {
        guard var following = sessions[id] else { return }
        count(following, -1)
        body(&following)
        count(following, 1)
        sessions[id] = following
    }

    private mutating func remove(_ id: SessionID) {
        if let following = sessions.removeValue(forKey: id) { count(following, -1) }
    }

    private mutating func count(_ following: Following, _ difference: Int32) {
        guard let room = following.room else { return }
        counts[room, default: SIMD4()][following.encoding.format] &+= difference
        if counts[room] == SIMD4() { counts[room] = nil }
    }
}
