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

/// The hash function of the WebSocket handshake.
///
/// Two messages with the same hash can be found; a hash with a secret key is secure all the same.
///
/// Source: RFC 3174.
package enum SHA1 {
    /// Computes the hash of the bytes, which has 20 bytes.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = padding(message)
        for start in stride(from: 0, to: padded.count, by: blockBytes) {
            update(&state, with: padded[start..<start + blockBytes])
        }
        return state.flatMap(\.bigEndianBytes)
    }

    /// Computes the hash of the bytes with a secret key; without the key nobody can predict it.
    ///
    /// Source: RFC 2104, HMAC.
    package static func digest(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = key.count > blockBytes ? digest(of: key) : key
        let padded = key + Array(repeating: 0, count: blockBytes - key.count)
        let inner = digest(of: padded.map { $0 ^ 0x36 } + message)
        return digest(of: padded.map { $0 ^ 0x5C } + inner)
    }

    private static let blockBytes = 64

    /// The message with a 1 bit, zeros and its length in bits, a multiple of 64 bytes.
    private static func padding(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) * 8
        padded += UInt32(truncatingIfNeeded: bits >> 32).bigEndianBytes
        padded += UInt32(truncatingIfNeeded: bits).bigEndianBytes
        return padded
    }

    private static func update(_ state: inout [UInt32], with block: ArraySlice<UInt8>) {
        let words = schedule(block)
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let mixed: UInt32
            switch round {
            case ..<20: mixed = (b & c | ~b & d) &+ 0x5A82_7999
            case ..<40: mixed = (b ^ c ^ d) &+ 0x6ED9_EBA1
            case ..<60: mixed = (b & c | b & d | c & d) &+ 0x8F1B_BCDC
            default: mixed = (b ^ c ^ d) &+ 0xCA62_C1D6
            }
            (a, b, c, d, e) = (a.rotated(by: 5) &+ mixed &+ e &+ word, a, b.rotated(by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    /// The 80 words that a block is expanded to.
    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(word.rotated(by: 1))
        }
        return words
    }
}

extension UInt32 {
    fileprivate func rotated(by count: UInt32) -> UInt32 { self << count | self >> (32 - count) }

    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
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
