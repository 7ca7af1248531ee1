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
        case .room(let resource, let room):
            return Site.response(
                to: request, for: resource, hasRoom: room != "gone",
                url: Site.url(ofRoom: room, for: request, .thisMachine))
        case .report, .address, .upgrade: throw Mismatch()
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
        ("GET /screen", .ok, "text/html; charset=utf-8"),
        ("GET /screen.html", .ok, "text/html; charset=utf-8"),
        ("GET /rooms/blue/screen", .ok, "text/html; charset=utf-8"),
        ("GET /rooms/gone/screen", .notFound, "text/html; charset=utf-8"),
        ("GET /class/desk", .ok, "text/html; charset=utf-8"),
        ("GET /class/screen", .ok, "text/html; charset=utf-8"),
        ("GET /class/other", .notFound, "text/plain; charset=utf-8"),
        ("GET /qr.svg", .ok, "image/svg+xml"),
        ("HEAD /rooms/blue/qr.svg", .ok, "image/svg+xml"),
        ("GET /rooms/gone/qr.svg", .notFound, "text/plain; charset=utf-8"),
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
        ("GET /metrics", .report(.metrics)), ("GET /class.csv", .report(.classBidders)),
        ("GET /class-lots.csv", .report(.classLots)),
        ("GET /address", .address),
        ("GET /", .room(.page, of: nil)),
        ("GET /rooms/blue", .room(.page, of: "blue")),
        ("GET /rooms/%2e%2e", .room(.page, of: "%2e%2e")),
        ("GET /rooms/", .room(.page, of: "")),
        ("GET /screen", .room(.screen, of: nil)),
        ("GET /rooms/blue/screen", .room(.screen, of: "blue")),
        ("GET /qr.svg?v=1", .room(.code, of: nil)),
        ("GET /rooms/blue/qr.svg", .room(.code, of: "blue")),
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

    private static let hosts: [(host: String, room: String?, url: String)] = [
        ("192.168.1.7:7777", nil, "http://192.168.1.7:7777/"),
        ("auction.local:80", "blue", "http://auction.local:80/rooms/blue"),
        ("[fe80::2]:7777", "blue", "http://[fe80::2]:7777/rooms/blue"),
        ("localhost.org", nil, "http://localhost.org/"),
        ("127.example.org", nil, "http://127.example.org/"),
        ("localhost:7777", nil, "http://192.168.1.5:7777/"),
        ("a.LOCALHOST", nil, "http://192.168.1.5:7777/"),
        ("127.0.0.1:7777", "blue", "http://192.168.1.5:7777/rooms/blue"),
        ("0.0.0.0:7777", nil, "http://192.168.1.5:7777/"),
        ("[::1]:7777", nil, "http://192.168.1.5:7777/"),
        ("", nil, "http://192.168.1.5:7777/"),
    ]

    @Test(
        "a room's QR code has the request's host, unless only this machine has it", arguments: hosts
    )
    func urlForOthers(host: String, room: String?, url: String) throws {
        let request = try request(["GET /qr.svg HTTP/1.1", "Host: \(host)"])
        let reach = Site.Reach.others("http://192.168.1.5:7777/")
        #expect(Site.url(ofRoom: room, for: request, reach) == url)
    }

    @Test("a server that has no other address gives the one of this machine")
    func urlForThisMachine() throws {
        let request = try request(["GET /qr.svg HTTP/1.1", "Host: localhost:7777"])
        for reach in [Site.Reach.thisMachine, .others(nil)] {
            #expect(Site.url(ofRoom: nil, for: request, reach) == "http://localhost:7777/")
        }
    }

    @Test("a browser that uses TLS is given the address of a page with TLS")
    func urlWithTLS() throws {
        let request = try request([
            "GET /qr.svg HTTP/1.1", "Host: auction.example", "Sec-Fetch-Site: same-origin",
        ])
        #expect(
            Site.url(ofRoom: "blue", for: request, .thisMachine)
                == "https://auction.example/rooms/blue")
    }

    @Test("the image with the QR code is not cached, and is that of the address")
    func codeImage() throws {
        let response = try response("GET /rooms/blue/qr.svg")
        let code = try #require(QRCode("http://localhost:7777/rooms/blue"))
        #expect(String(decoding: response.body, as: UTF8.self) == code.svg)
        #expect(response.fields.contains(HTTPField("Cache-Control", "no-store")))
    }

    @Test("an address that no QR code holds is refused")
    func longAddress() throws {
        let host = String(repeating: "a", count: QRCode.mostBytes)
        let request = try request(["GET /qr.svg HTTP/1.1", "Host: \(host)"])
        let response = Site.response(
            to: request, for: .code, hasRoom: true,
            url: Site.url(ofRoom: nil, for: request, .thisMachine))
        #expect(response.status == .badRequest)
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

    @Test("each file is served as it is; page and screen have less than 150 kB, the desk 30 kB")
    func files() throws {
        var (total, ofDesk) = (0, 0)
        for name in try namesInFolder(Self.folder) {
            let response = try response("GET /\(name)")
            #expect(response.status == .ok, "\(name)")
            #expect(
                response.body == (try readFile("\(Self.folder)/\(name)", atMost: 1 << 20)),
                "\(name)")
            if name.hasPrefix("desk.") {
                ofDesk += response.body.count
            } else {
                total += response.body.count
            }
        }
        #expect(total < 150_000)
        #expect(ofDesk < 30_000)
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
