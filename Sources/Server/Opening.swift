import AuctionRules
import Posix
import Saleroom
import ServerCore
import Transport

/// What a server opens before it serves anybody.
extension Settings {
    /// Reads the auctioneer's token; nil if there is none.
    ///
    /// - Throws: `TokenFileError` if the file has no valid token, or others may read it.
    func auctioneerToken() throws(TokenFileError) -> AuctioneerToken? {
        guard let auctioneerTokenFile else { return nil }
        return try AuctioneerToken(file: auctioneerTokenFile)
    }

    /// Computes how many connections there can be; logs if they are fewer than asked for.
    func capacity(_ log: Log) throws(SystemError) -> Capacity {
        let files = try openFileLimit()
        let capacity = Capacity(
            files: files, asked: limits.connections, reserve: limits.reserve)
        if let asked = limits.connections, asked != capacity.connections {
            log.write(.warning, "limit") { line in
                line.add("connections", capacity.connections)
                line.add("asked", asked)
                line.add("files", files)
            }
        }
        return capacity
    }

    /// The same settings with the connections that there can be.
    func limited(to capacity: Capacity) -> Settings {
        var settings = self
        settings.limits.connections = capacity.connections
        settings.limits.reserve = capacity.reserve
        return settings
    }

    /// Makes the loops beside the actor's own; their threads are not started.
    func shardLoops(wakeServer: @escaping @Sendable () -> Void) throws(SystemError) -> [ShardLoop] {
        var loops: [ShardLoop] = []
        for number in 1..<threads {
            loops.append(
                try ShardLoop(
                    number: number, poller: poller, connectionLimits, wakeServer: wakeServer))
        }
        return loops
    }

    /// Opens the room where its journal ends, if it has one, and starts the journal's thread.
    func openRoom(on loop: EventLoop, _ log: Log) throws -> (Room, JournalDirectory?) {
        guard let data else {
            let room = Room(
                rules: rules, catalogue: catalogue, limits: roomLimits,
                at: .now, timeOfDay: wallClockMilliseconds())
            return (room, nil)
        }
        let (directory, sale) = try JournalDirectory.open(data, self, log)
        let room = Room(
            rules: rules, catalogue: catalogue, limits: roomLimits,
            resuming: sale, at: .now, timeOfDay: wallClockMilliseconds())
        if sale.hasLot, let ahead = room.titlesAhead {
            log.write(.info, "lots") { line in
                line.add("known", sale.auction.lot.number)
                line.add("ahead", ahead.count)
                if let next = ahead.first { line.add("next", next) }
            }
        }
        if room.isOver {
            log.write(.warning, "over") {
                $0.add(
                    "reason",
                    "every --lot was auctioned: add more of them, or choose another --data DIR")
            }
        }
        try directory.journal.start(wake: { loop.wake() })
        return (room, directory)
    }
}
