import Auction

/// Where a class stands, as its teacher sees it.
public struct ClassStatus: Equatable, Sendable {
    /// What the class does.
    public let stage: Stage
    /// The number of the round that comes or is played; nil when none comes.
    public let round: Int?
    /// The number of rounds.
    public let rounds: Int
    /// The title of the class.
    public let title: String
    /// Whether it is paused: nothing begins or ends by itself.
    public var isPaused = false
    /// The time until the stage ends if nobody bids any more; nil if it has no fixed end.
    public var remaining: Duration?
    /// The orders of the teacher that can be carried out now.
    public var orders: [AuctioneerCommand.Verb] = []

    /// What a class does; the raw values are the words on the wire.
    public enum Stage: String, CaseIterable, Sendable {
        /// It waits for the teacher to start it, or for everybody of its roster.
        case gathering
        /// Students read the instructions of a round.
        case reading
        /// It counts down to a round.
        case counting
        /// It waits for a second student.
        case short
        /// Lots are open.
        case playing
        /// The results of a round are in sight.
        case results
        /// All rounds were played.
        case over
    }

    /// Creates the status of a class.
    public init(_ stage: Stage, round: Int?, of rounds: Int, title: String) {
        (self.stage, self.round, self.rounds, self.title) = (stage, round, rounds, title)
    }
}

/// What a student of a class does, as its teacher sees it.
public struct ClassStudent: Equatable, Sendable {
    /// The name.
    public let bidder: Bidder
    /// What the student does.
    public let state: State
    /// The number of the group in the round that is played or whose results are shown; nil else.
    public let group: Int?

    /// What a student does; the raw values are the words on the wire.
    public enum State: String, CaseIterable, Sendable {
        /// Not connected to a room of the class.
        case away
        /// In the room `class`.
        case here
        /// Reads the instructions.
        case reading
        /// Has sent `ready`.
        case ready
        /// Plays for an open lot, and has not bid.
        case thinking
        /// Has bid on the open lot.
        case bid
        /// Plays for a lot that has ended.
        case done
    }

    /// Creates what a student does.
    public init(_ bidder: Bidder, _ state: State, group: Int?) {
        (self.bidder, self.state, self.group) = (bidder, state, group)
    }
}

extension ClassStatus.Stage: FieldValue {}
extension ClassStudent.State: FieldValue {}

/// The verbs of orders, separated by commas.
private struct Verbs: RawRepresentable, FieldValue {
    let all: [AuctioneerCommand.Verb]

    init(_ all: [AuctioneerCommand.Verb]) { self.all = all }

    init?(rawValue: String) {
        let words = rawValue.split(separator: ",")
        all = words.compactMap { AuctioneerCommand.Verb(rawValue: String($0)) }
        guard all.count == words.count else { return nil }
    }

    var rawValue: String { all.map(\.rawValue).joined(separator: ",") }
}

extension LineBuffer {
    /// Appends where a class stands.
    mutating func status(_ status: ClassStatus) {
        content("stage", status.stage)
        setting("paused", status.isPaused ? true : nil)
        setting("round", status.round)
        setting("milliseconds", status.remaining?.wholeMilliseconds)
        setting("orders", status.orders.isEmpty ? nil : Verbs(status.orders))
        setting("rounds", status.rounds)
        field("title", status.title)
    }

    /// Appends what a student does.
    mutating func student(_ student: ClassStudent) {
        content("bidder", student.bidder)
        field("state", student.state)
        setting("group", student.group)
    }
}

extension MessageReader {
    mutating func status() -> ClassStatus? {
        guard let stage: ClassStatus.Stage = field("stage") else { return nil }
        let (isPaused, round): (Bool?, Int?) = (setting("paused"), setting("round"))
        let (remaining, orders): (Int64?, Verbs?) = (setting("milliseconds"), setting("orders"))
        guard let rounds: Int = setting("rounds"), let title = rest("title") else { return nil }
        var status = ClassStatus(stage, round: round, of: rounds, title: title)
        (status.isPaused, status.orders) = (isPaused ?? false, orders?.all ?? [])
        status.remaining = remaining.map { .milliseconds($0) }
        return status
    }

    mutating func student() -> ClassStudent? {
        guard let bidder: Bidder = field("bidder"), let state: ClassStudent.State = field("state")
        else { return nil }
        return ClassStudent(bidder, state, group: setting("group"))
    }
}
