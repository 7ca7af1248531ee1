import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bytes of one send, in the order in which the peer is to see them.
///
/// A few pieces go to the kernel from where they lie. Many are copied into one first: replies that
/// alternate with news are pieces of some 30 bytes, of which the kernel takes each more slowly than
/// a copy does.
struct Parcel: ~Copyable {
    /// Enough for a few replies between news.
    private static let fewPieces = 16
    /// Of many pieces so much goes at once: what is copied stays near the processor until sent.
    static let copyBytes = 64 * 1024

    /// The bytes of all pieces, and how many of them are private.
    private(set) var total = 0
    private(set) var ofOutbox = 0
    /// The part of a feed that it was filled with; nil if it holds anything else.
    private(set) var range: Range<Int>?
    private var count = 0
    private var isCopied = false
    private let vectors: UnsafeMutablePointer<iovec>
    private let copy: UnsafeMutableRawPointer

    init() {
        vectors = .allocate(capacity: Self.fewPieces)
        copy = .allocate(byteCount: Self.copyBytes, alignment: 64)
    }

    deinit {
        vectors.deallocate()
        copy.deallocate()
    }

    mutating func clear() {
        (total, ofOutbox, count, isCopied) = (0, 0, 0, false)
        range = nil
    }

    /// Holds all of a feed from a position on, and nothing else.
    mutating func fill(_ ring: borrowing Ring, from start: Int) {
        clear()
        let isWhole = add(ring, start..<ring.end)
        precondition(isWhole, "an empty parcel takes two pieces, however long")
        range = start..<ring.end
    }

    /// Adds a part of what an outbox has not sent; false when there is no room for it.
    ///
    /// The outbox may not change before the parcel is sent.
    mutating func add(_ outbox: Outbox, _ range: Range<Int>) -> Bool {
        guard add(outbox.unsent(range)) else { return false }
        ofOutbox += range.count
        return true
    }

    /// Adds a part of the feed; false when there is no room for all of it.
    mutating func add(_ ring: borrowing Ring, _ range: Range<Int>) -> Bool {
        let (first, second) = ring.pieces(range)
        return add(first) && add(second)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
        if !isCopied && count < Self.fewPieces {
            vectors[count] = iovec(
                iov_base: UnsafeMutableRawPointer(mutating: start), iov_len: bytes.count)
            count += 1
        } else {
            guard total + bytes.count <= Self.copyBytes else { return false }
            if !isCopied { copyPieces() }
            (copy + total).copyMemory(from: start, byteCount: bytes.count)
        }
        total += bytes.count
        return true
    }

    private mutating func copyPieces() {
        isCopied = true
        var offset = 0
        for piece in UnsafeBufferPointer(start: vectors, count: count) {
            guard let start = piece.iov_base else { continue }
            (copy + offset).copyMemory(from: start, byteCount: piece.iov_len)
            offset += piece.iov_len
        }
    }

    /// Hands the bytes to the kernel; how many it took, or -1 and `errno`.
    ///
    /// Source: send(2), sendmsg(2).
    func send(to descriptor: Int32) -> Int {
        if isCopied {
            return uninterrupted { sendBytes(descriptor, copy, total, sendFlags) }
        }
        if count == 1 {
            return uninterrupted {
                sendBytes(descriptor, vectors[0].iov_base, vectors[0].iov_len, sendFlags)
            }
        }
        var message = msghdr()
        message.msg_iov = vectors
        message.msg_iovlen = .init(count)
        return uninterrupted { sendmsg(descriptor, &message, sendFlags) }
    }
}
