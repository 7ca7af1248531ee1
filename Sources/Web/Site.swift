/// The paths that the server serves over HTTP, and its answers.
public enum Site {
    /// The path of the page.
    public static let pagePath = "/"

    /// The kinds of answers.
    public enum Reply: Equatable, Sendable {
        /// A response that is the same for everybody.
        case response(HTTPResponse)
        /// The server's metrics.
        case metrics
        /// The connection is to become a WebSocket.
        case upgrade
    }

    /// The answer to a request.
    public static func reply(to request: HTTPRequest) -> Reply {
        guard request.method != .other else {
            return .response(HTTPError.methodNotAllowed.response)
        }
        switch request.path {
        case "/ws": return reply(toVisitor: request)
        case "/health": return .response(.health)
        case "/metrics": return .metrics
        default: break
        }
        guard let file = PageFile.at(request.path) else {
            return .response(.text(.notFound, "no such page; the auction is at /"))
        }
        return .response(file.response(to: request))
    }

    private static func reply(toVisitor request: HTTPRequest) -> Reply {
        guard request.has("websocket", in: "Upgrade") else {
            let fields = [HTTPField("Upgrade", "websocket"), HTTPField("Connection", "Upgrade")]
            return .response(
                .refusal(
                    .upgradeRequired,
                    "connect here with a WebSocket client, for example websocat ws://HOST:PORT/ws",
                    fields: fields))
        }
        return .upgrade
    }
}
