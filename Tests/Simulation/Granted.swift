import Addresses
import AuctionRules
import Lobby
import Wire

/// What one run of a server has granted of what its limits count.
struct Granted {
    /// Who has a place, in the order of their coming.
    var seated: [Connection] = []
    var names: [PeerAddress: Tally] = [:]
    /// Those, and those who were refused one and have a turn later.
    var askedNames: [PeerAddress: Tally] = [:]
    var openings: [Bidder: Tally] = [:]
    var openingsOfAddress: [PeerAddress: Tally] = [:]
    /// The connection that was told last that it has a name.
    var holders: [Bidder: SessionID] = [:]
    /// Until when those who were kicked stay out.
    var kicked: [Bidder: Duration] = [:]
    var wrongTokens: [PeerAddress: Tally] = [:]
    var lines: [SessionID: Tally] = [:]
    var linesOfAddress: [PeerAddress: Tally] = [:]
    /// The name that was founded last, until its owner is told.
    var founded: Bidder?
}

/// When something was granted.
///
/// A rate means that in no time at all more is granted than the burst and what comes in that time;
/// looked at from every single time, for there is no bucket here that could be wrong.
package struct Tally {
    private var times: [Int64] = []

    package init() {}

    package mutating func add(at now: Duration) {
        times.append(now.nanoseconds)
    }

    /// Whether one more would be too much, by more than the slack.
    package func isSpent(_ rate: TokenBucket.Rate, at now: Duration, slack: Int64 = 0) -> Bool {
        let most = rate.burst + slack
        return times.reversed().enumerated().contains { older, time in
            Int64(older + 2) * rate.period
                > most * rate.period + rate.count * (now.nanoseconds - time)
        }
    }
}
