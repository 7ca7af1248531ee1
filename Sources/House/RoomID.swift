/// The identity of a room in a running server: a slot and a generation, 4 bytes.
///
/// When a room has ended, its slot is used again for a room of the next generation, so that effects
/// for the earlier room do not reach the new one.
public struct RoomID: Hashable, Sendable {
    /// The most rooms of a server.
    public static let mostRooms = 10_000

    /// The room that every server has.
    public static let main = RoomID(slot: 0, generation: 0)

    let slot: UInt16
    let generation: UInt16

    package init(slot: Int, generation: UInt16) {
        (self.slot, self.generation) = (UInt16(slot), generation)
    }

    /// A number for each room, from 0.
    public var number: Int { Int(generation) << 16 | Int(slot) }
}
