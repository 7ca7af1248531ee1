/// What has been read of a connection and not heard yet.
struct Unheard {
    var bytes: [UInt8]
    /// Whether the connection will say no more than this.
    var hasEnded = false
    /// Whether its shard has yet to tell that it was sent what it asked for.
    var isAwaited = false
}
