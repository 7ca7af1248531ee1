import Posix
import Testing
import Web

@Suite struct SiteTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        + "/Sources/Web/Page"

    private func response(_ line: String, _ fields: String...) throws -> HTTPResponse {
        let request = try request(["\(line) HTTP/1.1", "Host: localhost:7777"] + fields)
        switch Site.reply(to: request) {
        case .response(let response): return response
        case .page(let room): return Site.page(for: request, hasRoom: room != "gone")
        case .metrics, .address, .upgrade: throw Mismatch()
        }
    }

    private struct Mismatch: Error {}

    private static let responses: [(line: String, status: HTTPStatus, type: String)] = [
        ("GET /", .ok, "text/html; charset=utf-8"),
        ("HEAD /", .ok, "text/html; charset=utf-8"),
        ("GET /index.html?v=1", .ok, "text/html; charset=utf-8"),
        ("GET /rooms/blue", .ok, "text/html; charset=utf-8"),
        ("HEAD /rooms/blue?from=al", .ok, "text/html; charset=utf-8"),
        ("GET /rooms/gone", .notFound, "text/html; charset=utf-8"),
        ("GET /rooms/blue/ws", .upgradeRequired, "text/plain; charset=utf-8"),
        ("GET /rooms", .notFound, "text/plain; charset=utf-8"),
        ("GET /rooms/blue/", .notFound, "text/plain; charset=utf-8"),
        ("GET /rooms/blue/ws/", .notFound, "text/plain; charset=utf-8"),
        ("GET /page.js", .ok, "text/javascript; charset=utf-8"),
        ("GET /style.css", .ok, "text/css; charset=utf-8"),
        ("GET /favicon.ico", .ok, "image/svg+xml"),
        ("GET /health", .ok, "application/json"),
        ("GET /ws", .upgradeRequired, "text/plain; charset=utf-8"),
        ("GET /nothing", .notFound, "text/plain; charset=utf-8"),
        ("GET /../Package.swift", .notFound, "text/plain; charset=utf-8"),
        ("GET //", .notFound, "text/plain; charset=utf-8"),
        ("POST /", .methodNotAllowed, "text/plain; charset=utf-8"),
        ("OPTIONS *", .methodNotAllowed, "text/plain; charset=utf-8"),
    ]

    @Test("each path has its status and media type", arguments: responses)
    func answers(line: String, status: HTTPStatus, type: String) throws {
        let response = try response(line)
        #expect(response.status == status)
        #expect(response.fields.contains(HTTPField("Content-Type", type)))
    }

    private static let leftToCaller: [(line: String, reply: Site.Reply)] = [
        ("GET /metrics", .metrics),
        ("GET /address", .address),
        ("GET /", .page(room: nil)),
        ("GET /rooms/blue", .page(room: "blue")),
        ("GET /rooms/%2e%2e", .page(room: "%2e%2e")),
        ("GET /rooms/", .page(room: "")),
        ("GET /ws", .upgrade(room: nil)),
        ("GET /rooms/blue/ws", .upgrade(room: "blue")),
        ("GET /rooms//ws", .upgrade(room: "")),
    ]

    @Test("the metrics, and which rooms there are, are left to the caller", arguments: leftToCaller)
    func others(line: String, reply: Site.Reply) throws {
        #expect(
            Site.reply(to: try request([line + " HTTP/1.1", "Host: a", "Upgrade: WebSocket"]))
                == reply)
    }

    @Test("the URL of the page for other people is served as JSON")
    func address() {
        let url = "http://192.168.1.5:7777/"
        let bodies = [Site.Reach.thisMachine, .others(nil), .others(url)].map { reach in
            String(decoding: Site.address(reach).body, as: UTF8.self)
        }
        let known = "{\"isOpen\":true,\"url\":\"\(url)\"}\n"
        #expect(bodies == ["{\"isOpen\":false}\n", "{\"isOpen\":true}\n", known])
    }

    @Test("the page of a room that is not there is the page, and is sent whole each time")
    func pageWithoutRoom() throws {
        let page = try response("GET /")
        let etag = try #require(page.fields.first { $0.name == "ETag" }?.value)
        let other = try response("GET /rooms/gone", "If-None-Match: \(etag)")
        #expect(other.status == .notFound)
        #expect(other.body == page.body)
        #expect(other.fields.contains(HTTPField("Cache-Control", "no-store")))
    }

    @Test("each file of the page is served as it is, and all together have less than 115 kB")
    func files() throws {
        var total = 0
        for name in try namesInFolder(Self.folder) {
            let response = try response("GET /\(name)")
            #expect(response.status == .ok, "\(name)")
            #expect(
                response.body == (try readFile("\(Self.folder)/\(name)", atMost: 1 << 20)),
                "\(name)")
            total += response.body.count
        }
        #expect(total < 115_000)
    }

    @Test("a file that the client has is not sent again")
    func notModified() throws {
        let file = try response("GET /")
        let etag = try #require(file.fields.first { $0.name == "ETag" }?.value)
        #expect(file.fields.contains(HTTPField("Cache-Control", "no-cache")))
        for tags in [etag, "\"x\", \(etag)", "W/\(etag)", "*"] {
            let again = try response("GET /", "If-None-Match: \(tags)")
            #expect(again.status == .notModified)
            #expect(again.body.isEmpty)
            #expect(again.fields.contains(HTTPField("ETag", etag)))
        }
        for tags in ["\"x\"", "x\(etag)", ""] {
            #expect(try response("GET /", "If-None-Match: \(tags)").status == .ok)
        }
    }

    @Test("every response protects the page, has a length, and says whether it is the last")
    func bytes() throws {
        let responses = [
            try response("GET /"), .health, .requestTimeout, .incomplete, .full, .ending,
            .metrics(Array("auction_bids_total 1\n".utf8)),
        ]
        for response in responses {
            let text = String(
                decoding: response.bytes(isHead: false, keepsAlive: false), as: UTF8.self)
            #expect(text.contains("\r\nContent-Length: \(response.body.count)\r\n"))
            #expect(text.contains("\r\nContent-Security-Policy: default-src 'none'; "))
            #expect(text.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
            #expect(text.contains("\r\nReferrer-Policy: no-referrer\r\n"))
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(text.hasSuffix("\r\n\r\n" + String(decoding: response.body, as: UTF8.self)))
        }
    }

    @Test("a response to HEAD is that to GET without the body")
    func head() {
        let whole = HTTPResponse.health.bytes(isHead: false, keepsAlive: true)
        let head = HTTPResponse.health.bytes(isHead: true, keepsAlive: true)
        #expect(head + HTTPResponse.health.body == whole)
    }

    @Test("a 304 has no length, because it has no content")
    func notModifiedBytes() {
        let response = HTTPResponse(status: .notModified, fields: [], body: [])
        let text = String(decoding: response.bytes(isHead: false, keepsAlive: true), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
        #expect(!text.contains("Content-Length"))
        #expect(text.hasSuffix("\r\nConnection: keep-alive\r\n\r\n"))
    }

    @Test("the refusal of a method lists the allowed ones")
    func allow() throws {
        #expect(try response("PUT /").fields.contains(HTTPField("Allow", "GET, HEAD")))
    }
}
