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
