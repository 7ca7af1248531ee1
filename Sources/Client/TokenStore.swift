import AuctionRules
import Posix
import Sale
import Transport
import Wire

/// The folder of a user's tokens, with a file for each game and name.
///
/// The key of a game is the identity in the greeting; without one, the address of the server.
public struct TokenStore: Sendable {
    /// The names of this machine, which count as one.
    private static let loopback: Set = ["localhost", "127.0.0.1", "::1", "[::1]"]

    private let folder: String

    /// Finds the folder for a game from the environment; nil without a home folder.
    ///
    /// Source: XDG Base Directory Specification, `XDG_STATE_HOME`.
    public init?(
        of game: GameID?, at server: ServerAddress, environment: (String) -> String?
    ) {
        guard let state = Self.stateFolder(environment) else { return nil }
        let place = game.map { "games/\($0)" } ?? "servers/" + Self.fileName(Self.name(of: server))
        folder = "\(state)/auction/\(place)"
    }

    private static func name(of server: ServerAddress) -> String {
        switch server {
        case .network(let host, let port):
            let name = host.lowercased()
            return "\(loopback.contains(name) ? "localhost" : name):\(port)"
        case .socket(let path): return "socket:" + absolutePath(path)
        }
    }

    /// Returns the stored token of a name; nil if there is none.
    ///
    /// - Throws: `SystemError` if the file exists and cannot be read.
    public func token(of bidder: Bidder) throws(SystemError) -> String? {
        try TokenFile(path(of: bidder)).token()
    }

    /// Stores the token of a name, readable by its owner alone; replaces an older one.
    ///
    /// - Throws: `SystemError` if the file cannot be written.
    public func keep(_ token: String, of bidder: Bidder) throws(SystemError) {
        let file = TokenFile(path(of: bidder))
        if (try? file.token()) == token { return }
        try makeFolder(folder, mode: 0o700)
        try file.replace(with: token)
    }

    private func path(of bidder: Bidder) -> String {
        "\(folder)/\(bidder.description.lowercased())"
    }

    private static func stateFolder(_ environment: (String) -> String?) -> String? {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state"
    }

    /// The text with all bytes escaped that are not allowed in a file name.
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

/// A file with one token.
public struct TokenFile: Sendable {
    /// The maximum number of bytes to read.
    private static let longest = 4096

    private let path: String

    /// Makes a token file from a path; the file need not exist.
    public init(_ path: String) {
        self.path = path
    }

    /// Returns the first word of the file; nil if the file does not exist or is empty.
    ///
    /// - Throws: `SystemError` if the file exists and cannot be read.
    public func token() throws(SystemError) -> String? {
        let bytes: [UInt8]
        do {
            bytes = try readFile(path, atMost: Self.longest)
        } catch {
            guard error.isAboutMissingFile else { throw error }
            return nil
        }
        return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }.first
            .map { String($0) }
    }

    /// Replaces the content of the file with a token, readable by its owner alone.
    ///
    /// - Throws: `SystemError` if the file cannot be written.
    public func replace(with token: String) throws(SystemError) {
        try replaceFile(path, with: Array((token + "\n").utf8), mode: 0o600)
    }

    /// Writes a token; false, without a change, if the file has a different one.
    ///
    /// - Throws: `SystemError` if the file cannot be read or written.
    public func keep(_ token: String) throws(SystemError) -> Bool {
        if let kept = try self.token() { return kept == token }
        try replace(with: token)
        return true
    }
}

extension Bidder {
    /// Makes a name from a login; nil if no character of the login is allowed in a name.
    ///
    /// Bytes that are not allowed become `-`, or are dropped at the beginning; a long name is cut.
    public init?(login: String) {
        let words = login.utf8.map { byte in
            Bidder([byte].span) == nil ? UInt8(ascii: "-") : byte
        }
        let name = words.drop { $0 == UInt8(ascii: "-") }.prefix(Bidder.longest)
        self.init(Array(name).span)
    }
}
