/// The address of a NATS server, and what the client proves its rights with.
public struct NATSURL: Equatable, Sendable, CustomStringConvertible {
    /// What a client proves its rights with.
    public enum Credentials: Equatable, Sendable {
        /// A user with a password.
        case user(String, password: String)
        /// A token.
        case token(String)
    }

    /// A name or an address; one of IPv6 has no brackets.
    public let host: String
    /// The port; 4222 if the text has none.
    public let port: UInt16
    /// The credentials; nil if the text has none.
    public let credentials: Credentials?

    /// The URL without its credentials.
    public var description: String {
        "nats://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }

    /// Parses URLs that are separated by commas.
    ///
    /// - Throws: `NATSURLError` for the first that is malformed.
    public static func list(_ text: String) throws(NATSURLError) -> [NATSURL] {
        var urls: [NATSURL] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            try urls.append(NATSURL(part))
        }
        return urls
    }

    /// Parses `nats://HOST:PORT`, with `USER:PASSWORD@` or `TOKEN@` before the host if needed.
    ///
    /// A special character in the credentials is written as `%` and two hexadecimal digits.
    public init(_ text: some StringProtocol) throws(NATSURLError) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw NATSURLError("a URL of a NATS server begins with nats://")
        }
        switch text[..<colon].lowercased() {
        case "nats": break
        case "tls", "wss":
            throw NATSURLError(
                "TLS to the NATS server is not supported; start a TLS proxy on this machine, such "
                    + "as stunnel, and write its address: nats://127.0.0.1:PORT")
        default: throw NATSURLError("'\(text[..<colon])://' is not supported; write nats://")
        }
        let rest = text[colon...].dropFirst(3)
        var authority = rest.last == "/" ? rest.dropLast() : rest
        if let at = authority.lastIndex(of: "@") {
            credentials = try Self.credentials(authority[..<at])
            authority = authority[at...].dropFirst()
        } else {
            credentials = nil
        }
        (host, port) = try Self.hostAndPort(String(authority))
    }

    private static func credentials(_ text: some StringProtocol) throws(NATSURLError)
        -> Credentials
    {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.compactMap { decode($0.utf8) }
        guard decoded.count == parts.count, decoded[0] != "" else {
            throw NATSURLError(
                "the part before '@' must be USER:PASSWORD or TOKEN, where a special character is "
                    + "written as % and two hexadecimal digits, such as %40 for @")
        }
        return decoded.count == 1 ? .token(decoded[0]) : .user(decoded[0], password: decoded[1])
    }

    /// Replaces each `%` and its two hexadecimal digits by the byte that they mean.
    private static func decode(_ text: some Collection<UInt8>) -> String? {
        var (bytes, rest) = ([UInt8](), Array(text)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let byte = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hostAndPort(_ text: String) throws(NATSURLError) -> (String, UInt16) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var (host, port) = (text, "4222")
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = String(text[..<end].dropFirst())
            let rest = text[end...].dropFirst()
            guard rest.isEmpty || rest.hasPrefix(":") else { throw malformed(text) }
            if !rest.isEmpty { port = String(rest.dropFirst()) }
        } else if parts.count == 2 {
            (host, port) = (String(parts[0]), String(parts[1]))
        } else if parts.count > 2 {
            throw NATSURLError("write an address of IPv6 in brackets, such as nats://[::1]:4222")
        }
        let isHost = host.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isLetter || (0x30...0x3A).contains(byte)
                || "-._%".utf8.contains(byte)
        }
        guard isHost, !host.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(port), number > 0
        else { throw malformed(text) }
        return (host, number)
    }

    private static func malformed(_ address: String) -> NATSURLError {
        NATSURLError(
            "'\(address)' is not the address of a NATS server; write HOST or HOST:PORT after "
                + "nats://, such as nats://192.0.2.1:4222")
    }
}

/// Text that is not the URL of a NATS server.
public struct NATSURLError: Error, Equatable, CustomStringConvertible {
    /// What is wrong and what to write; it has no credentials.
    public let description: String

    fileprivate init(_ description: String) {
        self.description = description
    }
}
