import Wire

/// Splits what a NATS server sends into operations; the bytes may arrive in any parts.
///
/// Source: the client protocol of NATS, and ADR-4 for headers.
struct NATSParser {
    /// One operation of the server.
    enum Operation {
        /// What the server is, as JSON.
        case info(String)
        case message(NATSMessage, subscription: Int)
        case ping
        case pong
        case acknowledgement
        case error(String)
    }

    /// What a control line says of the message after it.
    private struct ControlLine {
        let subject: String
        let reply: String?
        let subscription: Int
        let headerCount: Int
        let payloadCount: Int
    }

    /// The most bytes of a control line; one of information lists the servers of the cluster.
    private static let (lineLimit, infoLimit) = (4096, 65_536)

    private let messageLimit: Int
    /// The control line, or the line feed after a message, as far as it has come.
    private var line: [UInt8] = []
    private var headers: [UInt8] = []
    private var payload: [UInt8] = []
    /// The message whose parts are received; nil for a control line.
    private var controlLine: ControlLine?

    /// Creates a parser for messages of at most `messageLimit` bytes with their headers.
    init(messageLimit: Int) {
        self.messageLimit = messageLimit
    }

    /// Uses bytes from `index` on, up to the end of an operation; nil if they complete none.
    mutating func next(
        in bytes: Span<UInt8>, from index: inout Int
    ) throws(NATSProblem) -> Operation? {
        if controlLine == nil {
            guard try takeLine(of: bytes, from: &index) else { return nil }
            defer { line.removeAll(keepingCapacity: true) }
            if let operation = try begin(line) { return operation }
        }
        guard let controlLine else { return nil }
        Self.fill(&headers, to: controlLine.headerCount, with: bytes, from: &index)
        Self.fill(&payload, to: controlLine.payloadCount, with: bytes, from: &index)
        Self.fill(&line, to: 2, with: bytes, from: &index)
        guard line.count == 2 else { return nil }
        return try finish(controlLine)
    }

    private static func fill(
        _ buffer: inout [UInt8], to count: Int, with bytes: Span<UInt8>, from index: inout Int
    ) {
        let end = min(bytes.count, index + count - buffer.count)
        bytes.extracting(index..<end).withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
        index = end
    }

    /// Adds bytes up to a line feed to the control line; false if there is none.
    private mutating func takeLine(
        of bytes: Span<UInt8>, from index: inout Int
    ) throws(NATSProblem) -> Bool {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        bytes.extracting(start..<index).withUnsafeBufferPointer { line.append(contentsOf: $0) }
        let limit = line.starts(with: "INFO ".utf8) ? Self.infoLimit : Self.lineLimit
        guard line.count <= limit else { throw unexpected("a line of more than \(limit) bytes") }
        guard index < bytes.count else { return false }
        index += 1
        guard line.popLast() == UInt8(ascii: "\r") else {
            throw unexpected("a line that ends without a carriage return")
        }
        return true
    }

    /// Reads a control line; nil if a message follows.
    private mutating func begin(_ line: [UInt8]) throws(NATSProblem) -> Operation? {
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .map { String(decoding: $0, as: UTF8.self) }
        let rest = line.drop { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        switch words.first?.uppercased() {
        case "INFO": return .info(String(decoding: rest, as: UTF8.self))
        case "MSG": controlLine = try message(words, counts: 1)
        case "HMSG": controlLine = try message(words, counts: 2)
        case "PING": return .ping
        case "PONG": return .pong
        case "+OK": return .acknowledgement
        case "-ERR": return .error(rest.text(trimming: " '"))
        default:
            let beginning = String(decoding: line.prefix(40), as: UTF8.self)
            throw unexpected("'\(beginning)'")
        }
        payload.reserveCapacity(controlLine?.payloadCount ?? 0)
        return nil
    }

    /// Reads `MSG SUBJECT NUMBER [REPLY] COUNT`, or `HMSG` with two counts.
    private func message(_ words: [String], counts: Int) throws(NATSProblem) -> ControlLine {
        let hasReply = words.count == 4 + counts
        guard hasReply || words.count == 3 + counts, let subscription = Int64(digits: words[2]),
            let total = Int64(digits: words[words.count - 1]),
            let headerCount = counts == 1 ? 0 : Int64(digits: words[words.count - 2]),
            headerCount <= total
        else { throw unexpected("a malformed message: '\(words.joined(separator: " "))'") }
        guard total <= messageLimit else {
            throw unexpected(
                "a message of \(total) bytes; at most \(messageLimit) are accepted")
        }
        return ControlLine(
            subject: words[1], reply: hasReply ? words[3] : nil, subscription: Int(subscription),
            headerCount: Int(headerCount), payloadCount: Int(total - headerCount))
    }

    private mutating func finish(_ controlLine: ControlLine) throws(NATSProblem) -> Operation {
        guard line.elementsEqual("\r\n".utf8) else {
            throw unexpected("a message whose end is not where its size says")
        }
        var message = NATSMessage(controlLine.subject, reply: controlLine.reply, payload: payload)
        if controlLine.headerCount > 0 { try message.read(headers: headers) }
        (self.controlLine, payload) = (nil, [])
        line.removeAll(keepingCapacity: true)
        headers.removeAll(keepingCapacity: true)
        return .message(message, subscription: controlLine.subscription)
    }

    private func unexpected(_ what: String) -> NATSProblem {
        .malformed("the NATS server sent " + what)
    }
}

extension NATSMessage {
    private static let version = "NATS/1.0"

    /// The headers as a block that ends with an empty line.
    var headerBlock: [UInt8] {
        var block = Array("\(Self.version)\r\n".utf8)
        for header in headers { block += Array("\(header.name): \(header.value)\r\n".utf8) }
        return block + Array("\r\n".utf8)
    }

    /// Reads the status and the headers of a block.
    mutating func read(headers block: [UInt8]) throws(NATSProblem) {
        var lines = block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 2, lines.popLast()?.isEmpty == true,
            lines.allSatisfy({ $0.last == UInt8(ascii: "\r") }), lines.popLast()?.count == 1
        else { throw .malformed("the NATS server sent headers without an end") }
        let start = String(decoding: lines[0].dropLast(), as: UTF8.self)
        let words = start.split(separator: " ")
        guard words.first == Self.version[...] else {
            throw .malformed("the NATS server sent headers of another version: '\(start)'")
        }
        if words.count > 1 {
            guard words[1].utf8.count == 3, let status = Int64(digits: words[1]) else {
                throw .malformed("the NATS server sent a malformed status: '\(start)'")
            }
            self.status = Int(status)
        }
        headers.reserveCapacity(lines.count - 1)
        for line in lines.dropFirst() {
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.startIndex
            guard colon > line.startIndex else {
                let text = String(decoding: line.prefix(40), as: UTF8.self)
                throw .malformed("the NATS server sent a malformed header: '\(text)'")
            }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            headers.append(Header(name, line[(colon + 1)...].text(trimming: " \t\r")))
        }
    }
}

extension Sequence<UInt8> {
    /// The text, without these characters at its ends.
    fileprivate func text(trimming characters: String) -> String {
        let kept = drop { characters.utf8.contains($0) }.reversed()
            .drop { characters.utf8.contains($0) }
        return String(decoding: kept.reversed(), as: UTF8.self)
    }
}
