import AuctionRules

/// What a client says in one line: a command, and the tag that its answer repeats.
public struct Request: Equatable, Sendable {
    /// The tag, 1 to 32 letters and digits; nil if there is none.
    public let tag: String?

    /// What is asked for.
    public let command: Command

    /// Makes a request, with a tag if its answer is to be told from others.
    public init(_ command: Command, tag: String? = nil) {
        self.command = command
        self.tag = tag
    }

    /// What can be asked of the server.
    public enum Command: Equatable, Sendable {
        /// To be called so, and the token that proves an owned name; the token is not checked here.
        case name(Bidder, token: String?)
        /// To make this price.
        case bid(Price)
        /// To list accepted bids; nil means the newest 20.
        case laps(LapRange?)
        /// To list the bidders who are connected.
        case who
        /// To hear the snapshot again.
        case status
        /// To hear the server in another form from now on.
        case format(Format)
        /// To show that the connection lives.
        case ping
        /// To list the commands.
        case help
        /// To leave.
        case quit
        /// To be the auctioneer, which this token proves; it is not checked here.
        case auctioneer(token: String)
        /// To do what only the auctioneer may order.
        case rule(AuctioneerCommand)
    }
}

/// Which accepted bids of a lot to list.
public struct LapRange: Equatable, Sendable {
    /// The most bids that one answer lists.
    public static let longest = 1000

    /// The number of the first bid, from 1.
    public let first: Int

    /// How many bids at most, from 1 to `longest`.
    public let count: Int

    /// Makes a range of bids; nil if it is out of bounds.
    public init?(first: Int, count: Int) {
        guard first >= 1, (1...Self.longest).contains(count) else { return nil }
        self.first = first
        self.count = count
    }
}

extension Request: CustomStringConvertible {
    /// The line that asks for it, without an end.
    public var description: String {
        (tag.map { "#\($0) " } ?? "") + command.description
    }
}

extension Request.Command: CustomStringConvertible {
    /// The words of the command.
    public var description: String {
        switch self {
        case .name(let bidder, let token): "name \(bidder)" + (token.map { " \($0)" } ?? "")
        case .bid(let price): "bid \(price.amount)"
        case .laps(nil): "laps"
        case .laps(let range?): "laps \(range.first) \(range.count)"
        case .who: "who"
        case .status: "status"
        case .format(let format): "format \(format.rawValue)"
        case .ping: "ping"
        case .help: "help"
        case .quit: "quit"
        case .auctioneer(let token): "auctioneer \(token)"
        case .rule(let ruling): ruling.description
        }
    }
}
