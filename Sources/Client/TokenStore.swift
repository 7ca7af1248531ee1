import AuctionRules
import Posix
import Transport

/// The folder in which the tokens of a user's names are kept, one file for each server and name.
public struct TokenStore {
    /// The names of this machine, of which a user takes now one and now another.
    private static let loopback: Set = ["localhost", "127.0.0.1", "::1", "[::1]"]

    private let folder: String

    /// Finds the folder for a server in a user's environment; nil where the user has no home.
    ///
    /// Source: XDG Base Directory Specification, `XDG_STATE_HOME`.
    public init?(of server: ServerAddress, environment: (String) -> String?) {
        guard let state = Self.stateFolder(environment) else { return nil }
        folder = "\(state)/auction/" + Self.fileName(Self.name(of: server))
    }

    private static func name(of server: ServerAddress) -> String {
        switch server {
        case .network(let host, let port):
            let name = host.lowercased()
            return "\(loopback.contains(name) ? "localhost" : name):\(port)"
        case .socket(let path): return "socket:" + absolutePath(path)
        }
    }

    /// Returns the token kept for a name; nil if there is none.
    ///
    /// - Throws: `SystemError` when the file is there and cannot be read.
    public func token(of bidder: Bidder) throws(SystemError) -> String? {
        let bytes: [UInt8]
        do {
            bytes = try readFile(path(of: bidder), atMost: 256)
        } catch {
            guard error.isAboutMissingFile else { throw error }
            return nil
        }
        let word = String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace }
        return word.isEmpty ? nil : String(word)
    }

    /// Keeps the token of a name, readable by its owner alone, in the place of an older one.
    ///
    /// - Throws: `SystemError` when the file cannot be written.
    public func keep(_ token: String, of bidder: Bidder) throws(SystemError) {
        if (try? self.token(of: bidder)) == token { return }
        try makeFolder(folder, mode: 0o700)
        try replaceFile(path(of: bidder), with: Array((token + "\n").utf8), mode: 0o600)
    }

    private func path(of bidder: Bidder) -> String {
        "\(folder)/\(bidder.description.lowercased())"
    }

    private static func stateFolder(_ environment: (String) -> String?) -> String? {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state"
    }

    /// The text with every byte escaped that a file name could be harmed by.
    private static func fileName(_ text: String) -> String {
        text.utf8.reduce(into: "") { name, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += "%" + String(byte, radix: 16)
            }
        }
    }
}
