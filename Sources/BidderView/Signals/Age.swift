import Reactive

/// How long ago something was, in words that are true for a while.
///
/// Source: the seed text on the timestamp that updates itself.
package struct Age: Equatable {
    /// Such as `just now`, `5s`, `2m`, `3h` or `4d`.
    package let text: String
    /// How long the text stays true.
    package let timeToLive: Duration

    package init(_ age: Duration) {
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

    /// The ages of what was at these instants, told again whenever one of the texts goes stale, and
    /// not before.
    package static func texts(since instants: [Duration], on timeline: Timeline) -> Signal<[String]>
    {
        Signal { observer in
            let ages = instants.map { Age(timeline.now - $0) }
            observer.next(ages.map(\.text))
            guard let stale = ages.map(\.timeToLive).min() else { return }
            observer.hold(timeline.schedule(after: stale, observer.complete))
        }
        .repeated()
    }
}
