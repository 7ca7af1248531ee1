import Auction

/// A line of a client: a command, and the tag that its answer repeats.
public struct Request: Equatable, Sendable {
    /// The tag, 1 to 32 letters and digits; nil if there is none.
    public let tag: String?

    /// The command.
    public let command: Command

    /// Creates a request, with a tag if the client needs to recognize the answer.
    public init(_ command: Command, tag: String? = nil) {
        self.command = command
        self.tag = tag
    }

    /// A command of a client.
    public enum Command: Equatable, Sendable {
        /// Takes a name, with the token that proves an owned name; the token is not checked here.
        case name(Bidder, token: String?)
        /// Makes an offer for the open lot; with `lot`, only if the open lot has that number.
        case offer(Offer, lot: Int? = nil)
        /// Sends a message to everybody: one printable line of 1 to 200 bytes.
        case say(String)
        /// Shows everybody a reaction.
        case react(Reaction)
        /// Sets the display name, which is a `DisplayName`; nil removes it.
        case display(String?)
        /// Lists accepted bids; nil means the newest 20.
        case laps(ListRange?)
        /// Lists how lots ended; nil means the newest 20.
        case results(ListRange?)
        /// Lists the connected bidders.
        case who
        /// Lists the standings of the game.
        case standings
        /// Lists the open rooms.
        case rooms
        /// Moves to this room.
        case join(RoomName)
        /// Opens a room and moves to it.
        indirect case open(RoomName, RoomOptions)
        /// Requests the news after the event of this number; without a number it is a `rule`.
        case resume(after: Int)
        /// Requests the snapshot again.
        case status
        /// Changes the format of the following lines.
        case format(Format)
        /// Checks the connection.
        case ping
        /// Says that the instructions of the round were read.
        case ready
        /// Lists the commands.
        case help
        /// Closes the connection.
        case quit
        /// Becomes the auctioneer with this token; the token is not checked here.
        case auctioneer(token: String)
        /// A command that only the auctioneer may send.
        case rule(AuctioneerCommand)
    }

    /// What a bidder offers for a lot.
    public enum Offer: Equatable, Sendable {
        /// Bids this amount.
        case bid(Price)
        /// Buys the lot at the price that is asked, in a falling auction.
        case take
        /// Buys the lot at its buy-now price.
        case buy
        /// Lets the server bid up to this amount; nil takes that back.
        case maximum(Price?)
    }
}

/// A range of a numbered list, such as the accepted bids of a lot.
public struct ListRange: Equatable, Sendable {
    /// The most entries that one answer lists.
    public static let longest = 1000

    /// The number of the first entry, from 1.
    public let first: Int

    /// The most entries to list, from 1 to `longest`.
    public let count: Int

    /// Creates a range; nil if it is out of bounds.
    public init?(first: Int, count: Int) {
        guard first >= 1, (1...Self.longest).contains(count) else { return nil }
        self.first = first
        self.count = count
    }
}

extension Request: CustomStringConvertible {
    /// The line of the request, without an end.
    public var description: String {
        (tag.map { "#\($0) " } ?? "") + command.description
    }
}

extension Request.Command: CustomStringConvertible {
    /// The words of the command.
    public var description: String {
        switch self {
        case .name(let bidder, let token): "name \(bidder)" + (token.map { " \($0)" } ?? "")
        case .offer(let offer, let lot): "\(offer)" + (lot.map { " lot=\($0)" } ?? "")
        case .say(let text): "say \(text)"
        case .react(let reaction): "react \(reaction.rawValue)"
        case .display(let text): "display" + (text.map { " \($0)" } ?? "")
        case .laps(nil): "laps"
        case .laps(let range?): "laps \(range.first) \(range.count)"
        case .results(nil): "results"
        case .results(let range?): "results \(range.first) \(range.count)"
        case .who: "who"
        case .standings: "standings"
        case .rooms: "rooms"
        case .join(let room): "join \(room)"
        case .open(let room, let options):
            options.line.isEmpty ? "open \(room)" : "open \(room) \(options.line)"
        case .resume(let number): "resume \(number)"
        case .status: "status"
        case .format(let format): "format \(format.rawValue)"
        case .ping: "ping"
        case .ready: "ready"
        case .help: "help"
        case .quit: "quit"
        case .auctioneer(let token): "auctioneer \(token)"
        case .rule(let ruling): ruling.description
        }
    }
}

extension Request.Offer: CustomStringConvertible {
    /// The first word.
    public var verb: String {
        switch self {
        case .bid: "bid"
        case .take: "take"
        case .buy: "buy"
        case .maximum: "max"
        }
    }

    /// The words of the offer, without the lot.
    public var description: String {
        switch self {
        case .bid(let price): "\(verb) \(price.amount)"
        case .take, .buy: verb
        case .maximum(let price): "\(verb) \(price?.amount ?? 0)"
        }
    }
}
