/// The name of a room: 1 to 24 bytes of `a` to `z`, `0` to `9` and `-`, of which `-` is not first.
///
/// So it needs no escaping on a terminal, in a path, in a link or in a page. The bytes are stored
/// inline, so a name is copied without reference counting.
public struct RoomName: Hashable, Sendable {
    /// The bytes, the first in the highest place, then zeros.
    private let words: (UInt64, UInt64, UInt64)

    /// The most bytes a name can have.
    public static let longest = 24
    /// What a name may be, in words.
    public static let allowed = "1 to \(longest) small letters, digits and -, not beginning with -"

    /// The room that a server always has.
    public static let main: RoomName = {
        guard let name = RoomName("main") else { preconditionFailure("main is a name") }
        return name
    }()

    /// Creates a name from its bytes; nil if they are not a name.
    public init?(_ name: Span<UInt8>) {
        guard (1...Self.longest).contains(name.count), name[0] != UInt8(ascii: "-") else {
            return nil
        }
        var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        for index in name.indices {
            let byte = name[index]
            guard Self.isAllowed(byte) else { return nil }
            let bits = UInt64(byte) << UInt64(56 - index % 8 * 8)
            switch index / 8 {
            case 0: words.0 |= bits
            case 1: words.1 |= bits
            default: words.2 |= bits
            }
        }
        self.words = words
    }

    /// Creates a name from a text; nil if the text is not a name.
    public init?(_ name: some StringProtocol) {
        // Longer texts are refused before they are copied.
        guard name.utf8.prefix(Self.longest + 1).count <= Self.longest else { return nil }
        self.init(Array(name.utf8).span)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Writes the name, followed by zeros up to `longest` bytes, and returns its length.
    package func write(to bytes: UnsafeMutablePointer<UInt8>) -> Int {
        let memory = UnsafeMutableRawPointer(bytes)
        memory.storeBytes(of: words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
        memory.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
        memory.storeBytes(of: words.2.bigEndian, toByteOffset: 16, as: UInt64.self)
        let zeroBits =
            words.2 != 0
            ? words.2.trailingZeroBitCount
            : words.1 != 0 ? words.1.trailingZeroBitCount + 64 : words.0.trailingZeroBitCount + 128
        return Self.longest - zeroBits / 8
    }

    /// Whether both are the same name.
    public static func == (one: RoomName, other: RoomName) -> Bool {
        one.words == other.words
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        // Most names are short.
        guard words.1 != 0 else { return }
        hasher.combine(words.1)
        hasher.combine(words.2)
    }
}

extension RoomName: Comparable {
    /// Orders names by their bytes; a name comes before the longer ones that begin with it.
    public static func < (one: RoomName, other: RoomName) -> Bool {
        one.words < other.words
    }
}

extension RoomName: LosslessStringConvertible {
    /// The name.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.longest) { buffer in
            buffer.baseAddress.map { write(to: $0) } ?? 0
        }
    }
}

extension RoomName {
    /// The room in which a class waits.
    package static let classroom: RoomName = {
        guard let name = RoomName("class") else { preconditionFailure("class is a name") }
        return name
    }()

    /// The room of a group of a class.
    package init?(group: Int) {
        self.init("class-\(group)")
    }

    /// The number of the group whose room has this name; nil if it is none of a group.
    package var group: Int? {
        guard let number = Int(description.dropFirst(6)), number > 0 else { return nil }
        return RoomName(group: number) == self ? number : nil
    }

    /// Whether it is the room of a class, or of a group.
    package var isOfClass: Bool { self == .classroom || group != nil }

    /// Whether only a class can open a room of this name.
    package var isReserved: Bool { self == .classroom || description.hasPrefix("class-") }
}
