import Posix

/// The bytes of one `send`: a part of a feed where it is, or a copy of several pieces.
///
/// Nearly all connections are sent the same part of a feed. Replies between news are pieces of
/// about 30 bytes, and a copy costs less than a vector for each.
struct SendBatch: ~Copyable {
    /// A copy has at most this many bytes: few enough to stay in the cache until they are sent.
    private static let copyBytes = 64 * 1024

    /// The bytes to send.
    private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The range of the feed that all bytes are of; nil if there are others.
    private(set) var range: Range<Int>?
    private let copy: UnsafeMutableRawPointer

    init() {
        copy = .allocate(byteCount: Self.copyBytes, alignment: 64)
    }

    deinit {
        copy.deallocate()
    }

    mutating func clear() {
        bytes = UnsafeRawBufferPointer(start: copy, count: 0)
        range = nil
    }

    /// Takes a range of a feed, which must not change before the batch is sent.
    ///
    /// A copy if the range wraps around the end of the ring. False, and the batch is empty, if it
    /// wraps and is too long to copy.
    mutating func refer(to ring: borrowing Ring, _ range: Range<Int>) -> Bool {
        let (first, second) = ring.pieces(range)
        if second.isEmpty {
            bytes = first
        } else {
            clear()
            guard range.count <= Self.copyBytes else { return false }
            _ = add(first) && add(second)
        }
        self.range = range
        return true
    }

    /// Copies a range of a feed after the bytes copied before; false if there is not room for all.
    mutating func add(_ ring: borrowing Ring, _ range: Range<Int>) -> Bool {
        let (first, second) = ring.pieces(range)
        return add(first) && add(second)
    }

    /// Copies bytes behind those that were copied, as far as there is room; false if not all.
    mutating func add(_ piece: UnsafeRawBufferPointer) -> Bool {
        let count = min(piece.count, Self.copyBytes - bytes.count)
        if count > 0, let start = piece.baseAddress {
            (copy + bytes.count).copyMemory(from: start, byteCount: count)
            bytes = UnsafeRawBufferPointer(start: copy, count: bytes.count + count)
        }
        return count == piece.count
    }

    /// Sends the bytes; returns how many the kernel took, or -1 and sets `errno`.
    func send(to descriptor: Int32) -> Int {
        uninterrupted { sendAtOnce(descriptor, bytes.baseAddress, bytes.count) }
    }
}
