#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder of a test's own, which goes with everything in it when it is released.
public final class TemporaryFolder: Sendable {
    /// Where it is, without a slash at the end.
    public let path: String

    /// Makes the folder.
    public init() {
        var template = Array("/tmp/auction-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { preconditionFailure("a test needs a folder") }
        path = made
    }

    deinit {
        Self.removeAll(path)
    }

    private static func removeAll(_ path: String) {
        guard remove(path) != 0, let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { removeAll("\(path)/\(name)") }
        }
        closedir(folder)
        remove(path)
    }
}
