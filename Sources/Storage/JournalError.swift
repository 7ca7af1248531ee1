import Posix

/// What keeps a journal from being read, or from being written any further.
public enum JournalError: Error, CustomStringConvertible {
    /// The folder does not hold what was written to it.
    case damage(Damage)
    /// The system refused a call.
    case system(SystemError)
    /// The disk took only the first of the bytes.
    case shortWrite(written: Int, of: Int)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .damage(let damage): damage.description
        case .system(let error): error.description
        case .shortWrite(let written, let count): "write: only \(written) of \(count) bytes"
        }
    }

    /// Performs a call of the disk.
    static func of<Result>(
        _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(JournalError) -> Result {
        do throws(SystemError) { return try call() } catch { throw .system(error) }
    }
}

/// The first place at which a file is not what a journal wrote.
public struct Damage: Error, Equatable, CustomStringConvertible {
    /// The name of the file in its folder.
    public let file: String
    /// Bytes from the start of the file to that of the line.
    public let offset: Int
    /// The number of the line, from 1.
    public let line: Int
    /// What is wrong there, as the end of a sentence.
    public let reason: String

    /// The place and the reason, such as `000000000001.journal, byte 812, line 17: no header`.
    public var description: String { "\(file), byte \(offset), line \(line): \(reason)" }
}
