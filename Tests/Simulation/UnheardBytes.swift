/// The bytes of a connection that the room has not been given, by when they arrived.
package struct UnheardBytes {
    private var pieces: [(arrived: Duration, count: Int)] = []

    package init() {}

    package mutating func add(_ count: Int, at now: Duration) {
        if count > 0 { pieces.append((now, count)) }
    }

    /// Notes that the room was given so many of the oldest.
    package mutating func take(_ count: Int) {
        var left = count
        while left > 0, let first = pieces.first {
            let taken = min(left, first.count)
            left -= taken
            pieces[0].count -= taken
            if pieces[0].count == 0 { pieces.removeFirst() }
        }
    }

    /// Whether some arrived within a time, its end not included.
    package func contains(from start: Duration, before end: Duration) -> Bool {
        pieces.contains { $0.arrived >= start && $0.arrived < end }
    }
}
