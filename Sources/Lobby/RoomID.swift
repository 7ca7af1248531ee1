/// A room of a server, unique among those about which anything can be under way.
///
/// A slot is used again after its room has ended, by a room of the next generation: what was on its
/// way to the former room does not reach the new one.
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
