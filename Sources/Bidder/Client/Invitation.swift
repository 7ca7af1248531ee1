import Auction
import Transport

extension ServerAddress {
    /// How others join a room: with the client, and at a network address also in a browser.
    ///
    /// An address of this machine serves others on this machine alone, and the text says so.
    package func invitation(to room: RoomName) -> [String] {
        let here = isOfThisMachine ? "on this machine others" : "others"
        switch self {
        case .socket(let path):
            return [
                "\(here) join with: auction-client --socket \(path.shellWord) --room \(room) play"
            ]
        case .network(let host, let port):
            let hostFlag = host == "127.0.0.1" ? "" : " --host \(host)"
            let portFlag = port == 7777 ? "" : " --port \(port)"
            let urlHost = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            return [
                "\(here) join with: auction-client\(hostFlag)\(portFlag) --room \(room) play",
                "or in a browser: http://\(urlHost):\(port)/rooms/\(room)",
            ]
        }
    }

    /// Whether only programs on this machine reach the server at this address.
    var isOfThisMachine: Bool {
        switch self {
        case .network(let host, _):
            ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
        case .socket: true
        }
    }
}

extension String {
    /// The text as a shell reads it as one word.
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
