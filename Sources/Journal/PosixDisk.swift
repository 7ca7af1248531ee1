import Posix

#if os(Linux)
    import CLinux
#endif
#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder of the file system.
public struct PosixDisk: Disk {
    private let folder: String

    /// Creates a disk for a folder, which must exist by the first call.
    public init(folder: String) {
        self.folder = folder
    }

    /// The names of the files in the folder, in no order.
    public func names() throws(SystemError) -> [String] {
        try namesInFolder(folder)
    }

    /// Reads a whole file.
    public func read(_ name: String) throws(SystemError) -> [UInt8] {
        let file = try openFile(path(name), flags: O_RDONLY)
        defer { closeFile(file) }
        return try readAll(file)
    }

    /// The size of a file, and the time of its last write in milliseconds since 1970.
    ///
    /// Source: lstat(2).
    public func status(_ name: String) throws(SystemError) -> (bytes: Int, written: Int64) {
        var status = stat()
        try syscall("lstat") { lstat(path(name), &status) }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        let written = Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        return (Int(status.st_size), written)
    }

    /// The bytes that this process can still write to the file system of the folder.
    ///
    /// Source: statvfs(3).
    public func freeBytes() throws(SystemError) -> Int {
        var status = statvfs()
        try syscall("statvfs") { statvfs(folder, &status) }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Creates a file, which must not exist, for its owner alone, and opens it to append to it.
    public func create(_ name: String) throws(SystemError) -> Int32 {
        try openFile(path(name), flags: O_WRONLY | O_APPEND | O_CREAT | O_EXCL)
    }

    /// Opens a file to append to it.
    public func open(_ name: String) throws(SystemError) -> Int32 {
        try openFile(path(name), flags: O_WRONLY | O_APPEND)
    }

    /// Appends bytes, waits until they survive a power cut, and returns how many were written.
    ///
    /// One call where the kernel and the file system have it, else two. That call is not repeated
    /// after a signal, for then the bytes could be there twice.
    ///
    /// Source: pwritev2(2), `RWF_DSYNC`; write(2).
    public func writeSynced(
        _ bytes: UnsafeRawBufferPointer, to file: Int32
    ) throws(SystemError) -> Int {
        #if os(Linux)
            let count = clinux_append_synced(file, bytes.baseAddress, bytes.count)
            if count != -1 { return count }
            guard errno == EOPNOTSUPP || errno == ENOSYS else {
                throw SystemError(code: errno, call: "pwritev2")
            }
        #endif
        let written = try syscall("write") { write(file, bytes.baseAddress, bytes.count) }
        if written == bytes.count { try sync(file) }
        return written
    }

    /// Cuts a file to its first bytes.
    public func truncate(_ file: Int32, to size: Int) throws(SystemError) {
        try syscall("ftruncate") { ftruncate(file, off_t(size)) }
    }

    /// Waits until the bytes of a file survive a power cut.
    ///
    /// After a failure the system may have forgotten the bytes: a second try that succeeds proves
    /// nothing.
    ///
    /// Source: fdatasync(2); on Darwin fcntl(2), `F_FULLFSYNC`.
    public func sync(_ file: Int32) throws(SystemError) {
        #if canImport(Darwin)
            try syscall("fcntl") { fcntl(file, F_FULLFSYNC) }
        #else
            try syscall("fdatasync") { fdatasync(file) }
        #endif
    }

    /// Closes a file.
    public func close(_ file: Int32) {
        closeFile(file)
    }

    /// Renames a file, and replaces any file of that name.
    public func rename(_ name: String, to newName: String) throws(SystemError) {
        try renameFile(path(name), to: path(newName))
    }

    /// Removes a file.
    public func remove(_ name: String) throws(SystemError) {
        try syscall("unlink") { unlink(path(name)) }
    }

    /// Waits until the names of the folder's files survive a power cut.
    public func syncFolder() throws(SystemError) {
        // Its path may be a link.
        let file = try openFile("\(folder)/.", flags: O_RDONLY | O_DIRECTORY)
        defer { closeFile(file) }
        try syscall("fsync") { fsync(file) }
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
}

// Outside the type, whose methods have the names of the calls.

private func openFile(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
    try syscall("open") { open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600) }
}

private func readAll(_ file: Int32) throws(SystemError) -> [UInt8] {
    var status = stat()
    try syscall("fstat") { fstat(file, &status) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
        let more = try syscall("read") {
            bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                return read(file, rest.baseAddress, rest.count)
            }
        }
        if more == 0 { break }
        count += more
    }
    return count == bytes.count ? bytes : Array(bytes.prefix(count))
}

private func renameFile(_ path: String, to newPath: String) throws(SystemError) {
    try syscall("rename") { rename(path, newPath) }
}

private func closeFile(_ file: Int32) {
    close(file)
}
