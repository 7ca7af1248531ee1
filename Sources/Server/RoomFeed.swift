import House
import Transport

/// The news of a room in one encoding: one feed on each loop where a connection follows it.
package struct RoomFeed: Hashable, Sendable {
    package let room: RoomID
    package let encoding: Encoding

    package init(_ room: RoomID, _ encoding: Encoding) {
        (self.room, self.encoding) = (room, encoding)
    }

    /// The name of the feed on a loop.
    var key: FeedKey { FeedKey(topic: room.topic, format: encoding.format) }
}

extension RoomID {
    /// The topic of the feeds of the room.
    var topic: UInt32 { UInt32(number) }
}

extension FeedKey {
    /// The feed of a connection that is in no room and has chosen an encoding; nothing is appended.
    ///
    /// No room has this number, because its slot is the largest.
    init(ofNoRoomIn encoding: Encoding) {
        self.init(topic: .max, format: encoding.format)
    }

    /// The encoding in which the feed is written.
    var encoding: Encoding { Encodings.all[Int(format)] }
}

extension Encoding {
    /// The format of the feeds that are written in this encoding.
    var format: Int {
        switch self {
        case .text: 0
        case .json: 1
        case .webSocket: 2
        }
    }
}

/// A set of encodings.
package struct Encodings: OptionSet, Sendable {
    /// All encodings, in the order of their formats.
    fileprivate static let all = Encoding.allCases

    /// A bit for each format.
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The set of one encoding.
    package init(_ encoding: Encoding) {
        rawValue = 1 << UInt8(encoding.format)
    }

    /// The set of some encodings.
    package init(_ encodings: [Encoding]) {
        self = encodings.reduce(into: []) { $0.formUnion(Encodings($1)) }
    }

    /// Whether an encoding is in the set.
    package func contains(_ encoding: Encoding) -> Bool { contains(Encodings(encoding)) }
}
