import Posix

/// Why a journal cannot be read or written.
public enum JournalError: Error, CustomStringConvertible {
    /// The folder does not have what was written to it.
    case damage(Damage)
    /// A server of another version wrote the file, in a format that this one does not read.
    case otherVersion(file: String, isNewer: Bool)
    /// The system refused a call.
    case system(SystemError)
    /// Only the first of the bytes were written.
    case shortWrite(written: Int, of: Int)

    /// The reason, for a person.
    public var description: String {
        switch self {
        case .damage(let damage): damage.description
        case .otherVersion(let file, let isNewer):
            "\(isNewer ? "a newer" : "an older") version wrote \(file), whose journals this one does "
                + "not read"
        case .system(let error): error.description
        case .shortWrite(let written, let count): "write: only \(written) of \(count) bytes"
        }
    }

    /// Makes a call of the disk, and converts its error.
    static func of<Result>(
        _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(JournalError) -> Result {
        do throws(SystemError) { return try call() } catch { throw .system(error) }
    }
}

/// The first place at which a file differs from what a journal wrote.
public struct Damage: Error, Equatable, CustomStringConvertible {
    /// The name of the file in its folder.
    public let file: String
    /// The offset of the line in the file, in bytes.
    public let offset: Int
    /// The number of the line, from 1.
    public let line: Int
    /// What is wrong there, as the end of a sentence.
    public let reason: String

    /// The place and the reason, such as `000000000001.journal, byte 812, line 17: no header`.
    public var description: String { "\(file), byte \(offset), line \(line): \(reason)" }
}
