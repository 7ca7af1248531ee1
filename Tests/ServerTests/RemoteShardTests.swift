import Basics
import House
import Server
import Testing
import Wire

/// What the actor's loop knows of the connections of another loop, and hands over to it.
@Suite struct RemoteShardTests {
    private static let (red, blue) = (
        RoomID(slot: 1, generation: 0), RoomID(slot: 1, generation: 1)
    )
    private static let alice = SessionID(connection: 1, loop: 1)
    private static let bob = SessionID(connection: 2, loop: 1)

    /// A shard whose loop has opened connections.
    private struct Setting {
        let shard: RemoteShard
        private let mailbox = Mailbox()

        init(_ ids: SessionID...) throws {
            shard = RemoteShard(mailbox, wake: {})
            for id in ids { try report(.joined(id, .local)) }
        }

        func report(_ event: ConnectionEvents.Event) throws {
            var (events, report) = (ConnectionEvents(), LoopReport())
            events.append(event)
            _ = mailbox.report(&events, readUntil: nil, isHolding: false)
            try shard.report(into: &report)
        }

        /// The number of commands that wait for the loop.
        func handOver() -> Int {
            var commands = ShardCommands()
            shard.handOver()
            _ = mailbox.take(&commands)
            return commands.count
        }
    }

    @Test("news are handed over in the encodings in which the loop follows their room")
    func followed() throws {
        let setting = try Setting(Self.alice, Self.bob)
        let shard = setting.shard
        #expect(shard.encodings(followedIn: Self.red) == [])
        shard.perform(.follow(Self.alice, room: Self.red))
        shard.perform(.use(.webSocket, for: Self.bob))
        shard.perform(.follow(Self.bob, room: Self.red))
        #expect(shard.encodings(followedIn: Self.red) == [Encodings(.text), Encodings(.webSocket)])
        #expect(shard.encodings(followedIn: Self.blue) == [])
        #expect(setting.handOver() == 3)
        for encoding in Encoding.allCases {
            for room in [Self.red, Self.blue] {
                shard.append([10], to: RoomFeed(room, encoding))
            }
        }
        #expect(setting.handOver() == 2)
    }

    @Test("a connection follows one room in one encoding")
    func changes() throws {
        let shard = try Setting(Self.alice).shard
        shard.perform(.follow(Self.alice, room: Self.red))
        shard.perform(.use(.json, for: Self.alice))
        #expect(shard.encodings(followedIn: Self.red) == Encodings(.json))
        shard.perform(.follow(Self.alice, room: Self.blue))
        #expect(shard.encodings(followedIn: Self.red) == [])
        #expect(shard.encodings(followedIn: Self.blue) == Encodings(.json))
    }

    @Test("a room is followed until its last connection is closed or lost")
    func ends() throws {
        let setting = try Setting(Self.alice, Self.bob)
        for id in [Self.alice, Self.bob] { setting.shard.perform(.follow(id, room: Self.red)) }
        setting.shard.perform(.close(Self.alice, .quit))
        #expect(setting.shard.encodings(followedIn: Self.red) == Encodings(.text))
        try setting.report(.lost(Self.alice))
        #expect(setting.shard.encodings(followedIn: Self.red) == Encodings(.text))
        try setting.report(.lost(Self.bob))
        #expect(setting.shard.encodings(followedIn: Self.red) == [])
    }

    @Test("a connection that was lost before it followed a room does not follow it")
    func lostBefore() throws {
        let setting = try Setting(Self.alice)
        try setting.report(.lost(Self.alice))
        setting.shard.perform(.follow(Self.alice, room: Self.red))
        #expect(setting.shard.encodings(followedIn: Self.red) == [])
    }
}
