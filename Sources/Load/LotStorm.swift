/// Which bids of a storm are to be accepted, from lot to lot.
///
/// In each lot the price rises for a moment. From then on bids are too low: they load the server as
/// much, up to the hammer and past it, and let the countdown run out. But one higher bid follows a
/// little later, when nothing of the rise is under way any more, so that everybody hears the last
/// price as soon as it is told.
public struct LotStorm: Sendable {
    private static let risingNanoseconds: Int64 = 300_000_000
    private static let restingNanoseconds: Int64 = 200_000_000

    private enum Phase {
        case rising(until: Int64?)
        case resting(until: Int64)
        case over
    }

    private var phase = Phase.rising(until: nil)

    /// Creates a storm over a lot that may be under way.
    public init() {}

    /// Another lot was opened.
    public mutating func open() {
        phase = .rising(until: nil)
    }

    /// A price was heard: the rise begins with the first of a lot.
    public mutating func priceHeard(at time: Int64) {
        if case .rising(nil) = phase { phase = .rising(until: time + Self.risingNanoseconds) }
    }

    /// Whether the next bid, which is made at `time`, is to be higher than the price.
    public mutating func takeBid(at time: Int64) -> Bool {
        switch phase {
        case .rising(let end):
            guard let end, time >= end else { return true }
            phase = .resting(until: end + Self.restingNanoseconds)
            return false
        case .resting(let end):
            guard time >= end else { return false }
            phase = .over
            return true
        case .over:
            return false
        }
    }
}
