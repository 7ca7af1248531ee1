import AuctionRules
import Wire

extension Errand {
    /// How many lines may be said by hand before the first of them is answered.
    public static let mostUnanswered = 1000

    /// Whether a line of the user's is welcome now.
    ///
    /// Not before the name is taken, and not while `mostUnanswered` of them wait for their answers.
    public var wantsInput: Bool {
        isPlaying && !isOver && !hasInputEnded && unanswered < Self.mostUnanswered
    }

    /// Says a line of the user's as it is, or nothing if there is no word in it.
    ///
    /// Only once `wantsInput` was true; a few more than `mostUnanswered` may follow it.
    public mutating func say(_ line: String) -> [Action] {
        guard !isOver else { return [] }
        precondition(isPlaying && !hasInputEnded, "a line is said between the name and the end")
        guard line.utf8.contains(where: { !Self.blanks.contains($0) }) else { return [] }
        unanswered += 1
        return [.send(line)]
    }

    /// Hears that the user will say no more; the errand ends when everything said is answered.
    ///
    /// Whoever was kicked out is told goodbye first.
    public mutating func endInput() -> [Action] {
        guard !isOver, !hasInputEnded else { return [] }
        hasInputEnded = true
        guard isDone else { return [] }
        isOver = true
        return [.exit(.done)]
    }

    /// Whether every line is sent and answered, and no `BYE` is still to come.
    private var isDone: Bool { hasInputEnded && unanswered == 0 && !isKicked }

    /// Hears the answer to the oldest line that has none yet.
    mutating func finishSaying(_ line: Line) -> [Action] {
        unanswered = max(unanswered - 1, 0)
        return [.show(line)] + (isDone ? [.exit(.done)] : [])
    }

    /// What the server takes for no word, at the end of a line too.
    private static let blanks: [UInt8] = [0x20, 0x09, 0x0D]
}
