/// The paths that the server serves over HTTP, and its answers.
public enum Site {
    /// The kinds of answers.
    public enum Reply: Equatable, Sendable {
        /// A response that is the same for everybody.
        case response(HTTPResponse)
        /// A resource of a room of this name, if there is one; nil for the main room.
        case room(RoomResource, of: String?)
        /// A report of the server, if it has this one.
        case report(Report)
        /// Where other machines open the page.
        case address
        /// The connection is to become a WebSocket in a room of this name; nil for the main room.
        case upgrade(room: String?)
    }

    /// What each room has besides its WebSocket.
    public enum RoomResource: Equatable, Sendable {
        /// The page, on which people bid.
        case page
        /// The page for a big screen that everybody in a hall sees.
        case screen
        /// The QR code of the page's address, as an image.
        case code
    }

    /// What the server answers from all that it has recorded or counted.
    public enum Report: Sendable {
        /// The metrics.
        case metrics
        /// What each member of a class has bid and earned on each lot.
        case classBidders
        /// How each lot of a class has ended.
        case classLots

        /// Whether it is of a class, and only its teacher may read it.
        public var isOfClass: Bool {
            switch self {
            case .metrics: false
            case .classBidders, .classLots: true
            }
        }
    }

    /// Which machines may open the page.
    public enum Reach: Equatable, Sendable {
        /// Only the server's own.
        case thisMachine
        /// Others too, at this URL; nil if the server does not know its address.
        case others(String?)
    }

    /// The answer to a request; the name of a room may be any text without a slash.
    public static func reply(to request: HTTPRequest) -> Reply {
        guard request.method != .other else {
            return .response(HTTPError.methodNotAllowed.response)
        }
        switch request.path {
        case "/": return .room(.page, of: nil)
        case "/screen": return .room(.screen, of: nil)
        case "/qr.svg": return .room(.code, of: nil)
        case "/class": return .response(.redirect(to: "/rooms/class"))
        case "/class/desk", "/class/screen": return .response(PageFile.desk.response(to: request))
        case "/ws": return reply(toVisitor: request, of: nil)
        case "/health": return .response(.health)
        case "/metrics": return .report(.metrics)
        case "/class.csv": return .report(.classBidders)
        case "/class-lots.csv": return .report(.classLots)
        case "/address": return .address
        default: break
        }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.starts(with: ["", "rooms"]), 3...4 ~= parts.count {
            let room = String(parts[2])
            switch parts.count == 4 ? parts[3] : nil {
            case nil: return .room(.page, of: room)
            case "screen": return .room(.screen, of: room)
            case "qr.svg": return .room(.code, of: room)
            case "ws": return reply(toVisitor: request, of: room)
            default: break
            }
        }
        guard let file = PageFile.at(request.path) else { return .response(notFound) }
        return .response(file.response(to: request))
    }

    /// A resource of a room; of one that is not there a page says so, with status 404.
    ///
    /// `url` is the address of the room's page, for the QR code.
    public static func response(
        to request: HTTPRequest, for resource: RoomResource, hasRoom: Bool,
        url: @autoclosure () -> String
    ) -> HTTPResponse {
        switch resource {
        case .page: PageFile.page.response(to: request, isFound: hasRoom)
        case .screen: PageFile.screen.response(to: request, isFound: hasRoom)
        case .code: hasRoom ? code(of: url()) : noRoom
        }
    }

    /// The address of a room's page as others can open it; nil for the main room.
    ///
    /// It has the host that the request has, unless that is a loopback address, and others know a
    /// better one.
    public static func url(ofRoom room: String?, for request: HTTPRequest, _ reach: Reach) -> String
    {
        let host = request.value(of: "Host") ?? ""
        var base = "http://\(host.isEmpty ? "localhost" : host)/"
        if host.isEmpty || isLoopback(host) {
            if case .others(let url?) = reach { base = url }
        } else if request.value(of: "Sec-Fetch-Site") != nil {
            // Browsers send this field over TLS, or to a loopback address.
            base = "https://\(host)/"
        }
        return room.map { "\(base)rooms/\($0)" } ?? base
    }

    /// Whether a host, which may have a port, is that of the machine that asks.
    private static func isLoopback(_ host: String) -> Bool {
        let name = host.prefix { $0 != ":" }.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || host.hasPrefix("[::1]")
            || ["127.", "0."].contains { name.hasPrefix($0) }
                && name.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    }

    /// The QR code of a URL; it is not cached, because the server's address may change.
    private static func code(of url: String) -> HTTPResponse {
        guard let code = QRCode(url) else {
            return .text(.badRequest, "this server's address is too long for a QR code")
        }
        return .uncached(.ok, "image/svg+xml", Array(code.svg.utf8))
    }

    /// Where other machines open the page, for somebody who opened it by a loopback address.
    public static func address(_ reach: Reach) -> HTTPResponse {
        let json =
            switch reach {
            case .thisMachine: #"{"isOpen":false}"#
            case .others(nil): #"{"isOpen":true}"#
            case .others(let url?): #"{"isOpen":true,"url":"\#(url)"}"#
            }
        return .json(json)
    }

    /// The answer for a path that has nothing.
    public static let notFound = HTTPResponse.text(
        .notFound, "no such page; the auction is at /")

    /// The answer to a WebSocket client for a room that is not there.
    public static let noRoom = HTTPResponse.text(
        .notFound, "no such room; connect to /ws and type rooms for a list")

    /// The answer to a request for the table of a class on a server that leads none.
    public static let noClass = HTTPResponse.text(
        .notFound, "this server leads no class; start it with --class FILE")

    /// The answer to a request that needs the auctioneer's token, and has not the right one.
    public static let unauthorized = HTTPResponse.text(
        .unauthorized, "send the auctioneer's token as Authorization: Bearer TOKEN",
        fields: [HTTPField("WWW-Authenticate", "Bearer")])

    private static func reply(toVisitor request: HTTPRequest, of room: String?) -> Reply {
        guard request.has("websocket", in: "Upgrade") else {
            let fields = [HTTPField("Upgrade", "websocket"), HTTPField("Connection", "Upgrade")]
            return .response(
                .text(
                    .upgradeRequired,
                    "connect here with a WebSocket client, for example websocat ws://HOST:PORT/ws",
                    fields: fields))
        }
        return .upgrade(room: room)
    }
}
