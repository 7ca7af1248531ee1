/// How much waits for one connection, and for how long.
public struct ConnectionLimits: Equatable, Sendable {
    /// The most private bytes that wait for one connection.
    ///
    /// With more than half of them waiting, it is not read from until all are sent. So the owner
    /// may add at most half of them to a connection that is not paused.
    public var outputBytes = 64 * 1024
    /// The most private bytes that wait for all connections together; nil for no limit.
    ///
    /// Above it, the connections that have gone longest without taking any are closed.
    public var allOutputBytes: Int? = 64 << 20
    /// A connection of whose bytes the kernel takes none for so long is closed; nil for never.
    public var stallNanoseconds: Int64? = 30_000_000_000
    /// At most so much is read from one connection at a time, and less from who was silenced.
    public var readBytes = Connections.readBytes

    /// With more private bytes than this a connection is not read from until they are sent.
    var pauseBytes: Int { outputBytes / 2 }

    /// Makes the limits that hold where nothing else is chosen.
    public init() {}
}
