/// How late the end of each lot reaches the bidder and the last connection.
///
/// One bid is accepted in each lot. The deadline is when any connection first receives its price,
/// plus the countdown: no more can be known outside of the server. The true deadline is earlier by
/// at most the time since the bid was sent, the `uncertainty`. Times are in nanoseconds.
public struct HammerTimes: Sendable {
    /// A lot of which some connection has received the end.
    private struct Sold {
        let deadline: Int64
        var receivers = 0
    }

    private let countdown: Int64
    private let connections: Int
    /// When the bid was sent whose price nobody has received yet.
    private var sent: Int64?
    /// The deadline of the open lot, once its price was received.
    private var deadline: Int64?
    private var sold: Sold?

    /// The lateness at the bidder, a lot each; early counts as 0.
    public private(set) var bidder = Histogram()
    /// The lateness at the last connection.
    public private(set) var last = Histogram()
    /// From sending the bid of each lot to the first connection that received its price.
    public private(set) var uncertainty = Histogram()

    /// Creates an empty record for a countdown and a number of connections, the bidder included.
    public init(seconds: Int, connections: Int) {
        countdown = Int64(seconds) * 1_000_000_000
        self.connections = connections
    }

    /// Records the bid of a lot.
    public mutating func bidSent(at time: Int64) {
        sent = time
    }

    /// Records that a connection received a price; only the first after each bid counts.
    public mutating func priceReceived(at time: Int64) {
        guard let sent else { return }
        uncertainty.record(time - sent)
        deadline = time + countdown
        self.sent = nil
    }

    /// Records that a connection received the end of a lot.
    ///
    /// It belongs to the open lot in the second half of its countdown, else to the lot before.
    public mutating func winnerReceived(at time: Int64, byBidder isBidder: Bool) {
        if let deadline, time > deadline - countdown / 2 {
            sold = Sold(deadline: deadline)
            self.deadline = nil
        }
        guard var lot = sold else { return }
        lot.receivers += 1
        if isBidder { bidder.record(time - lot.deadline) }
        if lot.receivers == connections { last.record(time - lot.deadline) }
        sold = lot.receivers == connections ? nil : lot
    }
}
