import Basics

/// The server's side of the opening handshake of a WebSocket connection.
///
/// Source: RFC 6455, section 4.2.
public enum WebSocketHandshake {
    /// The subprotocol, accepted if the client offers it.
    public static let subprotocol = "auction.1"

    /// The 101 response, or the refusal.
    ///
    /// A browser sends the `Origin` of the page that connects; other programs send none. Pages of
    /// the host in the `Host` field and of the allowed origins may connect. With
    /// `needsNumericHost` that host must be an address or `localhost`: with DNS rebinding any page
    /// can make its own host name resolve to this machine.
    public static func response(
        to request: HTTPRequest, allowing origins: [String], needsNumericHost: Bool = false
    ) -> Result<[UInt8], HTTPError> {
        guard request.method == .get, request.isVersion11, request.has("websocket", in: "Upgrade"),
            request.has("upgrade", in: "Connection")
        else {
            return refusal(.badRequest, "this is not a WebSocket handshake of HTTP/1.1")
        }
        guard request.value(of: "Sec-WebSocket-Version") == "13" else {
            return refusal(
                .upgradeRequired, "this server speaks version 13 of WebSocket",
                fields: [
                    HTTPField("Upgrade", "websocket"), HTTPField("Connection", "Upgrade"),
                    HTTPField("Sec-WebSocket-Version", "13"),
                ])
        }
        guard let key = request.value(of: "Sec-WebSocket-Key"), Base64.isSixteenBytes(key) else {
            return refusal(.badRequest, "the field Sec-WebSocket-Key is malformed")
        }
        guard isAllowed(request, origins, needsNumericHost: needsNumericHost) else {
            return refusal(.forbidden, "pages of this origin need the server flag --allow-origin")
        }
        return .success(response(to: request, key: key))
    }

    private static func refusal(
        _ status: HTTPStatus, _ sentence: String, fields: [HTTPField] = []
    ) -> Result<[UInt8], HTTPError> {
        .failure(HTTPError(status, sentence, fields: fields))
    }

    private static func response(to request: HTTPRequest, key: String) -> [UInt8] {
        var fields = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(acceptKey(for: key))",
        ]
        if request.has(subprotocol, in: "Sec-WebSocket-Protocol") {
            fields.append("Sec-WebSocket-Protocol: \(subprotocol)")
        }
        return Array((fields + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// The proof that the server understands the handshake.
    static func acceptKey(for key: String) -> String {
        Base64.text(SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }

    /// Whether text is an origin that can be allowed, such as `https://example.org`.
    public static func isOrigin(_ text: String) -> Bool { Origin(text) != nil }

    private static func isAllowed(
        _ request: HTTPRequest, _ origins: [String], needsNumericHost: Bool
    ) -> Bool {
        guard let text = request.value(of: "Origin") else { return true }
        guard let origin = Origin(text) else { return false }
        let isOwn = request.value(of: "Host").map(origin.isPage(ofHost:)) ?? false
        return isOwn && (!needsNumericHost || origin.hasNumericHost)
            || origins.contains { Origin($0) == origin }
    }
}

/// A scheme, a host and a port; the port may be the default of the scheme.
///
/// Source: RFC 6454, section 6.2.
private struct Origin: Equatable {
    let scheme: String
    let authority: String

    /// Parses text such as `https://example.org:8080`; nil for `null` and other schemes.
    init?(_ text: String) {
        let text = text.lowercased()
        guard let scheme = ["http", "https"].first(where: { text.hasPrefix($0 + "://") }) else {
            return nil
        }
        self.scheme = scheme
        authority = Self.withoutDefaultPort(String(text.dropFirst(scheme.count + 3)), scheme)
        guard !authority.isEmpty, authority.utf8.allSatisfy(\.isOfAuthority) else { return nil }
    }

    /// Whether the host is an IP address, or `localhost`, which no other machine has.
    var hasNumericHost: Bool {
        if authority.hasPrefix("[") { return true }
        let host = authority.prefix { $0 != ":" }
        return host == "localhost" || host.hasSuffix(".localhost")
            || host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    }

    /// Whether a page of this origin came from the host, which may have a port.
    func isPage(ofHost host: String) -> Bool {
        authority == Self.withoutDefaultPort(host.lowercased(), scheme)
    }

    private static func withoutDefaultPort(_ authority: String, _ scheme: String) -> String {
        let port = scheme == "http" ? ":80" : ":443"
        return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
    }
}

/// The Base64 encoding of bytes, with padding.
///
/// Source: RFC 4648, section 4.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes as Base64.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            let digits = [18, 12, 6, 0].map { alphabet[bits >> $0 & 63] }
            text += digits.prefix(group.count + 1)
            text += repeatElement(padding, count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the text is the Base64 encoding of 16 bytes.
    package static func isSixteenBytes(_ text: String) -> Bool {
        let characters = Array(text.utf8)
        return characters.count == 24 && characters[..<22].allSatisfy(alphabet.contains)
            && characters[22...] == [padding, padding]
    }
}
