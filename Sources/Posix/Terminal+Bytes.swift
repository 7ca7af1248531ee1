#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What became of one attempt to read what was typed.
public enum TerminalReading: Equatable, Sendable {
    /// So many bytes were read, at least one.
    case bytes(Int)
    /// Nothing has been typed.
    case wouldBlock
    /// The terminal has gone, or is another's for good.
    case end
}

extension Terminal {
    /// Whether the terminal has taken all that was written, so that the next frame may be drawn.
    public var isDrained: Bool { takenBytes == outgoing.count }

    /// Reads what was typed, as far as there is room in the buffer.
    ///
    /// Source: read(2), `EIO`.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> TerminalReading {
        let count = uninterrupted { readBytes(descriptor, buffer.baseAddress, buffer.count) }
        if count > 0 { return .bytes(count) }
        return count == -1 && errno == EAGAIN ? .wouldBlock : .end
    }

    /// Writes as many bytes as the terminal takes now, and keeps the others for `flush`.
    public func write(_ bytes: [UInt8]) {
        outgoing += bytes
        flush()
    }

    /// Writes what was kept, as far as the terminal takes it now.
    ///
    /// A terminal that has gone takes everything: that it has is for `read` to tell.
    public func flush() {
        while !isDrained && !isHungUp {
            let count = uninterrupted {
                outgoing[takenBytes...].withUnsafeBytes {
                    writeBytes(descriptor, $0.baseAddress, $0.count)
                }
            }
            guard count > 0 else {
                isHungUp = count == -1 && errno != EAGAIN
                break
            }
            takenBytes += count
        }
        if isDrained || isHungUp { dropOutgoing() }
    }

    func dropOutgoing() {
        outgoing.removeAll(keepingCapacity: true)
        takenBytes = 0
    }
}

/// `read(2)` under a name that a method called `read` does not hide.
private func readBytes(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    read(descriptor, bytes, count)
}

/// `write(2)` under a name that a method called `write` does not hide.
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
