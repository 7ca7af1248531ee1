/// The paths that the server serves over HTTP, and its answers.
public enum Site {
    /// The kinds of answers.
    public enum Reply: Equatable, Sendable {
        /// A response that is the same for everybody.
        case response(HTTPResponse)
        /// The page in a room of this name, if there is one; nil for the main room.
        case page(room: String?)
        /// The server's metrics.
        case metrics
        /// Where other machines open the page.
        case address
        /// The connection is to become a WebSocket in a room of this name; nil for the main room.
        case upgrade(room: String?)
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
        case "/": return .page(room: nil)
        case "/ws": return reply(toVisitor: request, of: nil)
        case "/health": return .response(.health)
        case "/metrics": return .metrics
        case "/address": return .address
        default: break
        }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.starts(with: ["", "rooms"]) {
            if parts.count == 3 { return .page(room: String(parts[2])) }
            if parts.count == 4, parts[3] == "ws" {
                return reply(toVisitor: request, of: String(parts[2]))
            }
        }
        guard let file = PageFile.at(request.path) else { return .response(notFound) }
        return .response(file.response(to: request))
    }

    /// The page, with status 404 for a room that is not there: the page says so and lists others.
    public static func page(for request: HTTPRequest, hasRoom: Bool) -> HTTPResponse {
        hasRoom ? PageFile.page.response(to: request) : PageFile.page.notFound
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
