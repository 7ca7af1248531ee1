/// The name of a descriptor registered with an event loop.
///
/// A slot of the loop's table in the low half, the slot's generation in the high half. The slot is
/// used again after its descriptor is closed, the generation is not: an owner that still has the
/// old handle holds a stale one, which names nothing.
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

/// The slot table of an event loop: which descriptor each handle names.
struct HandleTable {
    private struct Slot {
        var descriptor: Int32
        var generation: UInt32
        var interest: Interest
    }

    private var slots: [Slot] = []
    private var free: [Int] = []

    mutating func insert(_ descriptor: Int32, _ interest: Interest) -> Handle {
        guard let index = free.popLast() else {
            slots.append(Slot(descriptor: descriptor, generation: 0, interest: interest))
            return Handle(slot: slots.count - 1, generation: 0)
        }
        slots[index].descriptor = descriptor
        slots[index].interest = interest
        return Handle(slot: index, generation: slots[index].generation)
    }

    /// Makes the handle stale, at once and for good.
    mutating func remove(_ handle: Handle) {
        precondition(contains(handle), "a handle is removed once")
        slots[handle.slot].generation &+= 1
        slots[handle.slot].descriptor = -1
        free.append(handle.slot)
    }

    func contains(_ handle: Handle) -> Bool {
        handle.slot < slots.count && slots[handle.slot].generation == handle.generation
            && slots[handle.slot].descriptor != -1
    }

    /// The descriptor the handle names; nil when it is stale.
    func descriptor(of handle: Handle) -> Int32? {
        contains(handle) ? slots[handle.slot].descriptor : nil
    }

    /// Notes a new interest, and returns whether it differs from the one before.
    mutating func setInterest(of handle: Handle, to interest: Interest) -> Bool {
        if slots[handle.slot].interest == interest { return false }
        slots[handle.slot].interest = interest
        return true
    }
}
