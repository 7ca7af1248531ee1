import Wire

extension LineFramer {
    /// The lines that the first bytes of a buffer complete, without their ends.
    ///
    /// One that is too long is none that this client knows, and is left out.
    mutating func lines(in buffer: [UInt8], count: Int) -> [String] {
        var lines: [String] = []
        receive(buffer.span.extracting(first: count)) { frame in
            switch frame {
            case .line(let line):
                lines.append(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            case .tooLong, .negotiation, .filler: break
            }
        }
        return lines
    }
}
