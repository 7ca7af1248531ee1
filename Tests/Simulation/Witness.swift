import AuctionRules
import Lobby

/// Sees everything that is decided, kept, said and heard, and holds it against the promises.
final class Witness {
    /// The first promise that was not kept.
    private(set) var violation: Violation?

    let terms: Terms
    /// What is on the disk, and its lots.
    var log = Journaled()
    var kept: LotRecord
    /// What the room has decided beyond that.
    var decided: LotRecord
    var position = 0
    var board = Snapshot()
    var pace: Pace
    var clock: RoomClock
    /// Up to when all loops had been heard when time passed last.
    var handledUntil = Duration.zero
    /// What went from the room to the commit queue, each with the number of the last event before it.
    var waiting: [(effect: Effect, position: Int)] = []
    var waitingHead = 0

    var told = 0
    var toldNames: Set<String> = []
    var tokens: [String: Set<Int>] = [:]
    var owned: [Bidder: String] = [:]
    var asked: [String: Int] = [:]
    var applied: [String: Int] = [:]
    var bids: [BidOnLot] = []
    /// What happened to the lots beside the bids.
    var marks: [Mark] = []
    /// What was granted where there are limits, since the server has started.
    var granted = Granted()
    /// How much was checked.
    var events: Int { log.last }
    private(set) var heard = 0

    /// A bid with the lot that it was answered for; nil where there was no answer.
    struct BidOnLot {
        let lot: Int?
        let operation: BidHistory.Operation
    }

    /// A hammer or a ruling: by the number of its event, and that of its lot.
    struct Mark {
        let seq: Int
        let lot: Int
        let deed: BidHistory.Operation.Deed
        let decided: Duration
        var told: Duration?
    }

    init(_ terms: Terms) {
        self.terms = terms
        kept = LotRecord(rules: terms.rules)
        decided = LotRecord(rules: terms.rules)
        pace = Pace(seconds: terms.rules.seconds)
        clock = RoomClock(seconds: terms.rules.seconds)
    }

    func report(_ promise: Promise, _ facts: @autoclosure () -> String) {
        guard violation == nil else { return }
        violation = Violation(promise: promise, facts: facts())
    }

    func note(_ found: Violation?) {
        if let found, violation == nil { violation = found }
    }

    func countHeard() {
        heard += 1
    }
}
