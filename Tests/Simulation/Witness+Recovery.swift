import AuctionRules
import Lobby
import Sale
import Wire

extension Witness {
    /// Begins anew with what a start has found on its disk.
    func recover(_ files: [String: [UInt8]], at now: Duration) {
        let before = log
        (log, kept) = (Journaled(), LotRecord(rules: terms.rules))
        applied = [:]
        read(files)
        if log.events.prefix(told) != before.events.prefix(told) {
            report(.kept, "\(told) events were told, \(log.last) are there")
        }
        if !toldNames.isSubset(of: log.names) { report(.kept, "a name is lost") }
        resume(at: now)
    }

    func resume(at now: Duration) {
        (waiting, waitingHead) = ([], 0)
        granted = Granted()
        decided = kept
        position = log.last
        pace = Pace(seconds: terms.rules.seconds, isHammered: kept.isHammered)
        clock = RoomClock(seconds: terms.rules.seconds)
        board = Snapshot()
        for (index, words) in log.events.enumerated() {
            if let message = ServerMessage(text: words) { board.take(message, seq: index + 1) }
        }
        marks.removeAll { $0.seq > log.last }
    }

    /// Holds that a server which started now would know what this one knows.
    func checkReplay(_ state: [(record: Record, number: Int?)]) {
        guard log.last == position else { return }
        var replay = SaleReplay()
        guard replay.beginSegment(first: position + 1, state: state.count) else {
            return report(.replays, "\(state.count) lines of state at event \(position + 1)")
        }
        for (record, number) in state where !replay.replay(record, number: number) {
            return report(.replays, "\(record)")
        }
        let (one, other) = (after(log.replay.sale), after(replay.sale))
        if one != other { report(.replays, "\(one) is not \(other)") }
    }

    /// Stands for the identity of a journal that has none yet.
    private static let game = GameID("none") ?? Lobby.randomGame()

    func after(_ sale: Sale) -> [String] {
        let room = Lobby(
            rules: terms.rules, catalogue: terms.catalogue, limits: .none, resuming: sale,
            at: Instant(nanoseconds: 0), game: Self.game)
        return room.state.compactMap { record, number in
            // A journal that is closed ends with the time of day, of which the sale knows nothing.
            if case .event(.timeNoted) = record { return nil }
            var record = record
            if case .name(let bidder, let token, _?) = record {
                record = .name(bidder, token, used: nil)
            }
            var line: [UInt8] = []
            record.appendText(to: &line)
            let elapsed = record.elapsedMilliseconds.map { " \($0)" } ?? ""
            return "\(number ?? 0) " + String(decoding: line.dropLast(), as: UTF8.self) + elapsed
        }.sorted()
    }
}
