import Posix
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The lines of a file, a pipe or a terminal, read on demand.
///
/// Reads only when the descriptor is ready, and leaves it blocking, because a shell may share it.
final class LineInput {
    /// An item of the input.
    enum Item: Equatable {
        case line(String)
        /// A line that cannot be sent, and the reason.
        case unusable(String)
        /// The input cannot be read; the reason.
        case unreadable(String)
        case end
    }

    /// The bytes of one read; they limit the lines that arrive after the last wanted one.
    private static let readBytes = 4096

    private let descriptor: Int32
    private let loop: EventLoop
    private var handle: Handle?
    private var framer = LineFramer()
    private var buffer = [UInt8](repeating: 0, count: readBytes)

    /// Whether to read it in the next turn without waiting, as with a file, which is always ready.
    private(set) var isDue = false

    init(_ descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Whether a readiness is that of the input.
    func owns(_ readiness: Readiness) -> Bool {
        readiness.handle == handle
    }

    /// Registers the input with the loop, or deregisters it.
    ///
    /// An empty interest would not do, because a closed pipe is still ready then.
    ///
    /// - Throws: `SystemError` if the kernel does not watch the descriptor.
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

    /// Reads once; the input must be ready or due.
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
