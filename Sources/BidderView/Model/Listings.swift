import Auction
import Wire

/// The newest lists from the server: the bidders, the standings and the rooms.
struct Listings: Equatable, Sendable {
    /// The maximum number of stored standings, which is what a server lists.
    private static let maximumStandings = 100

    /// The maximum number of stored rooms.
    private static let maximumRooms = 1_000

    /// The connected bidders; nil before they are loaded.
    private(set) var bidders: [Bidder]?
    /// The standings of the sale, best first; empty before they are loaded.
    private(set) var standings: [StandingsRow] = []
    /// The rooms of the server, as they were listed last.
    private(set) var rooms: [RoomRow] = []

    /// Replaces the connected bidders.
    mutating func load(_ bidders: [Bidder]) {
        self.bidders = bidders
    }

    /// Replaces the standings.
    mutating func load(_ standings: [StandingsRow]) {
        self.standings = Array(standings.prefix(Self.maximumStandings))
    }

    /// Replaces the rooms.
    mutating func load(_ rooms: [RoomRow]) {
        self.rooms = Array(rooms.prefix(Self.maximumRooms))
    }

    /// Adds a bidder as the last one.
    mutating func join(_ bidder: Bidder) {
        leave(bidder)
        bidders?.append(bidder)
    }

    /// Removes a bidder.
    mutating func leave(_ bidder: Bidder) {
        bidders = (bidders ?? []).filter { $0 != bidder }
    }

    /// Forgets what was listed of a sale; the rooms are those of the server.
    mutating func leaveSale() {
        (bidders, standings) = (nil, [])
    }
}

/// The state of a load, whose error is shown beside the last result.
package struct LoadState: Equatable, Sendable {
    /// Whether a load is under way.
    package internal(set) var isLoading = false
    /// Why the newest load failed; nil once one has succeeded.
    package internal(set) var lastError: String?
}
