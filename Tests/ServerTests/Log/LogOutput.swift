import Posix
import Server

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A pipe that a log is written to, and its reader: the test.
final class LogOutput {
    let writer: LogWriter
    private let readEnd: Int32
    private let writeEnd: Int32

    init(waitingByteLimit: Int = 1 << 20) throws {
        (readEnd, writeEnd) = try makePipe()
        writer = try LogWriter(to: writeEnd, waitingByteLimit: waitingByteLimit)
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// How many bytes a pipe holds that nobody reads: it is written until it takes no more.
    func fill() -> Int {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
        var count = 0
        while case let written = write(writeEnd, bytes, bytes.count), written > 0 {
            count += written
        }
        return count
    }

    /// Reads this number of bytes, which must have come.
    func take(_ count: Int) {
        var rest = count
        var buffer = [UInt8](repeating: 0, count: 4096)
        while rest > 0 {
            let taken = read(readEnd, &buffer, min(rest, buffer.count))
            guard taken > 0 else { return }
            rest -= taken
        }
    }

    /// Closes the writer, and returns every line that has come and was not read.
    func end() -> [String] {
        writer.close(milliseconds: 10_000)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(readEnd, &buffer, buffer.count), count > 0 {
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
