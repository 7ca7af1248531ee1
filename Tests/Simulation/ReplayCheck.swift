import Auction
import Basics
import House
import TestSupport
import Wire

/// Compares what a server knows with what one would know that starts from its journal.
struct ReplayCheck {
    /// Stands for the identity of a journal that has none yet.
    private static let serverID = Identity("none") ?? Lobby.randomIdentity()

    let terms: Terms

    /// Requires that the lines of a journal, in which an event is the last, lead to the same state
    /// as the lines of state that a server would write now.
    func check(
        _ state: [(record: Record, number: Int?)], after event: Int, _ journal: ServerReplay
    ) -> Violation? {
        var replay = ServerReplay()
        replay.beginSegment(first: event + 1, state: state.count)
        for (record, number) in state where !replay.replay(record, number: number) {
            return Violation(promise: .replays, facts: "\(record)")
        }
        let (one, other) = (lines(after: journal), lines(after: replay))
        return one == other ? nil : Violation(promise: .replays, facts: "\(one) is not \(other)")
    }

    private func lines(after replay: ServerReplay) -> [String] {
        var options = terms.lobbyOptions
        (options.limits, options.serverID) = (.none, Self.serverID)
        // What a class draws must be the same for both.
        var dice = SplitMix64(seed: 0)
        options.makeToken = { Token(using: &dice) }
        options.makeSeed = { Seed(dice.next()) }
        let lobby = Lobby(options, resuming: replay, at: Instant(nanoseconds: 0))
        var room = RoomName.main
        return lobby.state.flatMap(\.records).compactMap { record, number in
            // A journal that is closed ends with the time of day, which the sale does not know.
            if case .event(.timeNoted) = record { return nil }
            var record = record
            if case .name(let bidder, let hash, _?, let hasBid) = record {
                record = .name(bidder, hash, used: nil, hasBid: hasBid)
            }
            if case .roomState(let name, let news, _) = record {
                room = name
                record = .roomState(name, news: news, lines: 0)
            }
            let elapsed = record.elapsedMilliseconds.map { " \($0)" } ?? ""
            return "\(room) \(number ?? 0) \(record.words)\(elapsed)"
        }.sorted()
    }
}

extension Terms {
    /// The options of a lobby with these terms.
    var lobbyOptions: Lobby.Options {
        var options = Lobby.Options(rules: rules, limits: limits)
        options.catalogue = catalogue
        if let game { options.game = game.settings }
        options.classPlan = classPlan
        return options
    }
}
