/// A promise of the saleroom that was not kept.
package struct Violation: Error, Equatable, CustomStringConvertible, Sendable {
    /// What was promised, in the words by which two violations are the same.
    package let promise: Promise
    /// What happened instead.
    package let facts: String

    /// A sentence for a person.
    package var description: String { "\(promise.rawValue): \(facts)" }
}

/// What holds in a saleroom whatever happens.
package enum Promise: String, Sendable {
    case durable = "nobody hears anything that is not durable"
    case kept = "what was told stays in the journal"
    case recovers = "a crash leaves a journal that a new start reads"
    case replays = "the journal replays to the state"
    case gapless = "events are numbered without a gap"
    case rises = "the price rises by the step at least"
    case oneLot = "one lot after the other is open"
    case oneWinner = "a lot has one winner, who made its last accepted bid"
    case countdown = "a hammer falls after the full announced countdown"
    case fullSeconds = "no countdown is above its full seconds"
    case clock = "time in the room never goes back"
    case inTime = "a bid that reached any loop before the hammer is in time"
    case order = "everybody hears the one log in its order, and every gap is declared"
    case present = "a snapshot tells what holds"
    case answers = "each command gets its one answer"
    case rulings = "what the auctioneer orders holds, and nobody else orders it"
    case names = "nobody speaks in another's name"
    case applied = "what was applied had been asked for, once"
    case linearizable = "bids and answers are those of one bid after the other"
    case limited = "no limit is passed, in whatever time"
    case spared = "a limit stops nobody who has not reached it"
    case due = "whoever has to wait is heard again when that is due, and not before"
    case opens = "a right token opens, however many wrong ones were said"
    case restful = "no loop takes turns for nothing"
    case live = "an open lot with a bid is sold in the end"
}
