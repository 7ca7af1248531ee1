import Posix

/// The folder of a journal on a disk.
///
/// Tests replace it by one that fails, or loses what was not synced. An open file is a number, as
/// in the system. A call that fails is not repeated.
public protocol Disk: Sendable {
    /// The names of the files in the folder, in no order.
    func names() throws(SystemError) -> [String]
    /// Reads a whole file.
    func read(_ name: String) throws(SystemError) -> [UInt8]
    /// The size of a file, and the time of its last write in milliseconds since 1970.
    func status(_ name: String) throws(SystemError) -> (bytes: Int, written: Int64)
    /// The bytes that this process can still write to the file system of the folder.
    func freeBytes() throws(SystemError) -> Int
    /// Creates a file, which must not exist, and opens it to append to it.
    func create(_ name: String) throws(SystemError) -> Int32
    /// Opens a file to append to it.
    func open(_ name: String) throws(SystemError) -> Int32
    /// Appends bytes, waits until they survive a power cut, and returns how many were written.
    ///
    /// Fewer than all need not be synced.
    func writeSynced(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemError) -> Int
    /// Cuts a file to its first bytes.
    func truncate(_ file: Int32, to size: Int) throws(SystemError)
    /// Waits until the bytes of a file survive a power cut.
    func sync(_ file: Int32) throws(SystemError)
    /// Closes a file.
    func close(_ file: Int32)
    /// Renames a file, and replaces any file of that name.
    func rename(_ name: String, to newName: String) throws(SystemError)
    /// Removes a file.
    func remove(_ name: String) throws(SystemError)
    /// Waits until the names of the folder's files survive a power cut.
    func syncFolder() throws(SystemError)
}

extension Disk {
    /// Appends bytes and syncs them.
    ///
    /// - Throws: `shortWrite` if not all were written; what was written before an error stays.
    func appendSynced(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(JournalError) {
        let written: Int
        do throws(SystemError) { written = try writeSynced(bytes, to: file) } catch {
            throw .system(error)
        }
        guard written == bytes.count else {
            throw .shortWrite(written: written, of: bytes.count)
        }
    }

    /// Appends bytes and syncs them.
    func appendSynced(_ bytes: [UInt8], to file: Int32) throws(JournalError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JournalError) in try appendSynced(bytes, to: file) }
        }
        try result.get()
    }

    /// Creates a segment of this header and state, and opens it to append to it.
    ///
    /// It gets its name when all of it is durable, so no crash leaves a part of it under that name.
    func createSegment(
        first: Int, head: borrowing ChecksummedLines
    ) throws(JournalError) -> Int32 {
        let name = Header.unfinishedName(first: first)
        let file = try JournalError.of(try create(name))
        do throws(JournalError) {
            try appendSynced(head.bytes, to: file)
            try JournalError.of(try rename(name, to: Header.fileName(first: first)))
            try JournalError.of(try syncFolder())
            return file
        } catch {
            close(file)
            throw error
        }
    }
}
