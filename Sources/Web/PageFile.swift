import Basics

/// A file of the web page, embedded in the program.
struct PageFile: Sendable {
    private let type: String
    private let bytes: [UInt8]
    private let etag: String

    /// The page itself.
    static let page = PageFile("index.html", PackageResources.index_html)
    /// The page for a big screen.
    static let screen = PageFile("screen.html", PackageResources.screen_html)
    /// The page for the teacher of a class, and for the projector in the class.
    static let desk = PageFile("desk.html", PackageResources.desk_html)

    /// The other files of the folder `Page`, by their paths.
    private static let files = Dictionary(
        uniqueKeysWithValues: contents.map { ("/" + $0, PageFile($0, $1)) })

    private static let contents: [String: [UInt8]] = [
        "alerts.js": PackageResources.alerts_js,
        "bidbox.js": PackageResources.bidbox_js,
        "bidding.js": PackageResources.bidding_js,
        "chart.js": PackageResources.chart_js,
        "connection.js": PackageResources.connection_js,
        "desk.css": PackageResources.desk_css,
        "desk.js": PackageResources.desk_js,
        "dom.js": PackageResources.dom_js,
        "floats.js": PackageResources.floats_js,
        "icon.svg": PackageResources.icon_svg,
        "lists.js": PackageResources.lists_js,
        "lobby.js": PackageResources.lobby_js,
        "model.js": PackageResources.model_js,
        "page.js": PackageResources.page_js,
        "parts.js": PackageResources.parts_js,
        "rooms.js": PackageResources.rooms_js,
        "screen.css": PackageResources.screen_css,
        "screen.js": PackageResources.screen_js,
        "series.js": PackageResources.series_js,
        "stage.js": PackageResources.stage_js,
        "style.css": PackageResources.style_css,
        "theme.css": PackageResources.theme_css,
        "words.js": PackageResources.words_js,
    ]

    /// The file at a path; nil if there is none.
    static func at(_ path: String) -> PageFile? {
        switch path {
        case "/index.html": page
        case "/screen.html": screen
        case "/desk.html": desk
        case "/favicon.ico": files["/icon.svg"]
        default: files[path]
        }
    }

    private init(_ name: String, _ bytes: [UInt8]) {
        type = Self.type(of: name)
        self.bytes = bytes
        let digits = SHA1.digest(of: bytes).prefix(8).map { byte in
            (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
        etag = "\"\(digits.joined())\""
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
    ///
    /// What is not found is the file with status 404, which the client must not cache.
    func response(to request: HTTPRequest, isFound: Bool = true) -> HTTPResponse {
        guard isFound else { return .uncached(.notFound, type, bytes) }
        let caching = [HTTPField("Cache-Control", "no-cache"), HTTPField("ETag", etag)]
        guard !isKnown(to: request) else {
            return HTTPResponse(status: .notModified, fields: caching, body: [])
        }
        return HTTPResponse(
            status: .ok, fields: [HTTPField("Content-Type", type)] + caching, body: bytes)
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
