/// The broadcasts that one connection received.
public struct Deliveries: Equatable, Sendable {
    /// The number of broadcasts.
    public private(set) var count = 0
    /// The bytes of all news from the first broadcast to the newest.
    private var bytes = 0
    /// The bytes of news after the newest broadcast.
    private var bytesAfter = 0
    /// The number of the bid before the first broadcast.
    private var base = 0

    /// Creates a connection's record before the first broadcast.
    public init() {}

    /// Records a message of a server; only broadcasts count.
    public mutating func receive(_ kind: MessageKind, _ message: Span<UInt8>) {
        switch kind {
        case .delivery:
            count += 1
            bytes += bytesAfter + message.count
            bytesAfter = 0
        case .reply: break
        case .lot, .winner, .ping, .other, .invalid:
            if count > 0 { bytesAfter += message.count }
        }
    }

    /// Records lines of the auction without looking at each, and returns their length.
    ///
    /// The newest `PRICE` line ends with the number of the bid, and numbers have no gap. The first
    /// byte must begin a line; an incomplete last line is left for the next call.
    public mutating func receiveLines(_ lines: Span<UInt8>) -> Int {
        guard count > 0 else { return receiveFirst(lines) }
        let end = lines.startOfLine(endingAt: lines.count)
        var priceEnd = end
        while priceEnd > 0 {
            let start = lines.startOfLine(endingAt: priceEnd - 1)
            if lines[start] == UInt8(ascii: "P") && lines[start + 1] == UInt8(ascii: "R") { break }
            priceEnd = start
        }
        if priceEnd > 0 {
            count = max(count, lines.number(endingAt: priceEnd - 1) - base)
            bytes += bytesAfter + priceEnd
            bytesAfter = 0
        }
        bytesAfter += end - priceEnd
        return end
    }

    /// Looks at each line until the first `PRICE` line has arrived.
    private mutating func receiveFirst(_ lines: Span<UInt8>) -> Int {
        Dialect.auction.deliveries.scan(lines) { kind, line in
            receive(kind, line)
            if kind == .delivery { base = line.number(endingAt: line.count - 1) - count }
        }
    }

    /// The minimum number of bids that were lost or did not arrive intact.
    ///
    /// `reference` is what the bidder received; a difference in length counts as one lost bid. It
    /// is nil if the bidder receives no broadcasts.
    public func lost(of bids: Int, comparedWith reference: Deliveries?) -> Int {
        let missing = max(0, bids - min(count, reference?.count ?? count))
        guard missing == 0, let reference else { return missing }
        return bytes == reference.bytes ? 0 : 1
    }
}

extension Span<UInt8> {
    /// The start of the line, possibly incomplete, whose last byte precedes an index.
    fileprivate func startOfLine(endingAt end: Int) -> Int {
        var start = end
        while start > 0 && self[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        return start
    }

    /// The number whose last digit precedes an index; it has at most 15 digits.
    fileprivate func number(endingAt end: Int) -> Int {
        var (number, scale, index) = (0, 1, end - 1)
        while index >= Swift.max(0, end - 15), self[index] &- UInt8(ascii: "0") <= 9 {
            number += Int(self[index] &- UInt8(ascii: "0")) * scale
            scale *= 10
            index -= 1
        }
        return number
    }
}

/// The delivery times of all bids of one bidder to all observers.
///
/// Bids that are sent at the same instant form one batch, so that memory and time grow with the
/// batches and not with the bids. Times are in nanoseconds.
public struct DeliveryTimes: Sendable {
    private struct Batch {
        let sent: Int64
        /// The number of bids up to and including the last of this batch.
        let end: Int
        var first: Int64 = 0
        var last: Int64 = 0
        var receivers = 0
    }

    /// The progress of one observer.
    private struct Position {
        var deliveries = 0
        var batch = 0
    }

    private var batches: [Batch] = []
    private var positions: [Position]
    /// The number of deliveries to all observers together.
    public private(set) var deliveries = 0
    /// The times from sending a bid to each of its deliveries.
    public private(set) var latency = Histogram()

    /// Creates an empty record for a number of observers.
    public init(observers: Int) {
        positions = Array(repeating: Position(), count: observers)
    }

    /// The number of bids sent.
    public var sent: Int { batches.last?.end ?? 0 }

    /// The times from the first to the last observer that has received a whole batch.
    ///
    /// It covers the batches that all observers have received. O(batches).
    public var spread: Histogram {
        var spread = Histogram()
        for batch in batches where batch.receivers == positions.count {
            spread.record(batch.last - batch.first)
        }
        return spread
    }

    /// Records bids that are sent at one instant.
    public mutating func send(_ count: Int, at time: Int64) {
        batches.append(Batch(sent: time, end: sent + count))
    }

    /// Records that an observer has now received `total` bids; ignores those beyond the sent ones.
    public mutating func receive(_ total: Int, by observer: Int, at now: Int64) {
        var position = positions[observer]
        let before = position.deliveries
        while position.deliveries < total && position.batch < batches.count {
            let batch = batches[position.batch]
            let reached = min(batch.end, total)
            latency.record(now - batch.sent, count: reached - position.deliveries)
            position.deliveries = reached
            guard reached == batch.end else { break }
            if batch.receivers == 0 { batches[position.batch].first = now }
            batches[position.batch].last = now
            batches[position.batch].receivers += 1
            position.batch += 1
        }
        deliveries += position.deliveries - before
        positions[observer] = position
    }
}
