/// What the kernel is asked to do for each connection of a server; nil leaves it to the kernel.
///
/// With the defaults a peer that stops reading costs 128 KiB of the kernel's memory and not
/// megabytes, and is seen to have stopped before it is far behind.
public struct SocketOptions: Equatable, Sendable {
    /// When the kernel asks a silent peer whether it is there, and how often before it gives up.
    public struct KeepAlive: Equatable, Sendable {
        /// The silence before the first question, in seconds.
        public let idleSeconds: Int32
        /// The time from one question to the next, in seconds.
        public let intervalSeconds: Int32
        /// How many questions stay without an answer.
        public let probes: Int32

        /// Makes a schedule.
        public init(idleSeconds: Int32, intervalSeconds: Int32, probes: Int32) {
            self.idleSeconds = idleSeconds
            self.intervalSeconds = intervalSeconds
            self.probes = probes
        }
    }

    /// The bytes that the kernel keeps to be sent; Linux makes it twice as many.
    public var sendBuffer: Int32? = 64 * 1024
    /// The bytes not sent yet with which a connection takes no more.
    public var unsent: Int32? = 16 * 1024
    /// How the kernel finds out that the machine of a silent peer has vanished.
    public var keepAlive: KeepAlive? = KeepAlive(idleSeconds: 60, intervalSeconds: 10, probes: 3)
    /// How long what was sent may stay without an acknowledgement, in seconds.
    public var userTimeoutSeconds: Int32? = 30

    /// Makes the options that hold where nothing else is chosen.
    public init() {}
}
