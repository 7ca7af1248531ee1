import TestSupport
import Web

/// However a stream is split, and wherever its reader pauses, its events are the same, and they are
/// those of a decoder that reads whole frames.
func checkWebSocketFrames(_ stream: [UInt8]) throws(Violation) {
    for limit in [125, 1024] {
        let whole = events(of: stream, limit: limit) { $0 }
        var chance = SplitMix64(seed: UInt64(stream.count))
        for longest in [1, 2, 7, 100] {
            let pieces = events(of: stream, limit: limit) { _ in
                .random(in: 1...longest, using: &chance)
            }
            try hold(
                pieces == whole, "in pieces of up to \(longest) bytes: \(pieces), not \(whole)")
        }
        try hold(eventsInTurns(of: stream, limit: limit) == whole, "with stops: not \(whole)")
        var decoder = FrameDecoder(stream, limit: limit)
        let expected = decoder.events()
        let found = whole.filter { $0 != .filler }
        try hold(found == expected, "\(found), not \(expected)")
    }
}

/// What a codec finds.
private enum Found: Equatable {
    case message([UInt8])
    case tooLong
    case pong([UInt8])
    case filler
    case end([UInt8])

    init(_ event: borrowing WebSocketCodec.Event) {
        switch event {
        case .message(let text): self = .message(text.withUnsafeBufferPointer { Array($0) })
        case .tooLong: self = .tooLong
        case .control(let answer): self = .pong(answer)
        case .filler: self = .filler
        case .end(let closing): self = .end(closing)
        }
    }
}

/// The events of a stream that arrives in pieces; `size` returns the size of each.
private func events(of stream: [UInt8], limit: Int, by size: (Int) -> Int) -> [Found] {
    var codec = WebSocketCodec(limit: limit)
    var found: [Found] = []
    var start = 0
    while start < stream.count {
        let end = min(start + size(stream.count), stream.count)
        _ = codec.receive(stream.span.extracting(start..<end), while: { true }) {
            found.append(Found($0))
        }
        start = end
    }
    return found
}

/// The events of a stream whose reader takes one at a time.
private func eventsInTurns(of stream: [UInt8], limit: Int) -> [Found] {
    var codec = WebSocketCodec(limit: limit)
    var found: [Found] = []
    var start = 0
    while start < stream.count {
        var isWanted = true
        start += codec.receive(stream.span.extracting(start...), while: { isWanted }) {
            found.append(Found($0))
            isWanted = false
        }
    }
    return found
}

/// A second implementation of RFC 6455, for a stream that is complete.
private struct FrameDecoder {
    private let stream: [UInt8]
    private let limit: Int
    private var position = 0
    private var message: [UInt8]?
    private var messageLength = 0
    private var isTooLong = false
    private var found: [Found] = []

    /// The close code for a broken rule.
    private struct Fault: Error { let code: UInt16 }
    /// The stream ends within a frame.
    private struct Cut: Error {}

    init(_ stream: [UInt8], limit: Int) {
        (self.stream, self.limit) = (stream, limit)
    }

    mutating func events() -> [Found] {
        do {
            while position < stream.count { try readFrame() }
        } catch let fault as Fault {
            found.append(.end(WebSocketFrame.closing(code: fault.code)))
        } catch {}
        return found
    }

    private mutating func number(_ count: Int) throws -> UInt64 {
        var number: UInt64 = 0
        for place in 0..<count {
            guard position < stream.count else { throw Cut() }
            number = number << 8 | UInt64(stream[position])
            position += 1
            if count == 8, place == 0, number >= 0x80 { throw Fault(code: 1002) }
        }
        return number
    }

    private mutating func readFrame() throws {
        let first = UInt8(try number(1))
        let (isFinal, opcode) = (first & 0x80 != 0, first & 0x0F)
        guard first & 0x70 == 0, [0, 1, 2, 8, 9, 10].contains(opcode) else {
            throw Fault(code: 1002)
        }
        let isControl = opcode >= 8
        if isControl ? !isFinal : (opcode == 0) != (message != nil) { throw Fault(code: 1002) }
        if opcode == 2 { throw Fault(code: 1003) }
        if opcode == 1 { (message, messageLength, isTooLong) = ([], 0, false) }
        let length = try readLength(isControl: isControl)
        if !isControl { try addLength(length) }
        let payload = try readPayload(Int(length), isText: !isControl)
        switch opcode {
        case 8: try close(payload)
        case 9: found.append(.pong([0x8A, UInt8(payload.count)] + payload))
        case 10: break
        default: if isFinal { try endMessage() }
        }
    }

    private mutating func readLength(isControl: Bool) throws -> UInt64 {
        let second = try number(1)
        guard second >= 0x80, !isControl || second <= 0x80 + 125 else { throw Fault(code: 1002) }
        switch second & 0x7F {
        case 126:
            let length = try number(2)
            guard length > 125 else { throw Fault(code: 1002) }
            return length
        case 127:
            let length = try number(8)
            guard length > 65535 else { throw Fault(code: 1002) }
            return length
        default: return second & 0x7F
        }
    }

    private mutating func addLength(_ length: UInt64) throws {
        guard length <= 65536, messageLength + Int(length) <= 65536 else { throw Fault(code: 1009) }
        messageLength += Int(length)
        guard messageLength > limit, !isTooLong else { return }
        isTooLong = true
        found.append(.tooLong)
    }

    private mutating func readPayload(_ length: Int, isText: Bool) throws -> [UInt8] {
        let mask = try number(4)
        let end = min(position + length, stream.count)
        let payload = stream[position..<end].enumerated().map { offset, byte in
            byte ^ UInt8(truncatingIfNeeded: mask >> (24 - 8 * (offset % 4)))
        }
        let isWhole = end - position == length
        position = end
        if isText {
            message = (message ?? []) + payload
            guard Self.canBegin(message ?? []) else { throw Fault(code: 1007) }
        }
        guard isWhole else { throw Cut() }
        return payload
    }

    /// Whether text may begin with the bytes: a few more make them UTF-8.
    private static func canBegin(_ bytes: [UInt8]) -> Bool {
        let firsts: [[UInt8]] = [[], [0x80], [0x90], [0xA0]]
        let rests: [[UInt8]] = [[], [0x80], [0x80, 0x80]]
        return firsts.contains { first in
            rests.contains { String(validating: bytes + first + $0, as: UTF8.self) != nil }
        }
    }

    private mutating func endMessage() throws {
        defer { message = nil }
        guard var text = message, String(validating: text, as: UTF8.self) != nil else {
            throw Fault(code: 1007)
        }
        guard !isTooLong else { return }
        if text.last == 10 {
            text.removeLast()
            if text.last == 13 { text.removeLast() }
        }
        found.append(.message(text))
    }

    private mutating func close(_ payload: [UInt8]) throws {
        position = stream.count
        guard !payload.isEmpty else { return found.append(.end([0x88, 0])) }
        guard payload.count > 1 else { throw Fault(code: 1002) }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard
            [1000, 1001, 1002, 1003].contains(code) || (1007...1014).contains(code)
                || (3000...4999).contains(code)
        else { throw Fault(code: 1002) }
        guard String(validating: payload[2...], as: UTF8.self) != nil else {
            throw Fault(code: 1007)
        }
        found.append(.end([0x88, 2, payload[0], payload[1]]))
    }
}
