/// How late the hammer fell in each lot: at who heard it first, at the bidder, and at the last.
///
/// The deadline is the instant at which anybody first heard the lot's last price, and the seconds
/// of the countdown after it. That is all that can be known outside of the server. The true one may
/// be earlier, by no more than the time from the last bid to that price, which is told too: the true
/// lateness lies between what is shown and that plus this uncertainty.
public struct HammerTimes: Sendable {
    private let countdown: Int64
    private let observers: Int
    private var highest: Int64 = 0
    private var lastBid: Int64 = 0
    /// When the highest price was first heard; nil before the first price of a lot.
    private var risen: Int64?
    /// The deadline of the lot that was sold, until every observer has heard so.
    private var deadline: Int64?
    private var heardCount = 0
    private var firstHeard = Int64.max
    private var lastHeard = Int64.min

    /// How late who heard it first did, in nanoseconds, a lot each; early is 0, and told by `least`.
    public private(set) var atFirst = Histogram()
    /// How late the bidder heard it.
    public private(set) var atBidder = Histogram()
    /// How late the last of all heard it.
    public private(set) var atLast = Histogram()
    /// From the last bid of each lot to the first who heard its price, in nanoseconds.
    public private(set) var uncertainty = Histogram()
    /// The least lateness of all, which is negative if a hammer was early; nil before the first.
    public private(set) var least: Int64?
    /// The lots whose end some observer had not heard when the next ended.
    public private(set) var missed = 0

    /// Creates an empty record, for a countdown of so many seconds and so many observers.
    public init(seconds: Int, observers: Int) {
        countdown = Int64(seconds) * 1_000_000_000
        self.observers = observers
    }

    /// How many lots were sold.
    public var lots: Int { atBidder.count }

    /// Whether everybody has heard the end of all lots.
    public var isComplete: Bool { deadline == nil }

    /// The bidder made a bid that is to be accepted.
    public mutating func bidMade(at time: Int64) {
        lastBid = time
    }

    /// Somebody heard a price; prices rise from lot to lot too, and one that does not is no news.
    public mutating func priceHeard(_ price: Int64, at time: Int64) {
        guard price > highest else { return }
        highest = price
        risen = time
    }

    /// An observer heard that the lot was sold.
    public mutating func hammerHeard(at time: Int64) {
        if deadline != nil, let risen, time >= risen + countdown { giveUp() }
        heardCount += 1
        hear(at: time)
        finish()
    }

    /// The bidder heard that the lot was sold; a lot without a price is not counted.
    public mutating func hammerHeardByBidder(at time: Int64) {
        guard let risen else { return }
        if deadline != nil { giveUp() }
        let deadline = risen + countdown
        self.deadline = deadline
        self.risen = nil
        hear(at: time)
        uncertainty.record(risen - lastBid)
        atFirst.record(firstHeard - deadline)
        atBidder.record(time - deadline)
        least = min(least ?? .max, firstHeard - deadline)
        finish()
    }

    private mutating func hear(at time: Int64) {
        firstHeard = min(firstHeard, time)
        lastHeard = max(lastHeard, time)
    }

    private mutating func finish() {
        guard let deadline, heardCount == observers else { return }
        atLast.record(lastHeard - deadline)
        forget()
    }

    private mutating func giveUp() {
        missed += 1
        forget()
    }

    private mutating func forget() {
        deadline = nil
        (heardCount, firstHeard, lastHeard) = (0, .max, .min)
    }
}
