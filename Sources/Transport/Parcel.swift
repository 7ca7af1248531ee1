import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The pieces of one send, in the order in which the peer is to see them.
struct Parcel: ~Copyable {
    /// Enough for a few replies between news; what does not fit goes with the next one.
    static let capacity = 16

    /// The bytes of all pieces.
    private(set) var total = 0
    private var count = 0
    /// Bit by bit, which of the pieces are private.
    private var privates: UInt16 = 0
    private let vectors: UnsafeMutablePointer<iovec>

    init() {
        vectors = .allocate(capacity: Self.capacity)
    }

    deinit {
        vectors.deallocate()
    }

    mutating func clear() {
        (total, count, privates) = (0, 0, 0)
    }

    /// Adds a part of what an outbox has not sent; false when there is no room for it.
    ///
    /// The outbox may not change before the parcel is sent.
    mutating func add(_ outbox: Outbox, _ range: Range<Int>) -> Bool {
        guard count < Self.capacity else { return false }
        privates |= 1 << UInt16(count)
        add(outbox.unsent(range))
        return true
    }

    /// Adds a part of the feed; false when there is no room for all of it, and then none is added.
    mutating func add(_ ring: borrowing Ring, _ range: Range<Int>) -> Bool {
        guard count + 2 <= Self.capacity else { return false }
        let (first, second) = ring.pieces(range)
        add(first)
        add(second)
        return true
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        vectors[count] = iovec(
            iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        count += 1
        total += bytes.count
    }

    /// Hands the pieces to the kernel; how many bytes it took, or -1 and `errno`.
    ///
    /// Source: send(2), sendmsg(2).
    func send(to descriptor: Int32) -> Int {
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

    /// How many of the first `sent` bytes were of the feed, and how many private.
    func division(of sent: Int) -> (feed: Int, outbox: Int) {
        var left = sent
        var ofOutbox = 0
        for index in 0..<count where left > 0 {
            let part = min(left, vectors[index].iov_len)
            if privates & (1 << UInt16(index)) != 0 { ofOutbox += part }
            left -= part
        }
        return (sent - ofOutbox, ofOutbox)
    }
}
