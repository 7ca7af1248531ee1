import Arguments
import Auction

extension ValueFormat where Value == Bidder {
    /// A name to bid under.
    static var bidder: ValueFormat {
        ValueFormat(
            placeholder: "NAME",
            expected: "1 to \(Bidder.longest) letters, digits, _ or -, not beginning with -",
            read: { $0.hasPrefix("-") ? nil : Bidder($0) }, write: { $0.description })
    }
}

extension ValueFormat where Value == RoomName {
    /// The name of a room.
    static var room: ValueFormat {
        ValueFormat(
            placeholder: "ROOM",
            expected: RoomName.allowed,
            read: { RoomName($0) }, write: { $0.description })
    }
}

extension RoomName {
    /// What a name may be, in words.
    static let allowed =
        "1 to \(longest) small letters, digits and -, not beginning with -"
}
