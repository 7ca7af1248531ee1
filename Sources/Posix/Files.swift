#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads a small file, or the first bytes of one.
///
/// - Throws: `SystemError` when it cannot be opened or read.
///
/// Source: open(2), read(2).
public func readFile(_ path: String, atMost limit: Int) throws(SystemError) -> [UInt8] {
    let file = try syscall("open") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    defer { close(file) }
    return try readBeginning(of: file, atMost: limit)
}

/// Reads a file to its end, or to a limit; a pipe is waited for.
///
/// - Throws: `SystemError` when it cannot be opened or read.
///
/// Source: open(2), read(2).
public func readWholeFile(_ path: String, atMost limit: Int) throws(SystemError) -> [UInt8] {
    let file = try syscall("open") { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    var bytes: [UInt8] = []
    while bytes.count < limit {
        let part = try readBeginning(of: file, atMost: min(limit - bytes.count, 64 * 1024))
        guard !part.isEmpty else { break }
        bytes += part
    }
    return bytes
}

/// Reads what one call gives of an open file.
func readBeginning(of file: Int32, atMost limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try syscall("read") {
        bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    }
    return Array(bytes.prefix(count))
}

/// Puts a file in the place of another, so that a reader sees the old one or the new one whole.
///
/// - Throws: `SystemError` when it cannot be made, written or moved to its place.
///
/// Source: open(2), rename(2).
public func replaceFile(
    _ path: String, with bytes: [UInt8], mode: mode_t
) throws(SystemError) {
    let draft = "\(path).\(getpid())"
    do throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let file = try syscall("open") { open(draft, flags, mode) }
        defer { close(file) }
        try writeAll(bytes, to: file)
        try syscall("rename") { rename(draft, path) }
    } catch {
        unlink(draft)
        throw error
    }
}

/// Makes a folder unless it is there, with the folders above it.
///
/// - Throws: `SystemError` when it cannot be made.
///
/// Source: mkdir(2).
public func makeFolder(_ path: String, mode: mode_t) throws(SystemError) {
    guard mkdir(path, mode) == -1, errno != EEXIST else { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
        throw SystemError(code: errno, call: "mkdir")
    }
    try makeFolder(String(path[..<slash]), mode: mode)
    guard mkdir(path, mode) == -1, errno != EEXIST else { return }
    throw SystemError(code: errno, call: "mkdir")
}

/// The names of what a folder holds, in no order, without those that begin with a dot.
///
/// - Throws: `SystemError` when it cannot be read.
///
/// Source: opendir(3), readdir(3).
public func namesInFolder(_ path: String) throws(SystemError) -> [String] {
    guard let folder = opendir(path) else { throw SystemError(code: errno, call: "opendir") }
    defer { closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            let capacity = MemoryLayout.size(ofValue: pointer.pointee)
            return pointer.withMemoryRebound(to: CChar.self, capacity: capacity) {
                String(cString: $0)
            }
        }
        if !name.hasPrefix(".") { names.append(name) }
        errno = 0
    }
    guard errno == 0 else { throw SystemError(code: errno, call: "readdir") }
    return names
}

/// Reads what has arrived, at most as much as fits; 0 at the end, nil if there is nothing yet.
///
/// It waits for the first byte, unless the descriptor is one that does not block.
///
/// - Throws: `SystemError` when the descriptor cannot be read.
///
/// Source: read(2).
public func readAvailable(
    _ descriptor: Int32, into buffer: inout [UInt8]
) throws(SystemError) -> Int? {
    let count = uninterrupted {
        buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    }
    if count != -1 { return count }
    guard errno == EAGAIN else { throw SystemError(code: errno, call: "read") }
    return nil
}

/// Writes bytes, all of them, waiting where it must.
///
/// - Throws: `SystemError` when no process reads the descriptor any more, or its disk is full.
///
/// Source: write(2).
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = uninterrupted {
            rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
        if count != -1 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            try waitUntilWritable(descriptor)
        } else {
            throw SystemError(code: errno, call: "write")
        }
    }
}

/// Waits where a descriptor does not block, as when another process made it so.
private func waitUntilWritable(_ descriptor: Int32) throws(SystemError) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    try syscall("poll") { poll(&entry, 1, -1) }
}

/// The path from the root to a file, without links in it; the same path if there is no such file.
///
/// Source: realpath(3).
public func absolutePath(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
}

/// The value of a variable of the environment; nil if it is not set.
///
/// Source: getenv(3).
public func environmentVariable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// The name of the user whose process this is; nil if nothing knows it.
///
/// The environment of a container may not have it.
///
/// Source: POSIX, Environment Variables, 8.3; getpwuid(3).
public func loginName(environment: (String) -> String?) -> String? {
    for variable in ["LOGNAME", "USER"] {
        if let name = environment(variable), !name.isEmpty { return name }
    }
    return getpwuid(getuid())?.pointee.pw_name.map { String(cString: $0) }
}

/// Why a file with a secret is not read.
public enum PrivateFileError: Error, Equatable {
    /// It cannot be opened or read.
    case system(SystemError)
    /// It is a folder, a pipe or something of that kind.
    case notRegular
    /// Its group or others may read, write or run it.
    case openToOthers
}

/// Reads a small file, or the first bytes of one, that its owner alone may read or write.
///
/// Its mode is checked after it is opened, so that it cannot be exchanged in between.
///
/// - Throws: `PrivateFileError` when it cannot be read, or others may.
///
/// Source: open(2), fstat(2), read(2).
public func readPrivateFile(_ path: String, atMost limit: Int) throws(PrivateFileError) -> [UInt8] {
    var status = stat()
    let bytes: [UInt8]
    do throws(SystemError) {
        let file = try syscall("open") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        defer { close(file) }
        try syscall("fstat") { fstat(file, &status) }
        // A pipe would be emptied, and a folder cannot be read.
        bytes = status.isRegular ? try readBeginning(of: file, atMost: limit) : []
    } catch {
        throw .system(error)
    }
    guard status.isRegular else { throw .notRegular }
    guard status.st_mode & 0o077 == 0 else { throw .openToOthers }
    return bytes
}

extension stat {
    fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
