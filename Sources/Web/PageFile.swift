/// A file of the web page, embedded in the program.
struct PageFile: Sendable {
    private let type: String
    private let bytes: [UInt8]
    private let etag: String

    /// The contents of the folder `Page`, by the names of the files.
    private static let contents: [String: [UInt8]] = [
        "alerts.js": PackageResources.alerts_js,
        "auctioneer.js": PackageResources.auctioneer_js,
        "bidding.js": PackageResources.bidding_js,
        "chart.js": PackageResources.chart_js,
        "connection.js": PackageResources.connection_js,
        "dom.js": PackageResources.dom_js,
        "icon.svg": PackageResources.icon_svg,
        "index.html": PackageResources.index_html,
        "lists.js": PackageResources.lists_js,
        "model.js": PackageResources.model_js,
        "page.js": PackageResources.page_js,
        "resource.js": PackageResources.resource_js,
        "series.js": PackageResources.series_js,
        "stage.js": PackageResources.stage_js,
        "style.css": PackageResources.style_css,
        "words.js": PackageResources.words_js,
    ]

    private static let files = Dictionary(
        uniqueKeysWithValues: contents.map { ("/" + $0, PageFile(type(of: $0), $1)) })

    /// The page itself.
    static let page = PageFile(type(of: "index.html"), PackageResources.index_html)

    /// The file at a path; nil if there is none.
    static func at(_ path: String) -> PageFile? {
        files[path == "/favicon.ico" ? "/icon.svg" : path]
    }

    /// The media type for the extension of a file name.
    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: preconditionFailure("no media type for \(name)")
        }
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

    /// The file with status 404; the client is not to keep it.
    var notFound: HTTPResponse { .uncached(.notFound, type, bytes) }

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
