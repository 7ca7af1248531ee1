#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file of a Unix socket that this process listens on; released, it is removed.
///
/// Unless it is another's by then: somebody may have moved it and begun anew.
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
