import TestSupport
import Wire

/// However a stream is split, and wherever its reader pauses, its lines are the same.
func checkFramer(_ stream: [UInt8]) throws(Violation) {
    for limit in [LineFramer.protocolLimit, 16] {
        let whole = cut(stream, limit: limit) { $0 }
        try checkLines(whole, limit: limit)
        try checkPlain(whole, of: stream, limit: limit)
        var chance = SplitMix64(seed: UInt64(stream.count))
        for longest in [1, 2, 3, 16, 1_024] {
            let pieces = cut(stream, limit: limit) { _ in .random(in: 1...longest, using: &chance) }
            try hold(
                pieces == whole, "in pieces of up to \(longest) bytes: \(pieces), not \(whole)")
        }
        try hold(cutInTurns(stream, limit: limit) == whole, "with stops: not \(whole)")
    }
}

/// What a framer finds.
private enum Found: Equatable {
    case line([UInt8])
    /// The frame, with only the part of the line that does not depend on how the stream is split.
    case tooLong([UInt8])
    case answer([UInt8])
}

/// The frames of a stream that comes in pieces; `size` is asked for that of each.
private func cut(_ stream: [UInt8], limit: Int, by size: (Int) -> Int) -> [Found] {
    var framer = LineFramer(limit: limit)
    var found: [Found] = []
    var start = 0
    while start < stream.count {
        let end = min(start + size(stream.count), stream.count)
        framer.receive(stream.span.extracting(start..<end)) {
            if let frame = Found($0, limit) { found.append(frame) }
        }
        start = end
    }
    framer.finish { if let frame = Found($0, limit) { found.append(frame) } }
    return found
}

/// The frames of a stream whose reader takes one at a time.
private func cutInTurns(_ stream: [UInt8], limit: Int) -> [Found] {
    var framer = LineFramer(limit: limit)
    var found: [Found] = []
    var start = 0
    while start < stream.count {
        var isWanted = true
        start += framer.receive(stream.span.extracting(start...), while: { isWanted }) {
            if let frame = Found($0, limit) { found.append(frame) }
            isWanted = false
        }
    }
    framer.finish { if let frame = Found($0, limit) { found.append(frame) } }
    return found
}

extension Found {
    /// Nil for frames that only count bytes, because they come sooner if there are more pieces.
    fileprivate init?(_ frame: borrowing LineFramer.Frame, _ limit: Int) {
        switch frame {
        case .line(let bytes): self = .line(bytes.array)
        case .tooLong(let beginning): self = .tooLong(Array(beginning.array.prefix(limit - 2)))
        case .negotiation(let answer): self = .answer(answer)
        case .filler: return nil
        }
    }
}

extension Span<UInt8> {
    fileprivate var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

/// A line keeps the limit, and an answer to a negotiation refuses it.
private func checkLines(_ found: [Found], limit: Int) throws(Violation) {
    for frame in found {
        switch frame {
        case .line(let bytes):
            try hold(
                bytes.count < limit, "a line of \(bytes.count) bytes, with a limit of \(limit)")
            try hold(!bytes.contains(UInt8(ascii: "\n")), "an end within a line")
        case .tooLong: break
        case .answer(let bytes):
            try hold(
                bytes.count == 3 && bytes[0] == 255 && [252, 254].contains(bytes[1]),
                "\(bytes) refuses nothing")
        }
    }
}

/// A stream without telnet is cut at each LF, CR LF and CR NUL, and nowhere else.
private func checkPlain(_ found: [Found], of stream: [UInt8], limit: Int) throws(Violation) {
    guard !stream.contains(255) else { return }
    var expected: [Found] = []
    var start = 0
    while start < stream.count {
        let (end, ending) = firstEnd(in: stream[start...])
        let line = Array(stream[start..<end])
        if line.count + max(ending, 1) > limit {
            expected.append(.tooLong(Array(line.prefix(limit - 2))))
        } else if ending > 0 || !line.isEmpty {
            expected.append(.line(line))
        }
        // At its end a stream may have a lone CR instead of a line end, and nothing else.
        start = ending > 0 ? end + ending : stream.count
    }
    try hold(found == expected, "\(found), not \(expected)")
}

/// Where the first line ends, and how many bytes its end has; none where the stream ends it.
private func firstEnd(in stream: ArraySlice<UInt8>) -> (Int, Int) {
    for index in stream.indices {
        if stream[index] == UInt8(ascii: "\n") { return (index, 1) }
        guard stream[index] == UInt8(ascii: "\r") else { continue }
        guard index + 1 < stream.endIndex else { return (index, 0) }
        if [0, UInt8(ascii: "\n")].contains(stream[index + 1]) { return (index, 2) }
    }
    return (stream.endIndex, 0)
}
