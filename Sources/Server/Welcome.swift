import Auction
import Basics
import Web
import Wire

/// The text for the operator once the server listens: the address, and how to join.
public struct Welcome: Sendable {
    /// The maximum number of shown addresses of this machine.
    private static let shownAddresses = 3

    private let address: String
    private let host: Substring
    private let port: Substring
    private let socket: String?
    private let proxies: [AddressBlock]
    private let reachable: [String]
    /// The token that makes the host the auctioneer; nil if the host has another way.
    package var hostToken: String?
    /// Whether the server leads a class.
    package var leadsClass = false
    /// The names that are reserved for students, with their tokens.
    package var roster: [(bidder: Bidder, token: Token)] = []

    /// Makes the text for the address that the server listens on, with its port.
    ///
    /// `socket` is the path of the Unix socket, if there is one; `proxies` are the addresses whose
    /// connections begin with a header of the PROXY protocol; `reachable` are the addresses of this
    /// machine by which others may reach it.
    public init(
        address: String, socket: String? = nil, proxies: [AddressBlock] = [],
        reachable: [String] = []
    ) {
        self.address = address
        self.socket = socket
        self.proxies = proxies
        self.reachable = reachable
        let colon = address.lastIndex(of: ":") ?? address.endIndex
        host = address[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        port = address[colon...].dropFirst()
    }

    /// The lines, without the last newline.
    public var text: String {
        (["listening on \(address)"] + joining + [others] + joiningLocally)
            .joined(separator: "\n")
    }

    /// How to join from this machine; its own connections may have to come through the proxy.
    private var joining: [String] {
        let isProxied = PeerAddress(visibleHost).map { here in
            proxies.contains { $0.contains(here) }
        }
        guard isProxied != true else {
            return [
                "only through the proxy: connections from \(names) must begin with a PROXY header",
                "so bidders connect to the proxy, and not to port \(port)",
            ]
        }
        return [
            "bid in a browser:     http://\(bracketedHost):\(port)/",
            "bid with the client:  auction-client\(clientFlags) --name alice bid 120",
            "or by hand:           nc \(visibleHost) \(port)  (then type: help)",
        ]
    }

    private var joiningLocally: [String] {
        guard let socket else { return [] }
        return proxies.contains { $0.contains(.local) }
            ? ["and a socket for the proxy: \(socket.escaped)"]
            : ["and on a socket:      nc -U \(socket.escaped)"]
    }

    /// How the host becomes the auctioneer, where the screen for everybody is, and the links of the
    /// roster; nil if there is none of these.
    ///
    /// It has tokens, so it must not be written to the log.
    public var hosting: String? {
        let lines = [addresses].compactMap { $0 } + links
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// A line for each name of the roster with the link that gives the name to a student.
    private var links: [String] {
        let longest = roster.map { $0.bidder.description.utf8.count }.max() ?? 0
        return roster.map { bidder, token in
            // Neither of them needs an escape in a URL.
            let name = bidder.description
            let space = String(repeating: " ", count: longest - name.utf8.count)
            return "\(name)\(space)  \(studentPage)#name=\(name)&token=\(token)"
        }
    }

    /// The page for students, which have machines of their own.
    private var studentPage: String {
        (pages.first ?? "http://\(bracketedHost):\(port)/") + "class"
    }

    private var addresses: String? {
        let page = "http://\(bracketedHost):\(port)/"
        guard !leadsClass else {
            // A token from a file stays there: the teacher types it on the page.
            let key = hostToken.map { "#key=\($0)" } ?? ""
            return """
                for students:         \(studentPage)
                for the projector:    \(page)class/screen
                for the teacher alone: \(page)class/desk\(key)
                """
        }
        guard let hostToken else { return nil }
        return """
            for the big screen:   \(page)screen
            for the host alone:   \(page)#key=\(hostToken)
            """
    }

    private var names: String { proxies.map(\.description).joined(separator: ", ") }

    private var isOpenToOthers: Bool { !host.hasPrefix("127.") && host != "::1" }

    private var visibleHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: String(host)
        }
    }

    /// The host as it is written in a URL.
    private var bracketedHost: String {
        visibleHost.contains(":") ? "[\(visibleHost)]" : visibleHost
    }

    private var clientFlags: String {
        (visibleHost == "127.0.0.1" ? "" : " --host \(visibleHost)")
            + (port == "7777" ? "" : " --port \(port)")
    }

    /// The URLs of the page for other machines.
    private var pages: [String] {
        reachable.prefix(Self.shownAddresses).map { "http://\($0):\(port)/" }
    }

    /// Which machines may open the page.
    public var reach: Site.Reach { isOpenToOthers ? .others(pages.first) : .thisMachine }

    /// The lines with the QR code of the page for other machines, for a terminal; nil without one.
    public var code: String? {
        guard isOpenToOthers, let page = pages.first else { return nil }
        return QRCode(page + (leadsClass ? "class" : ""))?.terminalLines.joined(separator: "\n")
    }

    private var others: String {
        guard isOpenToOthers else {
            return "this machine only; start with --host 0.0.0.0 to let other machines in"
        }
        return pages.isEmpty
            ? "open to other machines: they use this machine's address and port \(port)"
            : "from other machines:  " + pages.joined(separator: "  ")
    }
}
