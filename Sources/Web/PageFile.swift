/// A file of the web page, embedded in the program.
struct PageFile: Sendable {
    private let type: String
    private let plain: Form
    private let compressed: Form

    /// The bytes that are sent for the file: as they are, or compressed.
    private struct Form {
        let bytes: [UInt8]
        let etag: String
        /// The header fields that only this form has.
        let fields: [HTTPField]

        init(_ bytes: [UInt8], _ fields: [HTTPField] = []) {
            (self.bytes, self.fields) = (bytes, fields)
            let digits = SHA1.digest(of: bytes).prefix(8).map { byte in
                (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
            }
            etag = "\"\(digits.joined())\""
        }
    }

    /// The page itself.
    static let page = PageFile("index.html", PackageResources.index_html)

    /// The other files of the folder `Page`, by their paths.
    private static let files = Dictionary(
        uniqueKeysWithValues: contents.map { ("/" + $0, PageFile($0, $1)) })

    private static let contents: [String: [UInt8]] = [
        "alerts.js": PackageResources.alerts_js,
        "auctioneer.js": PackageResources.auctioneer_js,
        "bidbox.js": PackageResources.bidbox_js,
        "bidding.js": PackageResources.bidding_js,
        "chart.js": PackageResources.chart_js,
        "clock.js": PackageResources.clock_js,
        "connection.js": PackageResources.connection_js,
        "dom.js": PackageResources.dom_js,
        "icon.svg": PackageResources.icon_svg,
        "lists.js": PackageResources.lists_js,
        "lobby.js": PackageResources.lobby_js,
        "model.js": PackageResources.model_js,
        "page.js": PackageResources.page_js,
        "parts.js": PackageResources.parts_js,
        "requests.js": PackageResources.requests_js,
        "resource.js": PackageResources.resource_js,
        "rooms.js": PackageResources.rooms_js,
        "series.js": PackageResources.series_js,
        "stage.js": PackageResources.stage_js,
        "style.css": PackageResources.style_css,
        "ticker.js": PackageResources.ticker_js,
        "words.js": PackageResources.words_js,
    ]

    /// Compresses all files in advance, so that no request waits for that.
    static func prepare() {
        _ = (page, files)
    }

    /// The file at a path; nil if there is none.
    static func at(_ path: String) -> PageFile? {
        switch path {
        case "/index.html": page
        case "/favicon.ico": files["/icon.svg"]
        default: files[path]
        }
    }

    private init(_ name: String, _ content: [UInt8]) {
        type = Self.type(of: name)
        let bytes = Self.compacted(content)
        plain = Form(bytes)
        compressed = Form(Gzip.compressed(bytes), [HTTPField("Content-Encoding", "gzip")])
    }

    /// Removes the indentation, and empties the lines that are only a comment.
    ///
    /// Lines keep their numbers. Comments are an eighth of the page. No text and no comment may
    /// continue on another line.
    private static func compacted(_ content: [UInt8]) -> [UInt8] {
        let (newline, tab) = (UInt8(ascii: "\n"), UInt8(ascii: "\t"))
        let lines = content.split(separator: newline, omittingEmptySubsequences: false)
        let kept = lines.map { line in
            let text = line.drop { $0 == tab }
            return text.starts(with: "//".utf8) || text.starts(with: "/*".utf8) ? [] : text
        }
        return Array(kept.joined(separator: [newline]))
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

    /// The file, or 304 if the client has it.
    func response(to request: HTTPRequest) -> HTTPResponse {
        let form = form(for: request)
        let caching = [
            HTTPField("Cache-Control", "no-cache"), HTTPField("ETag", form.etag),
            HTTPField("Vary", "Accept-Encoding"),
        ]
        guard !isKnown(form, to: request) else {
            return HTTPResponse(status: .notModified, fields: caching, body: [])
        }
        let fields = [HTTPField("Content-Type", type)] + form.fields + caching
        return HTTPResponse(status: .ok, fields: fields, body: form.bytes)
    }

    /// The file with status 404, which the client must not cache.
    func notFound(for request: HTTPRequest) -> HTTPResponse {
        let form = form(for: request)
        return .uncached(.notFound, type, form.bytes, form.fields)
    }

    private func form(for request: HTTPRequest) -> Form {
        request.acceptsGzip ? compressed : plain
    }

    /// Whether `If-None-Match` has the form's tag, weak or strong.
    ///
    /// Source: RFC 9110, section 13.1.2.
    private func isKnown(_ form: Form, to request: HTTPRequest) -> Bool {
        guard let tags = request.value(of: "If-None-Match") else { return false }
        return tags.split(separator: ",").map(\.trimmingBlanks).contains { tag in
            tag == "*" || tag == form.etag || tag == "W/" + form.etag
        }
    }
}

extension HTTPRequest {
    /// Whether the client accepts gzip; false without an `Accept-Encoding` field.
    ///
    /// Source: RFC 9110, section 12.5.3.
    fileprivate var acceptsGzip: Bool {
        let codings = value(of: "Accept-Encoding")?.split(separator: ",") ?? []
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map(\.trimmingBlanks)
            guard parts.first?.lowercased() == "gzip" else { return false }
            // A weight of zero refuses.
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            return weight?.dropFirst(2).contains { $0 != "0" && $0 != "." } ?? true
        }
    }
}
