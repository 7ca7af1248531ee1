import Auction
import House
import Wire

// What is known only at the end, after everything has worked for a while.
extension Oracle {
    /// The longest time from a connection to its greeting, if everything works.
    private static let timeToGreet = Duration.seconds(15)

    /// Requires that all is done: every client has all news and answers, and every lot with a bid
    /// is sold.
    func checkEnd(_ world: World) {
        for room in rooms where !room.hasEnded { room.checkEnd(at: world.now) }
        // A class is not over if its members came late.
        let isBusy = classroom?.isBusy(since: world.now - Self.timeToGreet) == true
        for client in world.clients where !isBusy {
            // Lots that begin at their opening never end, nor do the commands that clients repeat.
            guard let connection = client.connection,
                world.now - client.connectedAt > Self.timeToGreet
            else { continue }
            let count = client.room.flatMap { log.room($0.id) }?.news.count ?? 0
            if client.lastNews != count {
                let facts = "\(client.lastNews ?? 0) of \(count)"
                report(.order, "\(client.name) has received \(facts)")
            }
            if let complaint = client.socket?.complaint {
                report(.webSocket, "\(client.name): \(complaint)")
            }
            if let command = connection.pending.first {
                report(.answers, "\(client.name) waits: \(command.kind)")
            }
        }
        checkRetention(world.disk.contents)
    }

    private func checkRetention(_ files: [String: [UInt8]]) {
        let segments = files.filter { $0.key.hasSuffix(".journal") }.sorted { $0.key < $1.key }
        let bytes = segments.dropLast().reduce(0) { $0 + $1.value.count }
        guard let most = terms.retention.bytes, bytes > most, !hasUpkeepFailed else { return }
        report(.retained, "\(bytes) bytes in \(segments.count - 1) old segments")
    }
}
