/// A promise of the server that was broken.
package struct Violation: Error, Equatable, CustomStringConvertible, Sendable {
    /// What was promised; two violations of one promise count as the same.
    package let promise: Promise
    /// What happened instead.
    package let facts: String

    /// A sentence for a person.
    package var description: String { "\(promise.rawValue): \(facts)" }
}

/// What holds whatever happens.
package enum Promise: String, Sendable {
    case durable = "nothing is sent that is not durable"
    case prompt = "what is durable at the end of a step is published in it"
    case kept = "what was published stays in the journal"
    case recovers = "a crash leaves a journal that a new start reads"
    case retained = "old segments are removed when they are too many, and no other"
    case replays = "the journal replays to the state"
    case gapless = "events are numbered without a gap"
    case rises = "the price rises by the step at least"
    case oneLot = "one lot after the other is open"
    case oneWinner = "a lot has one winner, whose bid was its last accepted one"
    case countdown = "a hammer falls after the full announced countdown"
    case told = "nobody has less than the announced time after it was told"
    case fullSeconds = "no countdown is above its full seconds"
    case clock = "the times of a lot never go back"
    case inTime = "a bid that reached any loop before the hammer is in time"
    case order = "every client receives the one log in its order, and every gap is declared"
    case formats = "an event has the same words and number in both formats"
    case resumes = "missed news comes exactly once each, or is gone"
    case results = "the results are those of all lots that have ended"
    case present = "a snapshot has what holds"
    case answers = "each request gets its one answer"
    case rulings = "what the auctioneer orders holds, and no other client orders it"
    case names = "no client speaks in another's name"
    case handshakes = "a connection joins once, as its client, after its PROXY header"
    case applied = "what was applied had been asked for, once"
    case linearizable = "bids and answers are those of one bid after the other"
    case limited = "no limit is passed, in any span of time"
    case spared = "a limit stops no client that has not reached it"
    case due = "a server that sleeps wakes when something is due"
    case opens = "a right token opens, however many wrong ones were sent"
    case webSocket = "a WebSocket follows its rules, and has the news of others"
    case restful = "no loop takes turns for nothing"
    case affordable = "nobody owes more than the purse has"
    case fair = "the best offer wins, the earlier of equals, at the least that wins"
    case personal = "a bidder is told what the game holds for them"
    case secret = "nobody receives another's secret"
    case oneRoom = "a room has one name and one key, and its commands are answered truly"
    case idle = "a room ends when nobody was in it for long enough, and no other way"
    case apart = "a lot of an opened room opens a second after the one before"
    case rounds = "a class plays each round once, in order"
    case groups = "a member of a class is in the group that was drawn, and nobody else is"
    case earned = "a member of a class earns what the lot of the group brings, once"
    case sameValue = "a value stays as it was drawn"
    case goesOn = "a class goes on by itself"
    case live = "an open lot with a bid is sold in the end"
    case fenced = "what a replaced node adds to a room is not stored, and nothing is stored twice"
    case acknowledged = "a bid that was answered by OK is in the stream, once"
    case refused = "a bid that was refused is not in the stream"
    case agreed = "all nodes have the same"
}
