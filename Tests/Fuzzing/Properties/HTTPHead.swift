import TestSupport
import Web

/// However a stream is split, its requests are the same; what is accepted keeps the strict rules,
/// and has an answer.
func checkHTTPHead(_ stream: [UInt8]) throws(Violation) {
    let whole = try heads(in: stream) { $0 }
    var chance = SplitMix64(seed: UInt64(stream.count))
    for longest in [1, 3, 100] {
        let pieces = try heads(in: stream) { _ in .random(in: 1...longest, using: &chance) }
        try hold(
            pieces == whole, "in pieces of up to \(longest) bytes: \(pieces), not \(whole)")
    }
    try checkOpening(of: stream)
    var start = 0
    for head in whole {
        if case .success(let request) = head.result {
            try checkLines(stream[start..<head.end])
            try checkAnswer(to: request)
        }
        start = head.end
    }
}

/// A head, and where it ended or failed.
private struct Head: Equatable {
    let result: Result<HTTPRequest, HTTPError>
    let end: Int
}

/// The heads of a stream that arrives in pieces; `size` returns the size of each.
private func heads(in stream: [UInt8], by size: (Int) -> Int) throws(Violation) -> [Head] {
    var codec = HTTPCodec()
    var heads: [Head] = []
    var index = 0
    while index < stream.count {
        let end = min(index + size(stream.count), stream.count)
        while index < end {
            let (used, result) = codec.receive(stream.span.extracting(index..<end))
            index += used
            guard let result else {
                try hold(index == end, "the codec left bytes without a result")
                continue
            }
            heads.append(Head(result: result, end: index))
            if case .failure = result { return heads }
            try hold(!codec.isUnfinished, "a head is unfinished after its end")
        }
    }
    return heads
}

/// Each line of an accepted head ends with CRLF, the last one is empty, and none has a NUL.
private func checkLines(_ head: ArraySlice<UInt8>) throws(Violation) {
    try hold(head.suffix(4).elementsEqual("\r\n\r\n".utf8), "the last line is not empty")
    try hold(!head.contains(0), "a NUL was accepted")
    try hold(head.count <= HTTPCodec.longestHead + 2, "a head of \(head.count) bytes was accepted")
    for index in head.indices {
        let isReturn = head[index] == UInt8(ascii: "\r")
        let isBeforeFeed = index + 1 < head.endIndex && head[index + 1] == UInt8(ascii: "\n")
        try hold(isReturn == isBeforeFeed, "a line of an accepted head ends without CRLF")
    }
}

/// The answer is one whole response, and has no line that came from the request.
private func checkAnswer(to request: HTTPRequest) throws(Violation) {
    let path = request.path.utf8
    try hold(path.allSatisfy { (0x21...0x7E).contains($0) }, "the path \(request.path)")
    let answer =
        switch Site.reply(to: request) {
        case .report: HTTPResponse.metrics([]).bytes(isHead: false, keepsAlive: true)
        case .address: Site.address(.others(nil)).bytes(isHead: false, keepsAlive: true)
        case .response(let response): response.bytes(isHead: true, keepsAlive: request.keepsAlive)
        case .room(let resource, let room):
            Site.response(
                to: request, for: resource, hasRoom: room == nil,
                url: Site.url(ofRoom: room, for: request, .thisMachine)
            ).bytes(isHead: true, keepsAlive: request.keepsAlive)
        case .upgrade: handshake(with: request)
        }
    let lines = String(decoding: answer, as: UTF8.self).split(
        separator: "\r\n", omittingEmptySubsequences: false)
    try hold(lines.first?.hasPrefix("HTTP/1.1 ") == true, "no status line")
    try hold(lines.suffix(2) == ["", ""], "no empty line at the end of \(lines)")
    try hold(
        lines.dropFirst().dropLast(2).allSatisfy { $0.contains(": ") }, "no field in \(lines)")
}

private func handshake(with request: HTTPRequest) -> [UInt8] {
    switch WebSocketHandshake.response(to: request, allowing: []) {
    case .success(let response): response
    case .failure(let error): error.response.bytes(isHead: true, keepsAlive: false)
    }
}

/// More bytes do not change a decision.
private func checkOpening(of stream: [UInt8]) throws(Violation) {
    var known = HTTPOpening.undecided
    for count in 0...min(stream.count, 20) {
        let opening = HTTPOpening.of(stream.span.extracting(first: count))
        try hold(known == .undecided || opening == known, "\(known) became \(opening)")
        known = opening
    }
    try hold(stream.count < 8 || known != .undecided, "eight bytes do not decide")
}
