/// How large a segment is, and from when on a new one should begin.
struct SegmentSize {
    /// The bytes that are wanted in a segment at most, more or less.
    let limit: Int
    /// The bytes of its header and its state.
    private(set) var head: Int
    /// The bytes of all its lines.
    var bytes: Int

    init(limit: Int, head: Int, bytes: Int) {
        (self.limit, self.head, self.bytes) = (limit, head, bytes)
    }

    /// Whether a new segment should begin.
    ///
    /// A state that is larger than the limit would else begin one segment after the other.
    var isFull: Bool { bytes >= max(limit, 2 * head) }

    /// Goes on with a segment that holds nothing but its head.
    mutating func restart(head: Int) {
        (self.head, bytes) = (head, head)
    }
}
