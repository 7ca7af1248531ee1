/// Writes bids whose amounts rise by one.
///
/// The message of the last bid is kept, and its digits are counted up where they stand: no number
/// is divided into digits on the way.
public struct BidWriter: Sendable {
    private let before: [UInt8]
    private let after: [UInt8]
    private let digits: Int
    private let packetIndex: Int?

    /// The amount of the next bid.
    public private(set) var amount: Int64 = 1
    /// The message of the next bid.
    private var message: [UInt8] = []

    /// Creates a writer whose first bid is 1, in the words of the auction.
    public init() {
        self.init(before: Array("bid ".utf8), after: Array("\n".utf8))
    }

    init(before: String, after: String, digits: Int) {
        self.init(before: Array(before.utf8), after: Array(after.utf8), digits: digits)
    }

    /// Creates a writer of messages with an amount in their midst, padded with zeros.
    ///
    /// Where messages have a number of two bytes too, from 1 to 65,535 and again, it stands at
    /// `packetIndex`, in `before`.
    init(before: [UInt8], after: [UInt8], digits: Int = 1, packetIndex: Int? = nil) {
        self.before = before
        self.after = after
        self.digits = digits
        self.packetIndex = packetIndex
        message = message(of: amount)
    }

    /// Makes the next bid higher than a price, unless it is already.
    public mutating func outbid(_ price: Int64) {
        guard price >= amount else { return }
        amount = price + 1
        message = message(of: amount)
    }

    /// Appends so many bids.
    public mutating func append(_ count: Int, to bytes: inout [UInt8]) {
        for _ in 0..<count {
            if let packetIndex { countUpPacket(at: packetIndex) }
            bytes.append(contentsOf: message)
            amount += 1
            countUp()
        }
    }

    private mutating func countUp() {
        var index = message.count - after.count - 1
        while index >= before.count && message[index] == UInt8(ascii: "9") {
            message[index] = UInt8(ascii: "0")
            index -= 1
        }
        if index < before.count {
            message.insert(UInt8(ascii: "1"), at: before.count)
        } else {
            message[index] += 1
        }
    }

    /// 0 is no number of a packet.
    private mutating func countUpPacket(at index: Int) {
        let last = UInt16(message[index]) << 8 | UInt16(message[index + 1])
        let next = last == .max ? 1 : last + 1
        message[index] = UInt8(next >> 8)
        message[index + 1] = UInt8(truncatingIfNeeded: next)
    }

    private func message(of amount: Int64) -> [UInt8] {
        let number = Array("\(amount)".utf8)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - number.count))
        return before + zeros + number + after
    }
}
