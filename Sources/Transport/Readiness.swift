/// What a registration waits for, or what has come of it.
public struct Interest: OptionSet, Hashable, Sendable {
    /// One bit for each thing that can be waited for.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bytes, a connection or the end of the stream can be taken without waiting.
    public static let readable = Interest(rawValue: 1)
    /// Bytes can be handed to the kernel without waiting.
    public static let writable = Interest(rawValue: 2)
}

/// A descriptor that needs no waiting any more.
public struct Readiness: Equatable, Sendable {
    /// The name the loop gave the descriptor when it was registered.
    public let handle: Handle
    /// What can be done now; a hang-up or an error counts as readable, for `recv` tells which it
    /// is.
    public let ready: Interest

    init(handle: Handle, ready: Interest) {
        self.handle = handle
        self.ready = ready
    }

    /// Whether reading will find something: bytes, the end, or an error.
    public var isReadable: Bool { ready.contains(.readable) }
    /// Whether writing will find room.
    public var isWritable: Bool { ready.contains(.writable) }
}
