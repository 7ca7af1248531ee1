import Auction
import Posix
import Transport
import Wire

/// The tokens of a user's names: in a folder with a file for each server and name, or in one file.
///
/// A server is known by the identity in its greeting; without one, by its address.
package struct TokenStore: Sendable {
    private static let maximumFileBytes = 4096

    private let server: ServerAddress
    /// The file of all tokens; nil if they are in the folder.
    private let file: String?
    /// The folder of this user's state; nil without a home folder.
    private let stateFolder: String?

    /// Makes a store in a file, or without one in the folder that the environment names.
    ///
    /// Source: XDG Base Directory Specification, `XDG_STATE_HOME`.
    package init(
        at server: ServerAddress, file: String? = nil, environment: (String) -> String?
    ) {
        self.server = server
        self.file = file
        stateFolder = Self.stateFolder(environment)
    }

    /// Returns the stored token of a name on a server; nil if there is none.
    ///
    /// - Throws: `SystemError` if the file exists and cannot be read.
    package func token(of bidder: Bidder, on serverID: Identity?) throws(SystemError) -> String? {
        guard let path = file ?? path(of: bidder, on: serverID) else { return nil }
        return try Self.token(at: path)
    }

    /// Stores the token of a name, readable by its owner alone; replaces an older one.
    ///
    /// Does not change a given file with a different token, which may belong to another server.
    /// Returns a complaint with the token, which is needed again, if it was not stored; else nil.
    package func keep(_ token: String, of bidder: Bidder, on serverID: Identity?) -> String? {
        guard let path = file ?? path(of: bidder, on: serverID) else {
            return "no HOME to keep the token of \(bidder) in; it is \(token)"
        }
        do throws(SystemError) {
            if let file {
                if let kept = try Self.token(at: file) {
                    return kept == token
                        ? nil
                        : "\(file) has a different token and was not changed; the token of "
                            + "\(bidder) on this server is \(token)"
                }
            } else {
                if (try? Self.token(at: path)) == token { return nil }
                try makeFolder(parent(of: path), mode: 0o700)
            }
            try replaceFile(path, with: Array((token + "\n").utf8), mode: 0o600)
            return nil
        } catch {
            return "cannot keep the token of \(bidder): \(error); it is \(token)"
        }
    }

    /// The first word of a file; nil if the file does not exist or is empty.
    private static func token(at path: String) throws(SystemError) -> String? {
        let bytes: [UInt8]
        do {
            bytes = try readFile(path, atMost: maximumFileBytes)
        } catch {
            guard error.isAboutMissingFile else { throw error }
            return nil
        }
        return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }.first
            .map { String($0) }
    }

    private func path(of bidder: Bidder, on serverID: Identity?) -> String? {
        let place = serverID.map { "games/\($0)" } ?? "servers/\(Self.fileName(serverName))"
        return stateFolder.map { "\($0)/auction/\(place)/\(bidder.description.lowercased())" }
    }

    private func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    private var serverName: String {
        switch server {
        case .network(let host, let port):
            // The names of this machine count as one.
            return "\(server.isOfThisMachine ? "localhost" : host.lowercased()):\(port)"
        case .socket(let path): return "socket:" + absolutePath(path)
        }
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

extension Bidder {
    /// Makes a name from a login; nil if no character of the login is allowed in a name.
    ///
    /// Bytes that are not allowed become `-`, or are dropped at the beginning; a long name is cut.
    package init?(login: String) {
        let words = login.utf8.map { byte in
            Bidder([byte].span) == nil ? UInt8(ascii: "-") : byte
        }
        let name = words.drop { $0 == UInt8(ascii: "-") }.prefix(Bidder.longest)
        self.init(Array(name).span)
    }
}
