/// The head of one request; it has no body.
public struct HTTPRequest: Equatable, Sendable {
    /// What the request asks for.
    public enum Method: Sendable {
        case get
        case head
        /// Any other method, which no resource of this server supports.
        case other
    }

    /// The maximum number of header fields.
    static let mostFields = 100

    /// The method of the request line.
    public let method: Method
    /// The path of the target as it was sent, without its query.
    public let path: String
    /// Whether the client speaks HTTP/1.1, which an upgrade needs.
    let isVersion11: Bool
    private let fields: [HTTPField]

    /// Whether the client wants to send further requests on the connection.
    public var keepsAlive: Bool {
        guard !has("close", in: "Connection") else { return false }
        return isVersion11 || has("keep-alive", in: "Connection")
    }

    /// The value of a field, whatever the case of its name; several lines are joined by `, `.
    public func value(of field: String) -> String? {
        let name = field.lowercased()
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The token of the field `Authorization`; nil if it has none.
    ///
    /// Source: RFC 6750, section 2.1.
    public var bearerToken: String? {
        let words = value(of: "Authorization")?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }

    /// Whether a field's list has the token, whatever its case.
    func has(_ token: String, in field: String) -> Bool {
        guard let value = value(of: field) else { return false }
        return value.utf8.split(separator: UInt8(ascii: ","))
            .contains { Substring($0).trimmingBlanks.lowercased() == token }
    }
}

extension HTTPRequest {
    /// Parses a head whose lines end with CRLF, with its empty line.
    ///
    /// - Throws: The error to answer with.
    init(head: [UInt8]) throws(HTTPError) {
        var lines = Lines(rest: head[...])
        let requestLine = lines.next().split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard requestLine.count == 3, requestLine[0].isToken,
            requestLine[1].allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw HTTPError(.badRequest, "the request line is malformed") }
        isVersion11 = try Self.isVersion11(requestLine[2])
        method = Self.method(requestLine[0])
        let target = Target(String(decoding: requestLine[1], as: UTF8.self))
        guard let target = method == .other ? target ?? .unknown : target else {
            throw HTTPError(.badRequest, "the request's target is malformed")
        }
        path = target.path
        fields = try Self.fields(&lines, authority: target.authority)
        try checkHost()
        try checkBody()
    }

    private static func isVersion11(_ version: ArraySlice<UInt8>) throws(HTTPError) -> Bool {
        let bytes = Array(version)
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[5].isDigit,
            bytes[6] == UInt8(ascii: "."), bytes[7].isDigit
        else { throw HTTPError(.badRequest, "the request line has no version of HTTP") }
        guard bytes[5] == UInt8(ascii: "1") else {
            throw HTTPError(.versionNotSupported, "this server speaks HTTP/1.1")
        }
        return bytes[7] > UInt8(ascii: "0")
    }

    private static func method(_ token: ArraySlice<UInt8>) -> Method {
        switch String(decoding: token, as: UTF8.self) {
        case "GET": .get
        case "HEAD": .head
        default: .other
        }
    }

    /// Parses the field lines; the authority of the target replaces the `Host` field.
    private static func fields(
        _ lines: inout Lines, authority: String?
    ) throws(HTTPError) -> [HTTPField] {
        var fields: [HTTPField] = []
        while true {
            let line = lines.next()
            if line.isEmpty { break }
            guard fields.count < mostFields else {
                throw HTTPError(.headTooLarge, "a request has at most \(mostFields) header fields")
            }
            fields.append(try HTTPField(line: line))
        }
        guard let authority else { return fields }
        return fields.map { $0.name == "host" ? HTTPField("host", authority) : $0 }
    }

    private func checkHost() throws(HTTPError) {
        let hosts = fields.filter { $0.name == "host" }
        guard hosts.count == 1 || hosts.isEmpty && !isVersion11,
            hosts.allSatisfy({ $0.value.utf8.allSatisfy(\.isOfAuthority) })
        else { throw HTTPError(.badRequest, "the request must have one valid Host field") }
    }

    private func checkBody() throws(HTTPError) {
        let length = value(of: "Content-Length") ?? "0"
        guard !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else {
            throw HTTPError(.badRequest, "the field Content-Length is malformed")
        }
        let isEmpty = length.utf8.allSatisfy { $0 == UInt8(ascii: "0") }
        guard !isEmpty || value(of: "Transfer-Encoding") != nil else { return }
        guard method == .other else {
            throw HTTPError(.contentTooLarge, "a request to this server has no body")
        }
        throw .methodNotAllowed
    }
}

extension HTTPError {
    /// The refusal of a method that no resource supports.
    static let methodNotAllowed = HTTPError(
        .methodNotAllowed, "this server answers GET and HEAD",
        fields: [HTTPField("Allow", "GET, HEAD")])
}

/// The lines of a head, without their ends.
private struct Lines {
    var rest: ArraySlice<UInt8>

    mutating func next() -> ArraySlice<UInt8> {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\r")) else { return [] }
        defer { rest = rest[(end + 2)...] }
        return rest[..<end]
    }
}

/// The target of a request: a path, or an address with a path.
///
/// Source: RFC 9112, section 3.2.
private struct Target {
    let path: String
    var authority: String?

    /// A placeholder for a request whose method is refused anyway.
    static let unknown = Target(path: "", authority: nil)

    private init(path: String, authority: String?) {
        self.path = path
        self.authority = authority
    }

    init?(_ text: String) {
        let target = text.prefix { $0 != "?" }
        guard !text.hasPrefix("/") else {
            self.init(path: String(target), authority: nil)
            return
        }
        let scheme = "http://"
        guard target.lowercased().hasPrefix(scheme) else { return nil }
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard !authority.isEmpty, authority.utf8.allSatisfy(\.isOfAuthority) else { return nil }
        let path = rest.dropFirst(authority.count)
        self.init(path: path.isEmpty ? "/" : String(path), authority: String(authority))
    }
}

extension HTTPField {
    /// Parses a line; the name becomes lower case.
    ///
    /// A line that begins with a blank (obsolete line folding) is refused: it has no valid name.
    fileprivate init(line: ArraySlice<UInt8>) throws(HTTPError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken else {
            throw HTTPError(.badRequest, "a field has no valid name")
        }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
            throw HTTPError(.badRequest, "a field has a control character")
        }
        self.init(
            String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            String(String(decoding: value, as: UTF8.self)[...].trimmingBlanks))
    }
}

extension Substring {
    /// The text without the spaces and tabs around it.
    var trimmingBlanks: Substring {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = utf8.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are a token, as in RFC 9110, section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty && allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    /// Whether the byte may stand in a host with its port.
    ///
    /// Source: RFC 3986, section 3.2.2.
    var isOfAuthority: Bool {
        isLetter || isDigit || "-._~!$&'()*+,;=%:[]".utf8.contains(self)
    }
}

/// Whether the first bytes of a connection begin an HTTP request.
public enum HTTPOpening: Equatable, Sendable {
    /// Too few bytes to decide.
    case undecided
    /// The beginning of an HTTP request.
    case http
    /// Anything else.
    case other

    /// The number of bytes that always decide.
    public static let mostBytes = 8

    /// Classifies the first bytes of a connection; reads at most `mostBytes`.
    ///
    /// A method in capitals and a space are HTTP. `PRI` begins the connection preface of HTTP/2.
    ///
    /// Source: RFC 9110, section 9; RFC 5789; RFC 9113, section 3.4.
    public static func of(_ bytes: Span<UInt8>) -> HTTPOpening {
        var decision = HTTPOpening.other
        for method in methods {
            let count = min(method.utf8CodeUnitCount, bytes.count)
            guard method.begins(with: bytes.extracting(first: count)) else { continue }
            if count == method.utf8CodeUnitCount { return .http }
            decision = .undecided
        }
        return decision
    }

    private static let methods: [StaticString] = [
        "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE ",
        "PRI ",
    ]
}

extension StaticString {
    fileprivate func begins(with bytes: Span<UInt8>) -> Bool {
        bytes.indices.allSatisfy { bytes[$0] == utf8Start[$0] }
    }
}
