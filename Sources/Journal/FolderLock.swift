import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A lock on a folder for one process, until it is released or the process has ended.
///
/// The folder itself is locked, because a file in it can be removed and made again. The file `lock`
/// has the number of the process; it is locked too, for a file system that locks no folders.
///
/// Source: flock(2).
public struct FolderLock: ~Copyable, Sendable {
    /// Why a folder cannot be locked.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Another process has locked it; its number if that could be read.
        case held(by: Int32?)
        /// The system refused a call.
        case system(SystemError)

        /// The end of a sentence that begins with the folder.
        public var description: String {
            switch self {
            case .held(let owner?): "process \(owner) holds it"
            case .held(nil): "another process holds it"
            case .system(let error): error.description
            }
        }
    }

    private let (folder, file): (Int32, Int32)

    /// Locks a folder, which must exist; never waits.
    ///
    /// - Throws: `held` when another process has locked it.
    public init(folder: String) throws(Failure) {
        let path = "\(folder)/lock"
        let folder = try Self.calling("open") {
            open("\(folder)/.", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        do throws(Failure) {
            if uninterrupted({ flock(folder, LOCK_EX | LOCK_NB) }) != 0, errno == EWOULDBLOCK {
                throw .held(by: Self.owner(of: path))
            }
            file = try Self.take(path)
        } catch {
            close(folder)
            throw error
        }
        self.folder = folder
    }

    deinit {
        close(file)
        close(folder)
    }

    private static func take(_ path: String) throws(Failure) -> Int32 {
        let file = try calling("open") {
            open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        do throws(Failure) {
            guard uninterrupted({ flock(file, LOCK_EX | LOCK_NB) }) == 0 else {
                throw errno == EWOULDBLOCK
                    ? .held(by: owner(file)) : .system(SystemError(code: errno, call: "flock"))
            }
            let pid = Array("\(getpid())\n".utf8)
            try calling("ftruncate") { ftruncate(file, 0) }
            try calling("pwrite") { pwrite(file, pid, pid.count, 0) }
            return file
        } catch {
            close(file)
            throw error
        }
    }

    /// The process that the file names; nil if there is no such file.
    private static func owner(of path: String) -> Int32? {
        let file = uninterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        guard file != -1 else { return nil }
        defer { close(file) }
        return owner(file)
    }

    private static func owner(_ file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = uninterrupted { pread(file, &bytes, bytes.count, 0) }
        return Int32(String(decoding: bytes.prefix(max(0, count - 1)), as: UTF8.self))
    }

    @discardableResult
    private static func calling<Result: FixedWidthInteger & SignedInteger>(
        _ name: StaticString, _ body: () -> Result
    ) throws(Failure) -> Result {
        do throws(SystemError) { return try syscall(name, body) } catch { throw .system(error) }
    }
}
