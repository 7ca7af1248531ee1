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
