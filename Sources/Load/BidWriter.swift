/// Writes bids whose amounts rise by one.
///
/// The line of the last bid is kept, and its digits are counted up where they stand: no number is
/// divided into digits on the way.
public struct BidWriter: Sendable {
    private static let verb = Array("bid ".utf8)

    /// The amount of the next bid.
    public private(set) var amount: Int64 = 1
    /// The line of the next bid.
    private var line = BidWriter.line(of: 1)

    /// Creates a writer whose first bid is 1.
    public init() {}

    /// Makes the next bid higher than a price, unless it is already.
    public mutating func outbid(_ price: Int64) {
        guard price >= amount else { return }
        amount = price + 1
        line = Self.line(of: amount)
    }

    /// Appends so many bids, each with its LF.
    public mutating func append(_ count: Int, to bytes: inout [UInt8]) {
        for _ in 0..<count {
            bytes.append(contentsOf: line)
            amount += 1
            countUp()
        }
    }

    private mutating func countUp() {
        var index = line.count - 2
        while line[index] == UInt8(ascii: "9") {
            line[index] = UInt8(ascii: "0")
            index -= 1
        }
        if index < Self.verb.count {
            line.insert(UInt8(ascii: "1"), at: Self.verb.count)
        } else {
            line[index] += 1
        }
    }

    private static func line(of amount: Int64) -> [UInt8] {
        verb + Array("\(amount)\n".utf8)
    }
}
