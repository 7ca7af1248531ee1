import Basics

/// The order in which connections are read, in rounds that always end.
///
/// A round is the set of connections that one poll found readable; each is read once. If the owner
/// has no room for more, it holds the rest and takes them with `takeHeld` in later turns.
/// Connections found by later polls are held for the next round. So every round ends, and
/// connections are read in the order of becoming readable. Each operation is amortised O(1).
public struct ReadingRounds {
    /// The connections that are held, in the order of becoming readable.
    private var held = Queue<Handle>()
    /// How many of them belong to the current round.
    private var heldOfRound = 0
    /// The instant at which the poll of the round began.
    private var instant = Instant.distantPast
    /// Whether the round began in this turn, so that this turn's connections belong to it.
    private var isNew = false

    /// Makes rounds before the first one.
    public init() {}

    /// Begins the next round with what this turn's poll found; that poll began at `instant`.
    ///
    /// Changes nothing while a round is under way.
    public mutating func begin(at instant: Instant) {
        isNew = heldOfRound == 0
        guard isNew else { return }
        (self.instant, heldOfRound) = (instant, held.count)
    }

    /// The instant until which everything that arrived has been read; nil while the round is under
    /// way.
    ///
    /// It is the beginning of the poll that found the round.
    public var readUntil: Instant? { heldOfRound == 0 ? instant : nil }

    /// Whether what this turn's poll found may be read now, and need not be held.
    public var mayReadReady: Bool { isNew && heldOfRound == 0 }

    /// Whether there may be connections that are held.
    public var hasHeld: Bool { !held.isEmpty }

    /// Holds a connection that this turn's poll found, and that is not held.
    public mutating func hold(_ handle: Handle) {
        held.append(handle)
        if isNew { heldOfRound += 1 }
    }

    /// Takes the next held connection of the round; nil when there is none.
    public mutating func takeHeld() -> Handle? {
        guard heldOfRound > 0 else { return nil }
        heldOfRound -= 1
        return held.popFirst()
    }
}
