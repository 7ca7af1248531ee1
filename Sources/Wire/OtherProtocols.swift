/// An incomplete telnet command in a stream, after its introducer IAC.
///
/// The server supports no option: it answers DO with WONT and WILL with DONT.
///
/// Source: RFC 854.
struct TelnetCommand {
    static let introducer: UInt8 = 255

    private static let subnegotiationEnd: UInt8 = 240
    private static let subnegotiation: UInt8 = 250
    private static let will: UInt8 = 251
    private static let wont: UInt8 = 252
    private static let `do`: UInt8 = 253
    private static let dont: UInt8 = 254

    private enum Awaited {
        case command
        case option(answer: UInt8?)
        case subnegotiation
        case endOfSubnegotiation
    }

    /// The effect of a byte on the command.
    enum Outcome {
        /// The command is incomplete.
        case goesOn
        /// The command is complete, and needs no answer.
        case done
        /// The command is complete, and has this answer.
        case refused(answer: [UInt8])
        /// It was not a command: two introducers in a row are one byte of data.
        case data(UInt8)
    }

    private var awaited = Awaited.command

    /// Uses the next byte.
    mutating func receive(_ byte: UInt8) -> Outcome {
        switch awaited {
        case .command:
            return begin(byte)
        case .option(let answer):
            return answer.map { .refused(answer: [Self.introducer, $0, byte]) } ?? .done
        case .subnegotiation:
            if byte == Self.introducer { awaited = .endOfSubnegotiation }
            return .goesOn
        case .endOfSubnegotiation:
            awaited = .subnegotiation
            return byte == Self.subnegotiationEnd ? .done : .goesOn
        }
    }

    private mutating func begin(_ byte: UInt8) -> Outcome {
        switch byte {
        case Self.subnegotiation: awaited = .subnegotiation
        case Self.will: awaited = .option(answer: Self.dont)
        case Self.do: awaited = .option(answer: Self.wont)
        case Self.wont, Self.dont: awaited = .option(answer: nil)
        case Self.introducer: return .data(byte)
        default: return .done
        }
        return .goesOn
    }
}

/// Detection of TLS clients that connect by mistake, and the response to them.
///
/// The bytes of a handshake can contain complete lines, which must not act as commands. So a TLS
/// record header at the beginning closes the connection.
///
/// Source: RFC 8446, section 5.1.
public enum TLSRefusal {
    /// What the first bytes of a connection are.
    public enum Opening: Equatable, Sendable {
        /// No byte has arrived yet.
        case empty
        /// The first byte is that of a handshake record; the second one decides.
        case handshakeByte
        /// The connection begins with something else.
        case other
        /// The connection begins with a TLS handshake.
        case handshake

        /// Updates the result with more bytes; a final result does not change.
        public func hearing(_ bytes: Span<UInt8>) -> Opening {
            guard let first = bytes.isEmpty ? nil : bytes[0] else { return self }
            switch self {
            case .empty where first == TLSRefusal.handshakeType:
                return Opening.handshakeByte.hearing(bytes.extracting(droppingFirst: 1))
            case .empty: return .other
            case .handshakeByte: return first == TLSRefusal.majorVersion ? .handshake : .other
            case .other, .handshake: return self
            }
        }
    }

    /// The first byte of a record with a part of a handshake.
    public static let handshakeType: UInt8 = 0x16
    private static let majorVersion: UInt8 = 0x03

    /// The whole response, a fatal alert `protocol_version`; the connection is closed after it.
    public static let alert: [UInt8] = [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46]
}

/// Detection of HTTP where a line of the protocol is expected, and the response to it.
///
/// A web page can make a browser send almost any bytes to this machine. None of them may act as a
/// command, so the first line of an HTTP request ends the connection, and so does a `Host` header.
public enum HTTPRefusal {
    /// Whether the beginning of a too long line looks like an HTTP request.
    ///
    /// It has a method in capitals, and a path or an address: `POST /…`.
    public static func isDue(toLineBeginning line: Span<UInt8>) -> Bool {
        var words = Words()
        guard let method = words.next(in: line), let target = words.next(in: line) else {
            return false
        }
        let isMethod = line.text(method).utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isMethod
            && (line[target.lowerBound] == UInt8(ascii: "/")
                || line.lowercasedText(target).hasPrefix("http"))
    }

    /// The whole response; the connection is closed after it.
    ///
    /// Source: RFC 9112.
    public static let response: [UInt8] = {
        let body = "This connection speaks auction/1, lines of text. Connect again for HTTP.\n"
        let head = [
            "HTTP/1.1 400 Bad Request", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(body.utf8.count)", "Connection: close", "", "",
        ]
        return Array((head.joined(separator: "\r\n") + body).utf8)
    }()
}
