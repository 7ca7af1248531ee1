#if os(Linux)
    import CLinux
#endif
#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Waits until what was written to a file is on the disk, and survives a power cut.
///
/// After a failure the system may have forgotten the bytes: a second try that succeeds proves nothing.
///
/// - Throws: `SystemError` when the disk fails.
///
/// Source: fdatasync(2); on Darwin fcntl(2), `F_FULLFSYNC`.
public func syncFile(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
        try syscall("fcntl") { fcntl(descriptor, F_FULLFSYNC) }
    #else
        try syscall("fdatasync") { fdatasync(descriptor) }
    #endif
}

/// Appends bytes to a file that was opened to append, and waits until they survive a power cut.
///
/// Returns how many bytes were written; fewer than all are not complete. Nil, and nothing is
/// written, where the kernel or the file system has no single call for that.
///
/// - Throws: `SystemError` when the disk fails; then some of the bytes may be in the file. It is not
///   repeated after a signal, for then the bytes could be there twice.
///
/// Source: pwritev2(2), `RWF_DSYNC`.
public func appendSynced(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
) throws(SystemError) -> Int? {
    #if os(Linux)
        let count = clinux_append_synced(descriptor, bytes.baseAddress, bytes.count)
        if count != -1 { return count }
        guard errno == EOPNOTSUPP || errno == ENOSYS else {
            throw SystemError(code: errno, call: "pwritev2")
        }
    #endif
    return nil
}

/// Waits until the files that were made in a folder, or removed from it, stay so in a power cut.
///
/// - Throws: `SystemError` when the folder cannot be opened, or the disk fails.
///
/// Source: fsync(2).
public func syncFolder(_ path: String) throws(SystemError) {
    let folder = try syscall("open") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(folder) }
    try syscall("fsync") { fsync(folder) }
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
