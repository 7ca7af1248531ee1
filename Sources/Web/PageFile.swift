/// A file of the page in the browser, embedded in the program.
struct PageFile: Sendable {
    private let type: String
    private let bytes: [UInt8]
    private let etag: String

    /// The files by their paths.
    static let all: [String: PageFile] = {
        let html = PageFile("text/html; charset=utf-8", PackageResources.index_html)
        return [
            "/": html,
            "/index.html": html,
            "/style.css": PageFile("text/css; charset=utf-8", PackageResources.style_css),
            "/icon.svg": PageFile("image/svg+xml", PackageResources.icon_svg),
            "/page.js": script(PackageResources.page_js),
            "/tools.js": script(PackageResources.tools_js),
            "/bidding.js": script(PackageResources.bidding_js),
            "/chart.js": script(PackageResources.chart_js),
            "/connection.js": script(PackageResources.connection_js),
            "/model.js": script(PackageResources.model_js),
            "/series.js": script(PackageResources.series_js),
            "/ages.js": script(PackageResources.ages_js),
            "/resource.js": script(PackageResources.resource_js),
        ]
    }()

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile("text/javascript; charset=utf-8", bytes)
    }

    private init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
        let digits = SHA1.digest(of: bytes).prefix(8).map { byte in
            (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
        etag = "\"\(digits.joined())\""
    }

    /// The file, or 304 if the client has it.
    func response(to request: HTTPRequest) -> HTTPResponse {
        let caching = [HTTPField("Cache-Control", "no-cache"), HTTPField("ETag", etag)]
        guard !isKnown(to: request) else {
            return HTTPResponse(status: .notModified, fields: caching, body: [])
        }
        let fields = [HTTPField("Content-Type", type)] + caching
        return HTTPResponse(status: .ok, fields: fields, body: bytes)
    }

    /// Whether `If-None-Match` has the file's tag, weak or strong.
    ///
    /// Source: RFC 9110, section 13.1.2.
    private func isKnown(to request: HTTPRequest) -> Bool {
        guard let tags = request.value(of: "If-None-Match") else { return false }
        return tags.split(separator: ",").map(\.trimmingBlanks).contains { tag in
            tag == "*" || tag == etag || tag == "W/" + etag
        }
    }
}
