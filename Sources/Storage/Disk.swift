import Posix

/// A folder on a disk, as far as a journal needs one.
///
/// The seam at which tests make it fail, and forget what was not synced. A file that is open is a
/// number, as it is to the system. No call is repeated after it has failed.
public protocol Disk: Sendable {
    /// The names of the files in the folder, in no order.
    func names() throws(SystemError) -> [String]
    /// Reads a file whole.
    func read(_ name: String) throws(SystemError) -> [UInt8]
    /// The size of a file, and when it was last written to, in milliseconds since 1970.
    func status(_ name: String) throws(SystemError) -> (bytes: Int, written: Int64)
    /// Makes a file that is not there yet, and opens it to append to it.
    func create(_ name: String) throws(SystemError) -> Int32
    /// Opens a file to append to it.
    func open(_ name: String) throws(SystemError) -> Int32
    /// Appends bytes, and returns how many of them the disk took.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemError) -> Int
    /// Appends bytes, waits until they survive a power cut, and returns how many the disk took.
    func writeSynced(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemError) -> Int
    /// Cuts a file to its first bytes.
    func truncate(_ file: Int32, to size: Int) throws(SystemError)
    /// Waits until the bytes of a file survive a power cut.
    func sync(_ file: Int32) throws(SystemError)
    /// Closes a file.
    func close(_ file: Int32)
    /// Gives a file another name, in the place of any file that has it.
    func rename(_ name: String, to newName: String) throws(SystemError)
    /// Removes a file.
    func remove(_ name: String) throws(SystemError)
    /// Waits until the names of the folder's files survive a power cut.
    func syncFolder() throws(SystemError)
}

extension Disk {
    /// Appends bytes and waits until they survive a power cut, in two calls.
    public func writeSynced(
        _ bytes: UnsafeRawBufferPointer, to file: Int32
    ) throws(SystemError) -> Int {
        let written = try write(bytes, to: file)
        if written == bytes.count { try sync(file) }
        return written
    }

    /// Appends bytes and syncs them, all of them or as an error; what was written before an error
    /// stays.
    func appendSynced(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(JournalError) {
        let written: Int
        do throws(SystemError) { written = try writeSynced(bytes, to: file) } catch {
            throw .system(error)
        }
        guard written == bytes.count else {
            throw .shortWrite(written: written, of: bytes.count)
        }
    }

    /// Appends bytes and syncs them, all of them or as an error.
    func appendSynced(_ bytes: [UInt8], to file: Int32) throws(JournalError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JournalError) in try appendSynced(bytes, to: file) }
        }
        try result.get()
    }

    /// Makes a segment of that header and state, and opens it to append to it.
    ///
    /// It gets its name when it is whole on the disk: no crash leaves a part of it under that name.
    func createSegment(
        first: Int, head: borrowing ChecksummedLines
    ) throws(JournalError) -> Int32 {
        let draft = Header.draftName(first: first)
        let file = try JournalError.of(try create(draft))
        do throws(JournalError) {
            try appendSynced(head.bytes, to: file)
            try JournalError.of(try rename(draft, to: Header.fileName(first: first)))
            try JournalError.of(try syncFolder())
            return file
        } catch {
            close(file)
            throw error
        }
    }
}
