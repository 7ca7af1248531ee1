/// The bids of one bidder, followed until each observer has heard each.
///
/// Bids that were sent at one instant are one broadcast: they count together, and cost nothing each.
/// Times are in nanoseconds.
public struct Broadcasts: Sendable {
    fileprivate struct Broadcast {
        let sent: Int64
        /// How many bids were sent up to its last.
        let end: Int
        var heardFirst: Int64 = 0
        var heardLast: Int64 = 0
        var hearers = 0
    }

    /// How far an observer is: what it has heard, and the broadcast it is in.
    private struct Place {
        var deliveries = 0
        var broadcast = 0
    }

    private var broadcasts: [Broadcast] = []
    private var places: [Place]
    /// How many deliveries there were, of all observers together.
    public private(set) var deliveries = 0
    /// From the instant a bid was sent to each delivery of it.
    public private(set) var latency = Histogram()

    /// Creates the record of a bidder that has said nothing to so many observers.
    public init(observers: Int) {
        places = Array(repeating: Place(), count: observers)
    }

    /// How many bids were sent.
    public var sent: Int { broadcasts.last?.end ?? 0 }

    /// From the first observer that has heard a broadcast whole to the last.
    ///
    /// Of each broadcast that all have heard. O(broadcasts).
    public var spread: Histogram {
        var spread = Histogram()
        for broadcast in broadcasts where broadcast.hearers == places.count {
            spread.record(broadcast.heardLast - broadcast.heardFirst)
        }
        return spread
    }

    /// Records that so many bids were sent at once.
    public mutating func send(_ count: Int, at time: Int64) {
        broadcasts.append(Broadcast(sent: time, end: sent + count))
    }

    /// Records that an observer has heard so many bids by now; what was not sent does not count.
    public mutating func hear(_ total: Int, by observer: Int, at now: Int64) {
        var place = places[observer]
        let before = place.deliveries
        while place.deliveries < total && place.broadcast < broadcasts.count {
            let end = broadcasts[place.broadcast].end
            let reached = min(end, total)
            latency.record(
                now - broadcasts[place.broadcast].sent, count: reached - place.deliveries)
            place.deliveries = reached
            guard reached == end else { break }
            broadcasts[place.broadcast].hear(at: now)
            place.broadcast += 1
        }
        deliveries += place.deliveries - before
        places[observer] = place
    }
}

extension Broadcasts.Broadcast {
    fileprivate mutating func hear(at now: Int64) {
        if hearers == 0 { heardFirst = now }
        heardLast = now
        hearers += 1
    }
}
