import Auction
import Basics
import Strategies

/// The name of a bot: the one it has or asks for, and what proves it.
struct BotName {
    /// How many names are tried.
    private static let mostNames = 100

    private let kind: StrategyKind
    private let number: Int
    /// The name that the bot has, or asks for.
    private(set) var bidder: Bidder
    /// The token of the name, and the server on which the bot has it.
    private var proof: (serverID: Identity?, token: String)?
    private var tries = 1
    /// When the bot asks again for a name that was refused for a time.
    private(set) var due: Instant?
    /// Whether the server knows the name on this connection.
    private(set) var isTaken = false

    /// The first name of a bot with this strategy and number; others follow if it is taken.
    init(_ kind: StrategyKind, number: Int) {
        (self.kind, self.number) = (kind, number)
        bidder = Self.name(kind, number)
    }

    private static func name(_ kind: StrategyKind, _ number: Int) -> Bidder {
        guard let name = Bidder("\(kind.rawValue)-\(number)") else {
            preconditionFailure("a strategy and a number make a name")
        }
        return name
    }

    /// Begins on a new connection.
    mutating func connect() {
        (isTaken, due) = (false, nil)
    }

    /// Records that the connection has ended, on which the bot had the name.
    mutating func disconnect() {
        isTaken = false
    }

    /// The token that proves the name on a server; nil if that server did not give it.
    func token(on serverID: Identity?) -> String? {
        proof.flatMap { $0.serverID == serverID ? $0.token : nil }
    }

    /// Records that the server gave the name.
    mutating func accept(_ name: Bidder, token: String, on serverID: Identity?) {
        (bidder, proof, isTaken) = (name, (serverID, token), true)
    }

    /// Waits before the name is asked for again.
    mutating func wait(until due: Instant) {
        self.due = due
    }

    /// Whether to ask for the name again now, after a wait.
    mutating func endWait(at now: Instant) -> Bool {
        guard let due, now >= due else { return false }
        self.due = nil
        return true
    }

    /// Goes on to the next name, because this one is taken; false after the last one.
    mutating func tryNext() -> Bool {
        proof = nil
        guard tries < Self.mostNames else { return false }
        bidder = Self.name(kind, number + tries)
        tries += 1
        return true
    }
}
