#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Why a file is not read that should be its owner's alone.
public enum PrivateFileError: Error, Equatable {
    /// It cannot be opened or read.
    case system(SystemError)
    /// It is a folder, a pipe or something of that kind.
    case notRegular
    /// Its group or others may read, write or run it.
    case openToOthers
}

/// Reads a small file, or the first bytes of one, that nobody but its owner may read or write.
///
/// It is looked at when it is open already, so that nobody can exchange it in between.
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
