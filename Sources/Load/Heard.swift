/// What one observer has heard, as far as a delivery counts.
public struct Heard: Equatable, Sendable {
    /// How many bids.
    public internal(set) var deliveries = 0
    /// The bytes from the first of them to the newest, both included; 0 where they are not counted.
    public internal(set) var bytes = 0
    /// How often the server has asked whether the observer is there.
    public internal(set) var pings = 0
    /// Whether there was something that is not the protocol.
    public internal(set) var isGarbled = false
    /// The number of the bid before the first that was heard; nil before that.
    var base: Int?
    /// The bytes after the newest delivery.
    var bytesSince = 0

    /// Creates the count of an observer that has heard nothing.
    public init() {}
}

/// Finds the bids in what an observer hears.
///
/// It costs a fraction of what a server does for a delivery: of a chunk it looks at the ends.
public enum DeliveryReader: Sendable {
    /// `PRICE` lines, which are numbered without a gap.
    case prices
    /// Frames of one size, one for each bid.
    case frames(Frames)

    /// Counts what a chunk holds, from the beginning of a line or frame on.
    ///
    /// Returns how many bytes make whole lines or frames: the rest belongs before the next chunk.
    public func count(_ bytes: Span<UInt8>, in heard: inout Heard) -> Int {
        bytes.withUnsafeBytes { bytes in
            switch self {
            case .prices: countPrices(bytes, in: &heard)
            case .frames(let frames): frames.count(bytes, in: &heard)
            }
        }
    }
}

/// Frames of one size, one for each bid; between them the server may ask for a sign of life.
public struct Frames: Sendable {
    private let size: Int
    private let first: UInt8
    private let ping: [UInt8]

    init(size: Int, first: Unicode.Scalar, ping: String = "") {
        self.size = size
        self.first = UInt8(ascii: first)
        self.ping = Array(ping.utf8)
    }

    fileprivate func count(_ bytes: UnsafeRawBufferPointer, in heard: inout Heard) -> Int {
        var index = 0
        while index < bytes.count {
            if bytes[index] == first {
                guard index + size <= bytes.count else { break }
                heard.deliveries += 1
                index += size
            } else if bytes[index] == ping.first {
                guard index + ping.count <= bytes.count else { break }
                heard.pings += 1
                index += ping.count
            } else {
                heard.isGarbled = true
                return bytes.count
            }
        }
        return index
    }
}
