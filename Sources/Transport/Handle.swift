/// The name of a descriptor registered with an event loop.
///
/// A slot of the loop's table in the low half, the slot's generation in the high half. The slot is
/// used again after its descriptor is closed, the generation is not: whoever still holds the old
/// handle holds a stale one, which names nothing.
public struct Handle: Hashable, Sendable {
    /// The slot and its generation as one number.
    public let rawValue: UInt64

    /// Makes the handle that had this number; it may be stale.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    init(slot: Int, generation: UInt32) {
        rawValue = UInt64(generation) << 32 | UInt64(UInt32(slot))
    }

    var slot: Int { Int(UInt32(truncatingIfNeeded: rawValue)) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
}
