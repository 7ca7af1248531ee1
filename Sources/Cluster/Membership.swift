import Auction
import Basics

/// The name of a node: 1 to 24 of `a` to `z`, `0` to `9` and `-`.
public struct NodeName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Creates a name from a text; nil if the text is not a name.
    public init?(_ text: some StringProtocol) {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, 1...24 ~= text.utf8.count else { return nil }
        description = String(text)
    }

    private init(unchecked name: String) {
        description = name
    }

    /// A name that no node can have, for a program that only prints what the nodes tell.
    public static let statusReader = NodeName(unchecked: "OBSERVER")

    /// Orders names by their bytes.
    public static func < (one: NodeName, other: NodeName) -> Bool {
        one.description < other.description
    }
}

/// One run of a node, from its start until it stops or begins again from the stream.
public struct NodeInstance: Hashable, Sendable, CustomStringConvertible {
    /// The name of the node.
    public let name: NodeName
    /// A random number, with which two runs of a node differ.
    public let number: UInt32

    /// Creates a run of a node.
    public init(_ name: NodeName, number: UInt32) {
        (self.name, self.number) = (name, number)
    }

    /// The number as eight hexadecimal digits.
    public var digits: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// The name and the number, such as `one/0000001a`.
    public var description: String { "\(name)/\(digits)" }

    /// Parses eight hexadecimal digits; nil if the text is anything else.
    static func number(_ digits: some StringProtocol) -> UInt32? {
        guard digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt32(digits, radix: 16)
    }
}

/// What a node tells the others each second.
public struct Heartbeat: Equatable, Sendable {
    /// The node and its run.
    public let instance: NodeInstance
    /// How long the run lasts, in whole milliseconds.
    public var age = Duration.zero
    /// Whether this is its last one.
    public var isLeaving = false
    /// Where it serves clients, such as `10.0.0.1:7777`.
    public var address = "-"
    /// The number of its connections.
    public var connections = 0
    /// The sequence up to which it has applied the stream.
    public var applied = 0
    /// The number of its connections that follow each room that has some.
    public var followers: [RoomName: Int] = [:]

    /// Creates the heartbeat of a node without connections.
    public init(of instance: NodeInstance) {
        self.instance = instance
    }

    /// Parses a heartbeat; nil if the bytes are none.
    public init?(_ payload: [UInt8]) {
        guard let text = String(validating: payload, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: false)
        }
        guard let first = lines.first, first.count == 7, let name = NodeName(first[0]),
            let number = NodeInstance.number(first[1]), let age = Int(count: first[3]),
            let connections = Int(count: first[4]), let applied = Int(count: first[5]),
            first[2] == Self.live || first[2] == Self.leaving
        else { return nil }
        instance = NodeInstance(name, number: number)
        self.age = .milliseconds(age)
        isLeaving = first[2] == Self.leaving
        address = String(first[6])
        (self.connections, self.applied) = (connections, applied)
        for line in lines.dropFirst() {
            guard line.count == 2, let room = RoomName(line[0]), let count = Int(count: line[1])
            else { return nil }
            followers[room] = count
        }
    }

    /// The heartbeat as it is published: a line for the node, and one for each room.
    public var payload: [UInt8] {
        let state = isLeaving ? Self.leaving : Self.live
        let milliseconds = age / .milliseconds(1)
        var text = "\(instance.name) \(instance.digits) \(state) \(Int(milliseconds)) "
        text += "\(connections) \(applied) \(address)\n"
        for (room, count) in followers.sorted(by: { $0.key < $1.key }) {
            text += "\(room) \(count)\n"
        }
        return Array(text.utf8)
    }

    private static let (live, leaving) = ("live", "leaving")
}

extension Int {
    /// Parses a number of at most 15 digits without a sign; nil if the text is anything else.
    fileprivate init?(count digits: some StringProtocol) {
        let isNumber = digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard isNumber, 1...15 ~= digits.utf8.count else { return nil }
        self.init(digits)
    }
}

/// The nodes that are up, by what they tell each other.
///
/// A node is live for three seconds after its last heartbeat, by the clock of this machine. Clocks
/// of different machines are never compared.
public struct Membership: Sendable {
    /// The subject of heartbeats.
    public static let subject = "auction.nodes"
    /// How often a node tells that it is up.
    public static let interval = Duration.seconds(1)
    /// How long a silent node counts as live.
    public static let patience = Duration.seconds(3)

    private struct Node {
        var heartbeat: Heartbeat
        var silentAt: Instant
    }

    /// Another process that has this node's name.
    private struct Duplicate {
        let conflict: Conflict
        /// Since when it is heard.
        let since: Instant
        let silentAt: Instant
    }

    private let own: NodeInstance
    private let start: Instant
    private var others: [NodeName: Node] = [:]
    private var duplicates: [NodeInstance: Duplicate] = [:]

    /// Two processes that have this node's name.
    public struct Conflict: Equatable, Sendable {
        /// The other process.
        public let other: NodeInstance
        /// Whether the other process runs longer, so that this one should stop.
        public let isOtherOlder: Bool
    }

    /// Creates what a node knows at the beginning of a run.
    public init(_ own: NodeInstance, at now: Instant) {
        (self.own, start) = (own, now)
    }

    /// The subject of packets to one node.
    public static func subject(of node: NodeName) -> String { "auction.node.\(node)" }

    /// How long this run lasts, for its heartbeat.
    public func age(at now: Instant) -> Duration { start.duration(to: now) }

    /// Records a heartbeat, which may be one of this node.
    public mutating func receive(_ heartbeat: Heartbeat, at now: Instant) {
        let instance = heartbeat.instance
        guard instance.name != own.name else { return receive(ofDuplicate: heartbeat, at: now) }
        if let known = others[instance.name], known.heartbeat.instance != instance {
            // A heartbeat of an older run, even its last one, says nothing about the newer run; and
            // a newer run counts only when the older one is silent, which may still be up.
            let silentFor = known.silentAt.advanced(by: Self.interval * 2 - Self.patience)
            guard heartbeat.age <= known.heartbeat.age, silentFor <= now else { return }
        }
        if heartbeat.isLeaving {
            others[instance.name] = nil
        } else {
            others[instance.name] = Node(
                heartbeat: heartbeat, silentAt: now.advanced(by: Self.patience))
        }
    }

    private mutating func receive(ofDuplicate heartbeat: Heartbeat, at now: Instant) {
        guard heartbeat.instance != own else { return }
        guard !heartbeat.isLeaving else {
            duplicates[heartbeat.instance] = nil
            return
        }
        // Which one is older depends on the delay of the heartbeat if they began together.
        let difference = heartbeat.age - age(at: now)
        let isOlder =
            max(difference, .zero - difference) < Self.interval / 2
            ? heartbeat.instance.number < own.number : difference > .zero
        duplicates[heartbeat.instance] = Duplicate(
            conflict: Conflict(other: heartbeat.instance, isOtherOlder: isOlder),
            since: duplicates[heartbeat.instance]?.since ?? now,
            silentAt: now.advanced(by: Self.patience))
    }

    /// Another process that has this node's name, an older one if there is one; nil for none.
    ///
    /// It must be heard over one and a half intervals: a NATS server that was frozen can deliver
    /// the heartbeats of an earlier run of this node late, and all at once.
    public var conflict: Conflict? {
        let conflicts = duplicates.values.filter {
            $0.since.advanced(by: Self.interval * 1.5 + Self.patience) <= $0.silentAt
        }.map(\.conflict)
        return conflicts.first(where: \.isOtherOlder) ?? conflicts.first
    }

    /// When `expire(at:)` is next due; nil if no other process is live.
    public var deadline: Instant? {
        Instant.earliest(
            others.values.map(\.silentAt).min(), duplicates.values.map(\.silentAt).min())
    }

    /// Removes the processes that have been silent for too long.
    public mutating func expire(at now: Instant) {
        others = others.filter { $0.value.silentAt > now }
        duplicates = duplicates.filter { $0.value.silentAt > now }
    }

    /// The names of the live nodes in order, with the own one.
    public var live: [NodeName] { (others.keys + [own.name]).sorted() }

    /// Whether a run of a node is live; this run is, and another of its name while it is heard.
    public func isLive(_ instance: NodeInstance) -> Bool {
        instance == own || others[instance.name]?.heartbeat.instance == instance
            || duplicates[instance] != nil
    }

    /// The newest heartbeats of the other live nodes, in the order of their names.
    public var nodes: [Heartbeat] {
        others.values.map(\.heartbeat).sorted { $0.instance.name < $1.instance.name }
    }

    /// The number of connections that follow each room on the other live nodes.
    public var followers: [RoomName: Int] {
        others.values.reduce(into: [:]) { $0.merge($1.heartbeat.followers, uniquingKeysWith: +) }
    }

    /// The key of the rooms that belong together on one node: those of a class, or one room.
    public static func groupKey(of room: RoomName) -> String {
        (room.isOfClass ? RoomName.classroom : room).description
    }

    /// The node that should own the rooms of a key; nil without nodes.
    ///
    /// All machines agree. When a node comes or goes, only keys that it gets or had change hands.
    ///
    /// Source: D. Thaler and C. Ravishankar, "A Name-Based Mapping Scheme for Rendezvous", 1996.
    public static func first(for key: String, among nodes: [NodeName]) -> NodeName? {
        nodes.max { one, other in
            let (rank, otherRank) = (rank(of: one, for: key), rank(of: other, for: key))
            return rank == otherRank ? one < other : rank < otherRank
        }
    }

    private static func rank(of node: NodeName, for key: String) -> UInt64 {
        var hash = KeyedHash(low: 0, high: 0)
        for byte in key.utf8 { hash.combine(byte) }
        hash.combine(UInt8(ascii: " "))
        for byte in node.description.utf8 { hash.combine(byte) }
        return hash.finish()
    }
}
