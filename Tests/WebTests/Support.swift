import TestSupport
import Testing
import Web

/// The request of a head with these lines.
func request(_ lines: [String]) throws -> HTTPRequest {
    var codec = HTTPCodec()
    let head = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    return try #require(codec.receive(head.span).result).get()
}

/// An event of a WebSocket codec.
enum SeenEvent: Equatable {
    case message(String)
    case tooLong
    case answer([UInt8])
    case filler
    case end([UInt8])

    init(_ event: borrowing WebSocketCodec.Event) {
        switch event {
        case .message(let text):
            self = .message(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        case .tooLong: self = .tooLong
        case .control(let answer): self = .answer(answer)
        case .filler: self = .filler
        case .end(let closing): self = .end(closing)
        }
    }
}

/// What a codec finds in a stream that comes in pieces of the sizes that `size` returns.
func events(
    of stream: [UInt8], limit: Int = 1024, by size: () -> Int
) -> [SeenEvent] {
    var codec = WebSocketCodec(limit: limit)
    var seen: [SeenEvent] = []
    var index = 0
    while index < stream.count {
        let end = min(index + size(), stream.count)
        let used = codec.receive(stream.span.extracting(index..<end), while: { true }) {
            seen.append(SeenEvent($0))
        }
        #expect(used == end - index)
        index = end
    }
    return seen
}

/// Expects these events, however the frames arrive.
func expect(_ frames: [ClientFrame], _ expected: [SeenEvent]) {
    let stream = frames.flatMap(\.bytes)
    for size in [1, 2, 3, 100, 1_000_000] {
        #expect(events(of: stream, by: { size }) == expected, "by \(size)")
    }
    var chance = SplitMix64(seed: UInt64(stream.count))
    let inPieces = events(of: stream) { Int.random(in: 1...20, using: &chance) }
    #expect(inPieces == expected, "in random pieces")
}
