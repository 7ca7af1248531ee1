/// How long ago something happened, as a text that stays true for a while.
///
/// Source: the text on the timestamp that updates itself.
public struct RelativeAge: Equatable, Sendable {
    /// The age as text: `just now` below 5 s, then such as `5s`, `2m`, `3h` or `4d`.
    public let text: String
    /// How long the text stays true.
    public let timeToLive: Duration

    /// Creates the text for an age; a negative one, of something in the future, is `just now`.
    public init(_ age: Duration) {
        let seconds = max(0, age.components.seconds)
        let (unit, letter): (Int64, String) =
            switch seconds {
            case ..<60: (1, "s")
            case ..<3600: (60, "m")
            case ..<86400: (3600, "h")
            default: (86400, "d")
            }
        let isNow = seconds < 5
        text = isNow ? "just now" : "\(seconds / unit)\(letter)"
        timeToLive = .seconds(isNow ? 5 : (seconds / unit + 1) * unit) - age
    }

    /// Returns the ages of events at these instants, emitted again when one of the texts changes.
    ///
    /// Nothing runs in between: the timeline wakes only for a change.
    public static func texts(
        since instants: [Duration], on timeline: Timeline
    ) -> Signal<[String]> {
        Signal { observer in
            let ages = instants.map { RelativeAge(timeline.now - $0) }
            observer.next(ages.map(\.text))
            guard let stale = ages.map(\.timeToLive).min() else { return }
            observer.hold(timeline.schedule(after: stale, observer.complete))
        }
        .repeated()
    }
}
