import AuctionRules
import Lobby
import Sale
import TestSupport
import Wire

/// All that happens in a simulation from outside: the terms of the sale, what its visitors do, and
/// what goes wrong, each at its time.
///
/// A plan is a value: the same one always leads to the same trace, and leaving out some of its
/// actions leaves the others as they were.
package struct Plan: Sendable {
    /// The seed of everything that the actions do not say: delays, and how bytes are split.
    package let seed: UInt64
    var terms: Terms
    /// In the order of their times.
    package internal(set) var actions: [Action]

    /// Over how many loops the server spreads its connections.
    package var loops: Int { terms.loops }
}

/// What holds for all of a simulation.
struct Terms: Sendable {
    var rules: Rules
    var catalogue: Catalogue
    /// The bytes after which a segment of the journal is full.
    var segmentBytes: Int
    /// By how many lines of news a visitor may be behind.
    var ringLines: Int
    var visitors: Int
    var limits = Limits.none
    /// Over how many loops the connections are spread.
    var loops = 1
    /// How late a loop beside the actor's may be.
    var loopLag = Duration.microseconds(200)
    /// The number of bytes not taken by the actor above which such a loop stops reading.
    var mostRead = 1 << 20
    /// The number of effects not told yet above which the actor stops reading.
    var mostUnsent = 1 << 13
    /// Whether bytes come whole and at once, and the disk is quick.
    var isCalm = false
}

/// Something that is done to the saleroom.
package struct Action: Sendable {
    let at: Duration
    let deed: Deed
}

enum Deed: Sendable {
    case visitor(Int, Move)
    case mishap(Mishap)
}

/// What a visitor does; who is not connected, or has no name and needs one, sees to that first.
enum Move: Sendable {
    case watch
    case name(Proof)
    case bid(Offer)
    /// Bids just when the hammer is about to fall.
    case snipe(Offer, early: Duration)
    case ask(Question)
    case mumble(Nonsense)
    /// Proves to be the auctioneer first, or says so without the token.
    case rule(AuctioneerCommand.Verb, isProven: Bool)
    case useJSON(Bool)
    case quit
    /// Closes the own side, and listens on.
    case hangUp
    case reset
    /// Goes without a word: the server learns of it much later.
    case vanish
    case stopReading(Duration)
    /// Asks so many questions at once.
    case chatter(Int)
    /// Says so many wrong tokens of the auctioneer.
    case guess(Int)
    /// Says the end of a line, and all that follows, so much later than its beginning.
    case stammer(Duration)
}

enum Proof: CaseIterable, Sendable {
    /// The own name, with its token, without it, and with another.
    case own, forgotten, wrong
    /// Somebody else's, with the own token, and with the right one.
    case stolen, lent
}

/// A bid, as far as the visitor knows the price.
enum Offer: Sendable {
    case least
    case more(Int64)
    case equal
    case low
    case highest
    /// The last one again, whatever became of it.
    case again
}

enum Question: CaseIterable, Sendable {
    case laps, allLaps, results, who, status, ping, help
}

enum Nonsense: CaseIterable, Sendable {
    case empty, unknown, tooLong, notUTF8, badAmount, badTag, telnet
}

/// What goes wrong in the machine.
enum Mishap: Sendable {
    /// The process stands still, its disk's thread too.
    case standstill(Duration)
    /// One of the other loops stands still.
    case loopStandstill(Int, Duration)
    case slowDisk(each: Duration, until: Duration)
    case diskFailure(DiskFault)
    /// Somebody sets the time of day.
    case clockSet(by: Duration)
    case crash(Crash)
    case shutDown
}

enum DiskFault: CaseIterable, Sendable {
    case writeError, diskFull, shortWrite, syncError, createError, renameError
}

/// An end without message.
struct Crash: Sendable {
    /// Whether the machine loses its power, and with it what was not synced.
    let losesPower: Bool
    /// In which call of the next batch to the disk; nil for now.
    let duringCall: Int?
    /// In which call of the recovery after it everything ends once more.
    let againDuringCall: Int?
    let downtime: Duration
    let seed: UInt64
}
