import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Why a Unix socket cannot be listened on.
public enum LocalSocketError: Error, Equatable, CustomStringConvertible {
    /// A server listens there already.
    case inUse
    /// There is a file of another kind, which is not removed.
    case notASocket
    /// The system refused a call.
    case system(SystemError)

    /// The end of a sentence that begins with the path.
    public var description: String {
        switch self {
        case .inUse: "a server listens there already"
        case .notASocket: "there is a file that is no socket"
        case .system(let error): error.description
        }
    }
}

/// A new Unix socket, bound to a path and listening, which its owner alone may connect to.
///
/// The file that a dead server has left there is replaced.
///
/// Source: unix(7).
func listenLocally(at path: String) throws(LocalSocketError) -> Int32 {
    if let socket = try tryToListen(at: path) { return socket }
    try removeDeadSocket(path)
    guard let socket = try tryToListen(at: path) else { throw .inUse }
    return socket
}

/// Connects to a Unix socket; the socket it returns does not block.
///
/// - Throws: `SystemError` when no server listens there, or it may not be connected to.
func connectLocally(to path: String) throws(SystemError) -> Int32 {
    let socket = try makeSocket(family: AF_UNIX)
    do throws(SystemError) {
        try silenceBrokenPipe(of: socket)
        try withAddress(of: path, for: "connect") { address, length in
            connect(socket, address, length)
        }
    } catch {
        close(socket)
        throw error
    }
    return socket
}

/// The socket; nil where there is a file of that name.
private func tryToListen(at path: String) throws(LocalSocketError) -> Int32? {
    do throws(SystemError) {
        let socket = try makeSocket(family: AF_UNIX)
        do throws(SystemError) {
            try bindForOwner(socket, to: path)
            try startListening(socket)
        } catch {
            close(socket)
            if error == SystemError(code: EADDRINUSE, call: "bind") { return nil }
            throw error
        }
        return socket
    } catch {
        throw .system(error)
    }
}

/// Binds a socket to a path, with a file that its owner alone may connect through.
///
/// A chmod after that would come too late. Linux gives the file the mode of the socket; elsewhere
/// the mask is changed meanwhile, of the whole process.
private func bindForOwner(_ socket: Int32, to path: String) throws(SystemError) {
    #if os(Linux)
        try syscall("fchmod") { fchmod(socket, 0o600) }
    #else
        let before = umask(0o177)
        defer { umask(before) }
    #endif
    try withAddress(of: path, for: "bind") { bind(socket, $0, $1) }
}

/// Removes the file of a server that no longer listens.
private func removeDeadSocket(_ path: String) throws(LocalSocketError) {
    var found = stat()
    guard lstat(path, &found) == 0 else { return }
    guard found.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket }
    do throws(SystemError) {
        close(try connectLocally(to: path))
    } catch {
        guard error.code == ECONNREFUSED else {
            throw error.code == EAGAIN ? .inUse : .system(error)
        }
        unlink(path)
        return
    }
    throw .inUse
}

/// Performs a call with the address of a path.
private func withAddress(
    of path: String, for call: StaticString,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room, !path.utf8.contains(0) else {
        throw SystemError(code: ENAMETOOLONG, call: call.description)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try syscall(call) {
        withUnsafeBytes(of: &address) { bytes -> Int32 in
            guard let start = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else {
                return -1
            }
            return body(start, socklen_t(bytes.count))
        }
    }
}

/// The file of a Unix socket that this process listens on; released, it is removed.
///
/// Not if another file has that name by then: another server may have been started there.
struct SocketFile: ~Copyable, Sendable {
    private let path: String
    private let identity: (dev_t, ino_t)?

    init(path: String) {
        self.path = path
        identity = Self.identity(of: path)
    }

    deinit {
        if let identity, let now = Self.identity(of: path), now == identity { unlink(path) }
    }

    private static func identity(of path: String) -> (dev_t, ino_t)? {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        return (found.st_dev, found.st_ino)
    }
}
