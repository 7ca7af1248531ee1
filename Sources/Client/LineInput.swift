import Posix
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The lines of a file, a pipe or a terminal, read as they are wanted.
///
/// The descriptor stays as it is, blocking as a rule, for a shell may share it: it is read only
/// when it is ready. Belongs to the thread of its loop.
final class LineInput {
    /// What is found in the input.
    enum Item: Equatable {
        case line(String)
        /// A line that cannot be said, and why.
        case unusable(String)
        /// The input cannot be read, and why.
        case unreadable(String)
        case end
    }

    /// At most so much is read at once; it bounds how many lines come after the last one wanted.
    private static let readBytes = 4096

    private let descriptor: Int32
    private let loop: EventLoop
    private var handle: Handle?
    private var framer = LineFramer()
    private var buffer = [UInt8](repeating: 0, count: readBytes)

    /// Whether it is to be read in the next turn, for the kernel does not tell when it is ready.
    ///
    /// So it is with files, which always are.
    private(set) var isDue = false

    init(_ descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Whether this is the one that became ready.
    func isMeant(by readiness: Readiness) -> Bool {
        readiness.handle == handle
    }

    /// Has the loop wait for the input, or leave it alone.
    ///
    /// Not by an empty interest: a pipe that nobody writes to any more would be ready all the same.
    ///
    /// - Throws: `SystemError` when the kernel will not watch the descriptor.
    func want(_ isWanted: Bool) throws(SystemError) {
        isDue = false
        guard isWanted else {
            handle.take().map { loop.deregister($0) }
            return
        }
        guard handle == nil else { return }
        do throws(SystemError) {
            handle = try loop.register(descriptor, for: .readable)
        } catch {
            guard error.code == EPERM else { throw error }
            isDue = true
            loop.wake()
        }
    }

    /// Reads what is there, once; it was found ready, or is due.
    func read() -> [Item] {
        do throws(SystemError) {
            guard let count = try readAvailable(descriptor, into: &buffer) else { return [] }
            return count == 0 ? finish() : items(buffer, count)
        } catch {
            return [.unreadable("cannot read the input: \(error)")]
        }
    }

    private func items(_ bytes: [UInt8], _ count: Int) -> [Item] {
        var items: [Item] = []
        framer.receive(bytes.span.extracting(first: count)) { frame in
            if let item = Self.item(frame) { items.append(item) }
        }
        return items
    }

    private func finish() -> [Item] {
        var items: [Item] = []
        framer.finish { frame in
            if let item = Self.item(frame) { items.append(item) }
        }
        return items + [.end]
    }

    private static func item(_ frame: borrowing LineFramer.Frame) -> Item? {
        switch frame {
        case .line(let line):
            let text = line.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
            return text.map { .line($0) } ?? .unusable("a line that is no UTF-8 was not sent")
        case .tooLong:
            return .unusable(
                "a line of more than \(LineFramer.protocolLimit - 1) bytes was not sent")
        case .negotiation, .filler:
            return nil
        }
    }
}
