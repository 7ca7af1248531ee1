import Posix

#if os(Linux)
    import CLinux
#endif
#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

#if canImport(Darwin)
    let streamSocket = SOCK_STREAM
#else
    let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif

let receiveFlags = Int32(MSG_DONTWAIT)
let shutdownOfWriting = Int32(SHUT_WR)

/// A new TCP socket that neither blocks nor survives `exec`.
func makeSocket(family: Int32) throws(SystemError) -> Int32 {
    let descriptor = try syscall("socket") { socket(family, streamSocket, 0) }
    do {
        try makeNonBlocking(descriptor)
    } catch {
        close(descriptor)
        throw error
    }
    return descriptor
}

/// Sets the options of a server's socket; small sends go at once, whatever they are.
///
/// Source: tcp(7), `TCP_NODELAY`, `TCP_NOTSENT_LOWAT`, `TCP_USER_TIMEOUT`; socket(7), `SO_SNDBUF`.
func setOptions(_ options: SocketOptions, of socket: Int32) throws(SystemError) {
    try setOption(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: socket, to: 1)
    if let bytes = options.unsent {
        try setOption(TCP_NOTSENT_LOWAT, at: Int32(IPPROTO_TCP), of: socket, to: bytes)
    }
    if let bytes = options.sendBuffer {
        try setOption(SO_SNDBUF, at: SOL_SOCKET, of: socket, to: bytes)
    }
    if let schedule = options.keepAlive {
        try keepAlive(
            socket, idleSeconds: schedule.idleSeconds, intervalSeconds: schedule.intervalSeconds,
            probes: schedule.probes)
    }
    if let seconds = options.userTimeoutSeconds {
        #if canImport(Darwin)
            try setOption(TCP_RXT_CONNDROPTIME, at: Int32(IPPROTO_TCP), of: socket, to: seconds)
        #else
            try setOption(TCP_USER_TIMEOUT, at: Int32(IPPROTO_TCP), of: socket, to: seconds * 1000)
        #endif
    }
}

/// The options of the server's Unix sockets.
func setLocalOptions(_ options: SocketOptions, of socket: Int32) throws(SystemError) {
    guard let bytes = options.sendBuffer else { return }
    try setOption(SO_SNDBUF, at: SOL_SOCKET, of: socket, to: bytes)
}

/// Makes the kernel find out that the machine of a silent peer has vanished.
///
/// Source: tcp(7), `TCP_KEEPIDLE`, `TCP_KEEPINTVL`, `TCP_KEEPCNT`.
func keepAlive(
    _ socket: Int32, idleSeconds: Int32, intervalSeconds: Int32, probes: Int32
) throws(SystemError) {
    #if canImport(Darwin)
        let idle = TCP_KEEPALIVE
    #else
        let idle = TCP_KEEPIDLE
    #endif
    try setOption(SO_KEEPALIVE, at: SOL_SOCKET, of: socket, to: 1)
    try setOption(idle, at: Int32(IPPROTO_TCP), of: socket, to: idleSeconds)
    try setOption(TCP_KEEPINTVL, at: Int32(IPPROTO_TCP), of: socket, to: intervalSeconds)
    try setOption(TCP_KEEPCNT, at: Int32(IPPROTO_TCP), of: socket, to: probes)
}

/// Makes a send to a peer that has gone fail with `EPIPE` where no flag of `send` does.
func silenceBrokenPipe(of socket: Int32) throws(SystemError) {
    #if canImport(Darwin)
        try setOption(SO_NOSIGPIPE, at: SOL_SOCKET, of: socket, to: 1)
    #endif
}

func setOption(
    _ option: Int32, at level: Int32, of socket: Int32, to value: Int32
) throws(SystemError) {
    var value = value
    try syscall("setsockopt") {
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

func option(_ option: Int32, at level: Int32, of socket: Int32) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    try syscall("getsockopt") { getsockopt(socket, level, option, &value, &length) }
    return value
}

/// How many bytes of a socket the kernel keeps because the peer has not taken them; 0 if unknown.
///
/// Source: tcp(7) and unix(7), `SIOCOUTQ`, which is the number of `TIOCOUTQ`.
func unacknowledgedBytes(of socket: Int32) -> Int32 {
    #if canImport(Darwin)
        return (try? option(SO_NWRITE, at: SOL_SOCKET, of: socket)) ?? 0
    #else
        var count: Int32 = 0
        return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : 0
    #endif
}

/// Accepts one connection, not blocking, and stores its address; -1 and `errno` when there is none.
///
/// Linux hands the options of a TCP listener down to it, and those of a Unix socket not.
func acceptConnection(
    on listener: Int32, from peer: inout sockaddr_storage, _ options: SocketOptions, isLocal: Bool
) -> Int32 {
    #if os(Linux)
        let descriptor = clinux_accept(listener, &peer)
        if isLocal, descriptor != -1 { try? setLocalOptions(options, of: descriptor) }
        return descriptor
    #else
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutableBytes(of: &peer) {
            accept(listener, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        guard descriptor != -1 else { return -1 }
        do {
            try makeNonBlocking(descriptor)
            if isLocal {
                try setLocalOptions(options, of: descriptor)
            } else {
                try setOptions(options, of: descriptor)
            }
        } catch {
            // The peer has gone already: as if it had gone before it was accepted.
            close(descriptor)
            errno = ECONNABORTED
            return -1
        }
        return descriptor
    #endif
}

/// Listens with room for 4,096 connections that wait to be accepted.
///
/// Source: listen(2).
func startListening(_ socket: Int32) throws(SystemError) {
    try syscall("listen") { listen(socket, 4096) }
}

/// Sends what the kernel takes without waiting, and without a signal when the peer has gone.
func sendAtOnce(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if os(Linux)
        clinux_send(descriptor, bytes, count)
    #else
        send(descriptor, bytes, count, MSG_DONTWAIT)
    #endif
}

/// `close(2)` under a name that a method called `close` does not hide.
func closeSocket(_ descriptor: Int32) {
    close(descriptor)
}

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

    /// Whether other processes of the same user may listen on the same port.
    ///
    /// Source: socket(7), `SO_REUSEPORT`.
    public var sharesPort = false

    /// Makes the options that hold where nothing else is chosen.
    public init() {}
}
