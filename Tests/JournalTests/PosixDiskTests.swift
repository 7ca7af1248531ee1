import Journal
import Posix
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct PosixDiskTests {
    private let temporary = TemporaryFolder()
    private var folder: String { temporary.path }

    @Test("a sync is asked of the system, which has none for a pipe")
    func syncIsReal() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(throws: SystemError.self) { try PosixDisk(folder: folder).sync(ends[1]) }
    }

    @Test("bytes that are written and synced at once are appended")
    func writesSynced() throws {
        let disk = PosixDisk(folder: folder)
        let file = try disk.create("file")
        defer { disk.close(file) }
        for word in ["bid ", "120\n"] {
            let bytes = Array(word.utf8)
            #expect(try bytes.withUnsafeBytes { try disk.writeSynced($0, to: file) } == 4)
        }
        #expect(try disk.read("file") == Array("bid 120\n".utf8))
    }

    #if os(Linux)
        @Test("where one call cannot write and sync, two do")
        func writesThenSyncs() throws {
            let disk = PosixDisk(folder: "/proc/self")
            // This file takes only writes without flags, and cannot be synced. Its default is 0x33.
            let file = try disk.open("coredump_filter")
            defer { disk.close(file) }
            #expect(throws: SystemError(code: EINVAL, call: "fdatasync")) {
                try Array("0x33".utf8).withUnsafeBytes { try disk.writeSynced($0, to: file) }
            }
        }
    #endif

    @Test("a journal goes on where it ended, in files for its owner alone")
    func reopens() async throws {
        let disk = PosixDisk(folder: folder)
        let entries = try await onThread {
            for first in [1, 4] {
                let running = try RunningJournal(disk)
                running.write([.event(first), .event(first + 1)])
                if first == 4 { _ = running.journal.beginSegment { logBatch([]) } }
                running.write([.event(first + 2)])
                running.journal.close()
            }
            return try allEvents(disk).events
        }
        #expect(entries == (1...6).map { .event($0) })
        for name in [fileName(1), fileName(6)] {
            var status = stat()
            #expect(stat("\(folder)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test("a torn tail is cut off the file")
    func cuts() throws {
        let disk = PosixDisk(folder: folder)
        let whole = try recover(disk).recovery.segmentBytes
        let file = try disk.open(fileName(1))
        let torn = Array("1 0000".utf8)
        #expect(try torn.withUnsafeBytes { try disk.writeSynced($0, to: file) } == 6)
        disk.close(file)
        #expect(try recover(disk).recovery.cut?.bytes == 6)
        #expect(try disk.read(fileName(1)).count == whole)
    }

    @Test("a folder is locked by one process, whose number the next one gets, until it is released")
    func lock() throws {
        do {
            let lock = try FolderLock(folder: folder)
            #expect(throws: FolderLock.Failure.held(by: getpid())) {
                _ = try FolderLock(folder: self.folder)
            }
            let disk = PosixDisk(folder: folder)
            try disk.remove("lock")
            #expect(throws: FolderLock.Failure.held(by: nil)) {
                _ = try FolderLock(folder: self.folder)
            }
            #expect(try disk.names() == [])
            _ = consume lock
        }
        _ = try FolderLock(folder: folder)
        #expect(throws: FolderLock.Failure.self) {
            _ = try FolderLock(folder: self.folder + "/none")
        }
    }
}
