import SafeText

/// What the operator is told once the server listens: where, and how to join.
struct Welcome {
    private let address: String
    private let host: Substring
    private let port: Substring

    private let socket: String?

    /// `socket` is the path of a Unix socket, where the server listens on one too.
    init(address: String, socket: String? = nil) {
        self.socket = socket
        self.address = address
        let colon = address.lastIndex(of: ":") ?? address.endIndex
        host = address[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        port = address[colon...].dropFirst()
    }

    var text: String {
        """
        listening on \(address)
        bid with the client:  auction-client\(clientFlags) --name alice bid 120
        or by hand:           nc \(visibleHost) \(port)  (then type: help)
        \(others)
        """ + (socket.map { "\nand on a socket:      nc -U \($0.escaped)" } ?? "")
    }

    private var isOpenToOthers: Bool { !host.hasPrefix("127.") && host != "::1" }

    private var visibleHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: String(host)
        }
    }

    private var clientFlags: String {
        (visibleHost == "127.0.0.1" ? "" : " --host \(visibleHost)")
            + (port == "7777" ? "" : " --port \(port)")
    }

    private var others: String {
        isOpenToOthers
            ? "open to other machines: they use this machine's address and port \(port)"
            : "this machine only; start with --host 0.0.0.0 to let other machines in"
    }
}
