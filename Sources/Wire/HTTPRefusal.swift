/// What a web browser is told that came to the port by mistake.
public enum HTTPRefusal {
    /// The whole response; the connection is closed after it.
    ///
    /// Source: RFC 9112.
    public static let response: [UInt8] = {
        let body = "This port speaks auction/1: lines of text, for nc, telnet or auction-client.\n"
        let head = [
            "HTTP/1.1 400 Bad Request", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(body.utf8.count)", "Connection: close", "", "",
        ]
        return Array((head.joined(separator: "\r\n") + body).utf8)
    }()
}
