import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bytes of one `send`, gathered from the feed and the outbox in the order of sending.
///
/// Up to 16 pieces are sent from where they are, with an array of vectors. More are copied into a
/// buffer first: replies between news are pieces of about 30 bytes, and a copy costs less than a
/// vector.
struct SendBatch: ~Copyable {
    /// With more pieces than this, they are copied.
    private static let vectorCapacity = 16
    /// A batch that is copied has at most this many bytes: few enough to stay in the cache until they are sent.
    private static let copyBytes = 64 * 1024

    /// The bytes of all pieces.
    private(set) var total = 0
    /// The range of the feed that `fill` put in; nil if anything else was added.
    private(set) var range: Range<Int>?
    private var count = 0
    private var isCopied = false
    private let vectors: UnsafeMutablePointer<iovec>
    private let copy: UnsafeMutableRawPointer

    init() {
        vectors = .allocate(capacity: Self.vectorCapacity)
        copy = .allocate(byteCount: Self.copyBytes, alignment: 64)
    }

    deinit {
        vectors.deallocate()
        copy.deallocate()
    }

    mutating func clear() {
        (total, count, isCopied) = (0, 0, false)
        range = nil
    }

    /// Replaces the contents with all of a feed from a position on.
    mutating func fill(_ ring: borrowing Ring, from start: Int) {
        clear()
        let isWhole = add(ring, start..<ring.end)
        precondition(isWhole, "an empty batch has room for two pieces of any length")
        range = start..<ring.end
    }

    /// Adds a range of the unsent bytes of an outbox; false if there is no room for it.
    ///
    /// The outbox must not change before the batch is sent.
    mutating func add(_ outbox: Outbox, _ range: Range<Int>) -> Bool {
        add(outbox.unsent(range))
    }

    /// Adds a range of the feed; false if there is no room for all of it.
    mutating func add(_ ring: borrowing Ring, _ range: Range<Int>) -> Bool {
        let (first, second) = ring.pieces(range)
        return add(first) && add(second)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
        if !isCopied && count < Self.vectorCapacity {
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

    /// Sends the bytes; returns how many the kernel took, or -1 and sets `errno`.
    ///
    /// Source: send(2), sendmsg(2).
    func send(to descriptor: Int32) -> Int {
        if isCopied {
            return uninterrupted { sendAtOnce(descriptor, copy, total) }
        }
        if count == 1 {
            return uninterrupted {
                sendAtOnce(descriptor, vectors[0].iov_base, vectors[0].iov_len)
            }
        }
        var message = msghdr()
        message.msg_iov = vectors
        message.msg_iovlen = .init(count)
        return uninterrupted { sendmsg(descriptor, &message, sendFlags) }
    }
}
