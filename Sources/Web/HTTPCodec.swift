/// Splits a stream of bytes into the heads of HTTP/1.1 requests, in whatever parts they arrive.
///
/// Lines must end with CRLF. A request with a body is refused, so the next head follows directly.
///
/// Source: RFC 9112.
public struct HTTPCodec: Sendable {
    /// The maximum bytes of a head, with its empty line.
    public static let longestHead = 8192

    private var head: [UInt8] = []
    private var lineStart = 0
    /// Whether an empty line preceded the head; clients may send one after the last request.
    private var hasSkippedLine = false

    /// Creates the codec of a connection that begins with a request.
    public init() {}

    /// Whether a head has begun and is incomplete.
    public var isUnfinished: Bool { !head.isEmpty }

    /// The number of bytes of the incomplete head.
    public var headBytes: Int { head.count }

    /// Whether the incomplete or malformed request is a HEAD request, whose response has no body.
    public var isOfHead: Bool { head.starts(with: "HEAD ".utf8) }

    /// Uses bytes up to the end of one head; returns how many and the result, if a head ended.
    ///
    /// After a failure the codec must not be used.
    public mutating func receive(
        _ bytes: Span<UInt8>
    ) -> (used: Int, result: Result<HTTPRequest, HTTPError>?) {
        for index in bytes.indices {
            do throws(HTTPError) {
                guard let request = try receive(bytes[index]) else { continue }
                self = HTTPCodec()
                return (index + 1, .success(request))
            } catch {
                return (index + 1, .failure(error))
            }
        }
        return (bytes.count, nil)
    }

    private mutating func receive(_ byte: UInt8) throws(HTTPError) -> HTTPRequest? {
        let isAfterReturn = head.last == UInt8(ascii: "\r")
        guard isAfterReturn == (byte == UInt8(ascii: "\n")) else {
            throw HTTPError(.badRequest, "a line must end with CRLF")
        }
        head.append(byte)
        guard isAfterReturn else {
            try checkLength()
            return nil
        }
        let isEmptyLine = head.count - lineStart == 2
        if isEmptyLine, lineStart > 0 { return try HTTPRequest(head: head) }
        lineStart = isEmptyLine ? try skipLine() : head.count
        try checkLength()
        return nil
    }

    /// Drops an empty line before a head; returns where the first line begins.
    private mutating func skipLine() throws(HTTPError) -> Int {
        guard !hasSkippedLine else { throw HTTPError(.badRequest, "a request line is missing") }
        hasSkippedLine = true
        head = []
        return 0
    }

    private func checkLength() throws(HTTPError) {
        guard head.count >= Self.longestHead else { return }
        throw lineStart == 0
            ? HTTPError(.targetTooLong, "the request line is longer than 8 KiB")
            : HTTPError(.headTooLarge, "the request's header fields are longer than 8 KiB")
    }
}
