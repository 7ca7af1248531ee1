import TestSupport
import Testing
import Web

@Suite struct HTTPCodecTests {
    private static let host = "Host: auction.example:7777\r\n"

    /// What a codec makes of a stream: the paths of its requests, and the status of a failure.
    private struct Outcome: Equatable {
        var paths: [String] = []
        var status: Int?
    }

    private func outcome(of stream: String, by size: Int) -> Outcome {
        let bytes = Array(stream.utf8)
        var codec = HTTPCodec()
        var outcome = Outcome()
        var index = 0
        while index < bytes.count {
            let end = min(index + size, bytes.count)
            let (used, result) = codec.receive(bytes.span.extracting(index..<end))
            index += used
            switch result {
            case .success(let request): outcome.paths.append(request.path)
            case .failure(let error):
                outcome.status = error.response.status.rawValue
                return outcome
            case nil: #expect(index == end)
            }
        }
        return outcome
    }

    private static let accepted: [(stream: String, paths: [String])] = [
        ("GET / HTTP/1.1\r\n\(host)\r\n", ["/"]),
        ("HEAD /health HTTP/1.1\r\n\(host)\r\n", ["/health"]),
        ("GET /ws?x=1?2 HTTP/1.1\r\n\(host)\r\n", ["/ws"]),
        ("GET http://auction.example/ws HTTP/1.1\r\n\(host)\r\n", ["/ws"]),
        ("GET HTTP://auction.example HTTP/1.1\r\n\(host)\r\n", ["/"]),
        ("GET http://auction.example?x HTTP/1.1\r\n\(host)\r\n", ["/"]),
        ("GET / HTTP/1.0\r\n\r\n", ["/"]),
        ("GET / HTTP/1.9\r\n\(host)\r\n", ["/"]),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", ["/"]),
        ("GET / HTTP/1.1\r\nhOST:\t[::1]:80 \t\r\n\r\n", ["/"]),
        ("GET / HTTP/1.1\r\n\(host)X: caf\u{E9}\u{80}\t!\r\n\r\n", ["/"]),
        ("GET / HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", ["/"]),
        ("DELETE / HTTP/1.1\r\n\(host)\r\n", ["/"]),
        ("OPTIONS * HTTP/1.1\r\n\(host)\r\n", [""]),
        ("CONNECT a:1 HTTP/1.1\r\n\(host)\r\n", [""]),
        ("GET /a HTTP/1.1\r\n\(host)\r\nHEAD /b HTTP/1.1\r\n\(host)\r\n", ["/a", "/b"]),
        ("\r\nGET /a HTTP/1.1\r\n\(host)\r\n\r\nGET /b HTTP/1.1\r\n\(host)\r\n", ["/a", "/b"]),
        ("GET / HTTP/1.1\r\n\(host)", []),
    ]

    @Test("heads are split at their empty lines, however they arrive", arguments: accepted)
    func accepts(stream: String, paths: [String]) {
        for size in [1, 2, 3, 7, 10_000] {
            #expect(outcome(of: stream, by: size) == Outcome(paths: paths))
        }
    }

    /// Heads with a status that is not 400.
    private static let refused: [(head: String, status: Int)] = [
        ("GET / HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello", 413),
        ("GET / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello", 405),
        ("PUT / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n", 405),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("GET / HTTP/2.0\r\n\(host)\r\n", 505),
        ("GET / HTTP/0.9\r\n\(host)\r\n", 505),
        ("GET /\(String(repeating: "x", count: 9_000)) HTTP/1.1\r\n\(host)\r\n", 414),
        ("GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 9_000))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 2_000), 431),
    ]

    private static let wrongRequestLines = [
        "", "GET /", "GET / /b HTTP/1.1", "GET  / HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ",
        "G@T / HTTP/1.1", "GET / HTTP/11", "GET / http/1.1", "GET /\u{0} HTTP/1.1",
        "GET /\u{E9} HTTP/1.1", "GET index HTTP/1.1", "GET * HTTP/1.1",
        "GET https://auction.example/ HTTP/1.1", "GET http:///ws HTTP/1.1",
        "GET http://a@b/ HTTP/1.1",
    ].map { "\($0)\r\n\(host)\r\n" }

    private static let wrongFields = [
        host, "X : y\r\n", "X: y\r\n folded\r\n", ": y\r\n", "no colon\r\n", "X: a\u{0}b\r\n",
        "X: a\u{1B}b\r\n", "X: a\u{7F}b\r\n", "Content-Length: x\r\n", "Content-Length: -1\r\n",
        "Content-Length:\r\n", "Content-Length: 0\r\nContent-Length: 5\r\n",
    ].map { "GET / HTTP/1.1\r\n\(host)\($0)\r\n" }

    private static let wrongHeads = [
        "GET / HTTP/1.1\n\(host)\r\n", "GET / HTTP/1.1\r\n\(host)\n", "GET / HTTP/1.1\r\(host)\r\n",
        "\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.0\r\n\(host)\(host)\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
    ]

    @Test(
        "a malformed head is a bad request, however it arrives",
        arguments: wrongHeads + wrongRequestLines + wrongFields)
    func malformed(head: String) {
        refuses(head: head, status: 400)
    }

    @Test("a head that breaks a rule gets its status, however it arrives", arguments: refused)
    func refuses(head: String, status: Int) {
        for size in [1, 2, 3, 7, 10_000] {
            #expect(outcome(of: head, by: size) == Outcome(status: status))
        }
    }

    @Test("a head of 8 KiB is whole, and one byte more is too long")
    func limit() {
        let rest = "GET / HTTP/1.1\r\n\(Self.host)X: \r\n\r\n".utf8.count
        for (length, status) in [(8192 - rest, nil), (8193 - rest, 431)] {
            let value = String(repeating: "x", count: length)
            let head = "GET / HTTP/1.1\r\n\(Self.host)X: \(value)\r\n\r\n"
            #expect(outcome(of: head, by: 100).status == status)
        }
    }

    @Test("a head is unfinished from its first byte to its empty line")
    func unfinished() {
        var codec = HTTPCodec()
        #expect(!codec.isUnfinished)
        let head = Array("GET / HTTP/1.0\r\n\r\n".utf8)
        for byte in head.dropLast() {
            #expect(codec.receive([byte].span).result == nil)
            #expect(codec.isUnfinished)
        }
        #expect(codec.receive([head[head.count - 1]].span).result != nil)
        #expect(!codec.isUnfinished)
    }

    private static let connections: [(version: String, connection: [String], keepsAlive: Bool)] = [
        ("1.1", [], true), ("1.1", ["Connection: keep-alive"], true),
        ("1.1", ["Connection: Upgrade, Close"], false),
        ("1.1", ["Connection: upgrade", "Connection: close"], false),
        ("1.0", [], false), ("1.0", ["Connection: Keep-Alive"], true),
        ("1.0", ["Connection: keep-alive, close"], false),
    ]

    @Test("HTTP/1.1 keeps the connection, and HTTP/1.0 on request", arguments: connections)
    func keepsAlive(version: String, connection: [String], keepsAlive: Bool) throws {
        let request = try request(["GET / HTTP/\(version)", "Host: a"] + connection)
        #expect(request.keepsAlive == keepsAlive)
    }

    @Test("a field is found in any case, and its lines are joined")
    func fields() throws {
        let request = try request(
            ["GET / HTTP/1.1", "Host: auction.example:7777", "x-List:  a ", "X-LIST: b,c"])
        #expect(request.value(of: "X-List") == "a, b,c")
        #expect(request.value(of: "host") == "auction.example:7777")
        #expect(request.value(of: "X-Other") == nil)
    }

    @Test("the address in a target replaces the Host field")
    func absoluteTarget() throws {
        let request = try request(["GET http://other:1/a HTTP/1.1", "Host: auction.example:7777"])
        #expect(request.value(of: "Host") == "other:1")
    }
}

@Suite struct HTTPOpeningTests {
    private static let cases: [(bytes: String, opening: HTTPOpening)] = [
        ("", .undecided), ("G", .undecided), ("GET", .undecided), ("GET ", .http),
        ("GET /ws HTTP/1.1\r\n", .http), ("P", .undecided), ("PO", .undecided), ("POST ", .http),
        ("PATCH ", .http), ("CONNECT ", .http), ("OPTIONS ", .http), ("PRI * HTTP/2.0\r\n", .http),
        ("PRIC", .other), ("get /", .other), ("GETS", .other), ("GET\t/", .other),
        ("GET\n", .other), ("bid 100\n", .other), ("\r\nGET / HTTP/1.1", .other),
        ("100\n", .other),
    ]

    @Test("a method in capitals and a space begin HTTP", arguments: cases)
    func opening(bytes: String, opening: HTTPOpening) {
        #expect(HTTPOpening.of(Array(bytes.utf8).span) == opening)
    }
}
