import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connection that closed without the owner's `close`.
public struct Ending: Equatable, Sendable {
    /// Why a connection closed.
    public enum Cause: Sendable {
        /// It was to finish, everything was sent, and the peer has ended too.
        case finished
        /// It was to finish, and its time was up.
        case expired
        /// It had something to take, and took nothing for too long.
        case stalled
        /// The peer went before everything was sent.
        case broken
    }

    /// The connection's handle, which is stale by now.
    public let handle: Handle
    /// Why it closed.
    public let cause: Cause

    /// Creates the report of an end.
    public init(handle: Handle, cause: Cause) {
        (self.handle, self.cause) = (handle, cause)
    }
}

/// The open connections of a loop, by the slots of their handles.
///
/// Some slots belong to descriptors of the loop that are no connections. The memory grows in place
/// where the kernel can do that, and leaves nothing behind.
final class ConnectionTable {
    private let loop: EventLoop
    /// The slots, empty ones included; every delivery uses them, so they are not checked for
    /// exclusive access at run time.
    @exclusivity(unchecked) private var memory: UnsafeMutableBufferPointer<Connection>
    private var capacity = 64
    /// The connections to close at the end of the flush.
    private var leaving: [Ending] = []

    init(loop: EventLoop) {
        self.loop = loop
        memory = UnsafeMutableBufferPointer(
            start: Self.reallocate(nil, capacity: capacity), count: 0)
    }

    deinit {
        for slot in memory.indices where memory[slot].isOpen {
            loop.deregister(handle(at: slot))
            closeSocket(memory[slot].descriptor)
        }
        memory.deinitialize()
        free(memory.baseAddress)
    }

    /// The number of slots, empty ones included.
    var slots: Int { memory.count }

    /// Accesses the connection in a slot; `adopt` must not be called meanwhile.
    subscript(slot: Int) -> Connection {
        unsafeAddress {
            precondition(slot < slots, "no such slot")
            return UnsafePointer(memory.baseAddress.unsafelyUnwrapped + slot)
        }
        unsafeMutableAddress {
            precondition(slot < slots, "no such slot")
            return memory.baseAddress.unsafelyUnwrapped + slot
        }
    }

    /// Returns the slot of an open connection; nil if the handle is stale.
    func slot(of handle: Handle) -> Int? {
        let slot = handle.slot
        guard slot < slots, memory[slot].generation == handle.generation, memory[slot].isOpen
        else { return nil }
        return slot
    }

    /// The handle of the connection in a slot.
    func handle(at slot: Int) -> Handle {
        Handle(slot: slot, generation: self[slot].generation)
    }

    /// Takes over a socket, and waits for it to become readable; closes it if that fails.
    func adopt(_ descriptor: Int32) throws(SystemError) -> Handle {
        do {
            try silenceBrokenPipe(of: descriptor)
            let handle = try loop.register(descriptor, for: .readable)
            insert(Connection(descriptor: descriptor, generation: handle.generation), handle.slot)
            return handle
        } catch {
            closeSocket(descriptor)
            throw error
        }
    }

    private func insert(_ connection: consuming Connection, _ slot: Int) {
        var start = memory.baseAddress.unsafelyUnwrapped
        if slot >= capacity {
            while capacity <= slot { capacity += capacity / 4 }
            start = Self.reallocate(start, capacity: capacity)
        }
        for new in slots..<max(slot + 1, slots) { (start + new).initialize(to: Connection()) }
        memory = UnsafeMutableBufferPointer(start: start, count: max(slot + 1, slots))
        memory[slot] = connection
    }

    /// Moves the memory; a value of Swift may be moved by copying its bytes.
    private static func reallocate(
        _ memory: UnsafeMutablePointer<Connection>?, capacity: Int
    ) -> UnsafeMutablePointer<Connection> {
        let bytes = capacity * MemoryLayout<Connection>.stride
        guard let new = realloc(memory, bytes) else { fatalError("out of memory") }
        return new.bindMemory(to: Connection.self, capacity: capacity)
    }

    /// Closes a connection now, which makes its handle stale.
    func close(_ slot: Int) {
        loop.deregister(handle(at: slot))
        closeSocket(self[slot].descriptor)
        self[slot] = Connection()
    }

    /// Sets what the loop waits for; no system call if that has not changed.
    func updateInterest(_ slot: Int) {
        do {
            try loop.change(handle(at: slot), to: self[slot].interest)
        } catch {
            leave(slot, .broken)
        }
    }

    /// Shuts down the sending side of a connection that is finishing and has been sent everything.
    func shutDownIfFinishing(_ slot: Int) {
        guard self[slot].phase == .finishing else { return }
        if shutdown(self[slot].descriptor, shutdownOfWriting) == -1 {
            leave(slot, .broken)
        } else if self[slot].readBlocks.contains(.ended) {
            leave(slot, .finished)
        } else {
            _ = self[slot].enter(.shut)
        }
    }

    /// Closes a connection at the end of the flush, whose loops must not lose their place.
    func leave(_ slot: Int, _ cause: Ending.Cause) {
        guard self[slot].enter(.leaving) else { return }
        leaving.append(Ending(handle: handle(at: slot), cause: cause))
    }

    /// Takes the connections to close.
    func takeLeaving() -> [Ending] {
        if leaving.isEmpty { return [] }
        defer { leaving.removeAll(keepingCapacity: true) }
        return leaving
    }
}
