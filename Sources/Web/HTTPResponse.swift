/// A status code and its reason phrase.
///
/// Source: RFC 9110, section 15; RFC 6585, section 5.
public enum HTTPStatus: Int, Sendable {
    case ok = 200
    case found = 302
    case notModified = 304
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case contentTooLarge = 413
    case targetTooLong = 414
    case upgradeRequired = 426
    case headTooLarge = 431
    case serviceUnavailable = 503
    case versionNotSupported = 505

    var reason: String {
        switch self {
        case .ok: "OK"
        case .found: "Found"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .contentTooLarge: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .upgradeRequired: "Upgrade Required"
        case .headTooLarge: "Request Header Fields Too Large"
        case .serviceUnavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}

/// One field line of a request or a response.
public struct HTTPField: Equatable, Sendable {
    /// The name; a field of a request has it in lower case.
    public let name: String
    /// The value without blanks around it.
    public let value: String

    /// Creates a field; neither part may contain CR, LF or NUL.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A response to one request, without what depends on the connection.
public struct HTTPResponse: Equatable, Sendable {
    /// The status of the first line.
    public let status: HTTPStatus
    /// The fields besides `Content-Length`, `Connection` and those that every response has.
    public let fields: [HTTPField]
    /// The content that a HEAD request does not get.
    public let body: [UInt8]

    /// Creates a response.
    public init(status: HTTPStatus, fields: [HTTPField], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// All bytes of the response, without the body for HEAD; `keepsAlive` is false for the last.
    public func bytes(isHead: Bool, keepsAlive: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
        let connection = HTTPField("Connection", keepsAlive ? "keep-alive" : "close")
        for field in fields + Self.protections + length + [connection] {
            head += "\(field.name): \(field.value)\r\n"
        }
        head += "\r\n"
        return Array(head.utf8) + (isHead ? [] : body)
    }

    /// The field with the length of the body, which a 304 does not have.
    private var length: [HTTPField] {
        status == .notModified ? [] : [HTTPField("Content-Length", "\(body.count)")]
    }

    /// The fields of every response: the page may load from and connect to this server only.
    ///
    /// `'self'` includes WebSocket connections to the same host, in Safari since version 16.
    private static let protections = [
        HTTPField(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                + "connect-src 'self'; frame-ancestors 'none'; "
                + "base-uri 'none'; form-action 'none'"),
        HTTPField("X-Content-Type-Options", "nosniff"),
        HTTPField("Referrer-Policy", "no-referrer"),
    ]
}

extension HTTPResponse {
    /// A response with one line of text, which browsers and curl show, and further fields.
    public static func text(
        _ status: HTTPStatus, _ sentence: String, fields: [HTTPField] = []
    ) -> HTTPResponse {
        uncached(status, "text/plain; charset=utf-8", Array("\(sentence)\n".utf8), fields)
    }

    /// The metrics in the text format of Prometheus.
    public static func metrics(_ text: [UInt8]) -> HTTPResponse {
        uncached(.ok, "text/plain; version=0.0.4; charset=utf-8", text)
    }

    /// A table of comma-separated values, which browsers save as a file of this name.
    public static func table(_ text: String, file: String) -> HTTPResponse {
        uncached(
            .ok, "text/csv; charset=utf-8", Array(text.utf8),
            [HTTPField("Content-Disposition", "attachment; filename=\"\(file)\"")])
    }

    /// The answer to a health check.
    public static let health = json(#"{"status":"ok"}"#)

    /// The answer to a health check while nothing becomes durable.
    public static let unavailable = text(
        .serviceUnavailable, "nothing becomes durable for now: try another node")

    /// The response to a client that sent no whole request in time.
    public static let requestTimeout = text(.requestTimeout, "no complete request arrived in time")

    /// The response to a client that ended its side within a request.
    public static let incomplete = text(.badRequest, "the request is incomplete")

    /// The response to a client that the server has no room for.
    public static let full = unavailable("the server is full, try again later")

    /// The response to a request that the server does not complete because it shuts down.
    public static let ending = unavailable("the server is shutting down, try again later")

    private static func unavailable(_ sentence: String) -> HTTPResponse {
        text(.serviceUnavailable, sentence, fields: [HTTPField("Retry-After", "10")])
    }

    static func json(_ object: String) -> HTTPResponse {
        uncached(.ok, "application/json", Array("\(object)\n".utf8))
    }

    /// A response that sends the client to another path.
    static func redirect(to path: String) -> HTTPResponse {
        uncached(.found, "text/plain; charset=utf-8", [], [HTTPField("Location", path)])
    }

    /// A response with fields that forbid caching.
    static func uncached(
        _ status: HTTPStatus, _ type: String, _ body: [UInt8], _ fields: [HTTPField] = []
    ) -> HTTPResponse {
        let general = [HTTPField("Content-Type", type), HTTPField("Cache-Control", "no-store")]
        return HTTPResponse(status: status, fields: general + fields, body: body)
    }
}

/// A request that is refused; after a malformed one the connection closes.
public struct HTTPError: Error, Equatable, Sendable {
    /// The response to send.
    public let response: HTTPResponse

    init(_ status: HTTPStatus, _ sentence: String, fields: [HTTPField] = []) {
        response = .text(status, sentence, fields: fields)
    }
}
