/// How much waits for one connection, and for how long.
public struct ConnectionLimits: Equatable, Sendable {
    /// A connection with more private bytes than this is not read from until they are sent.
    public var outputBytes = 64 * 1024
    /// A connection of whose bytes the kernel takes none for so long is closed; nil for never.
    public var stallNanoseconds: Int64? = 30_000_000_000
    /// At most so much is read from one connection at a time, and less from who was silenced.
    public var readBytes = Connections.readBytes

    /// Makes the limits that hold where nothing else is chosen.
    public init() {}
}
