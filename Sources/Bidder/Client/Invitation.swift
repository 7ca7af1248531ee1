import Auction
import Transport

extension ServerAddress {
    /// The lines that tell other people how to join a room.
    ///
    /// A loopback address or a socket works only on this machine, and the first line says so.
    package func invitation(to room: RoomName) -> [String] {
        let here = isOfThisMachine ? "on this machine others" : "others"
        let (flag, page) = room == .main ? ("", "") : (" --room \(room)", "rooms/\(room)")
        switch self {
        case .socket(let path):
            return ["\(here) join with: auction-client --socket \(path.shellWord)\(flag) play"]
        case .network(let host, let port):
            let hostFlag = host == "127.0.0.1" ? "" : " --host \(host)"
            let portFlag = port == 7777 ? "" : " --port \(port)"
            let urlHost = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            return [
                "\(here) join with: auction-client\(hostFlag)\(portFlag)\(flag) play",
                "or in a browser: http://\(urlHost):\(port)/\(page)",
            ]
        }
    }

    /// Whether only programs on this machine can reach the server at this address.
    var isOfThisMachine: Bool {
        switch self {
        case .network(let host, _):
            ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
        case .socket: true
        }
    }
}

extension String {
    /// The text, quoted if necessary, as one shell word.
    fileprivate var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: #"'\''"#))'"
    }
}
