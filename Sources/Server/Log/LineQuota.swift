/// A quota of log lines for one kind of event, and the number of lines left out.
///
/// Strangers can cause some events as often as they like: opening a connection, taking a name. The
/// log writes 50 lines of each kind at once, then 5 a second, and counts the others.
package struct LineQuota {
    private static let burst = 50
    private static let perSecond = 5

    private var second: Int64 = 0
    private var written = 0
    /// How many lines were left out since `takeWithheld` last returned a number.
    package private(set) var withheld = 0

    package init() {}

    /// Whether one more line may be written at a time in milliseconds; counts it in either case.
    package mutating func admit(at milliseconds: Int64) -> Bool {
        if withheld == 0 { pass(to: milliseconds / 1000) }
        guard withheld == 0, written < Self.burst else {
            withheld += 1
            return false
        }
        written += 1
        return true
    }

    /// Returns how many lines were left out, at most once a second.
    package mutating func takeWithheld(at milliseconds: Int64) -> Int {
        guard withheld > 0, milliseconds / 1000 != second else { return 0 }
        defer { withheld = 0 }
        pass(to: milliseconds / 1000)
        return withheld
    }

    /// Advances time; a clock that was set back counts as one second.
    private mutating func pass(to second: Int64) {
        guard second != self.second else { return }
        let elapsed = second > self.second ? min(second - self.second, 60) : 1
        written = max(written - Int(elapsed) * Self.perSecond, 0)
        self.second = second
    }
}
