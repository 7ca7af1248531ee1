import Auction
import Basics
import Wire

/// What a node tells another about a connection; everything else is in the log of all nodes.
///
/// A node executes the requests of its own connections, except those that change a room which
/// another node owns. That node executes them, and answers.
public enum NodeMessage: Sendable {
    /// A connection of the sender has sent a request.
    case request(NodeRequest)
    /// A connection of the sender has left the rooms of the receiver.
    case left(SessionID)
    /// Lines for a connection of the receiver, as they are sent to it.
    ///
    /// `outcome` is nil unless the last of them answers its oldest request without an answer.
    case lines(SessionID, [UInt8], outcome: Outcome?)
    /// A connection of the receiver has this name from now on, and proves it with this token.
    case named(SessionID, Bidder, Token)
    /// A connection of the receiver is in this room from now on.
    case moved(SessionID, RoomName)
    /// Messages were lost: what the two nodes do for each other's connections has ended.
    case reset
    /// A connection of the receiver must be closed.
    case close(SessionID, ServerMessage.CloseReason)

    /// How a request was answered.
    public enum Outcome: String, Sendable {
        /// With `OK`.
        case done
        /// With `ERROR`.
        case refused
    }
}

/// A request of a connection, and what its node knows of the connection.
public struct NodeRequest: Sendable {
    /// The connection, as its node numbers it.
    let connection: SessionID
    /// Where it comes from.
    let address: PeerAddress
    /// The encoding in which it receives messages.
    let encoding: Encoding
    /// Its name; nil if it has none.
    let name: Session.Name?
    /// What it is the auctioneer of, according to its node.
    let rights: Session.Rights
    /// The room that it is in.
    let room: RoomName
    /// The request.
    let request: Request

    /// Describes a request of a connection in a room.
    init(_ request: Request, of sender: Sender, name: Session.Name?, in room: RoomName) {
        self.init(
            connection: sender.id, address: sender.address, encoding: sender.encoding,
            name: name, rights: sender.rights, room: room, request: request)
    }

    fileprivate init(
        connection: SessionID, address: PeerAddress, encoding: Encoding, name: Session.Name?,
        rights: Session.Rights, room: RoomName, request: Request
    ) {
        (self.connection, self.address, self.encoding) = (connection, address, encoding)
        (self.name, self.rights) = (name, rights)
        (self.room, self.request) = (room, request)
    }
}

extension NodeMessage {
    /// Whether its sender must first have made durable what it has decided about the connection.
    package var isDependent: Bool {
        if case .request(let sent) = self, case .join = sent.request.command { true } else { false }
    }
}

// The messages as bytes: a line with words, and after it as many bytes as its last word says.
extension NodeMessage {
    /// Appends the message as bytes.
    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .request(let sent):
            let line = Array(sent.request.description.utf8)
            let name = sent.name.map { "\($0.bidder) \($0.token)" } ?? "- -"
            Self.append(
                "request \(sent.connection.rawValue) \(sent.address.high) \(sent.address.low) "
                    + "\(sent.encoding.rawValue) \(sent.rights.rawValue) \(sent.room) \(name)",
                line, to: &bytes)
        case .left(let id): Self.append("left \(id.rawValue)", [], to: &bytes)
        case .lines(let id, let lines, let outcome):
            Self.append(
                "lines \(id.rawValue) \(outcome?.rawValue ?? "-")", lines, to: &bytes)
        case .named(let id, let bidder, let token):
            Self.append("named \(id.rawValue) \(bidder) \(token)", [], to: &bytes)
        case .moved(let id, let room): Self.append("moved \(id.rawValue) \(room)", [], to: &bytes)
        case .reset: Self.append("reset 0", [], to: &bytes)
        case .close(let id, let reason):
            Self.append("close \(id.rawValue) \(reason.rawValue)", [], to: &bytes)
        }
    }

    private static func append(_ words: String, _ content: [UInt8], to bytes: inout [UInt8]) {
        bytes += Array("\(words) \(content.count)\n".utf8)
        bytes += content
    }

    /// Parses messages that follow each other; nil if the bytes are anything else.
    package static func messages(_ bytes: [UInt8]) -> [NodeMessage]? {
        var (messages, rest) = ([] as [NodeMessage], bytes[...])
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            let content = rest[(end + 1)...]
            guard words.count >= 3, let count = words.last.flatMap({ Int($0) }),
                0...content.count ~= count, let id = UInt64(words[1]),
                let message = message(
                    words.dropLast(), SessionID(rawValue: id), content.prefix(count))
            else { return nil }
            messages.append(message)
            rest = content.dropFirst(count)
        }
        return rest.isEmpty ? messages : nil
    }

    private static func message(
        _ words: ArraySlice<Substring>, _ id: SessionID, _ content: ArraySlice<UInt8>
    ) -> NodeMessage? {
        switch (words[0], words.count) {
        case ("request", 9): return request(words, id, content)
        case ("left", 2): return .left(id)
        case ("reset", 2): return .reset
        case ("lines", 3):
            let outcome = Outcome(rawValue: String(words[2]))
            guard outcome != nil || words[2] == "-" else { return nil }
            return .lines(id, Array(content), outcome: outcome)
        case ("named", 4): return name(words[2], words[3]).map { .named(id, $0.bidder, $0.token) }
        case ("moved", 3): return RoomName(words[2]).map { .moved(id, $0) }
        case ("close", 3): return .close(id, .init(rawValue: String(words[2])))
        default: return nil
        }
    }

    private static func request(
        _ words: ArraySlice<Substring>, _ id: SessionID, _ line: ArraySlice<UInt8>
    ) -> NodeMessage? {
        let name = name(words[7], words[8])
        guard let high = UInt64(words[2]), let low = UInt64(words[3]),
            let encoding = Encoding(rawValue: String(words[4])), let room = RoomName(words[6]),
            let rights = Session.Rights(rawValue: String(words[5])), name != nil || words[8] == "-",
            let request = try? Request(line: Array(line).span)
        else { return nil }
        return .request(
            NodeRequest(
                connection: id, address: PeerAddress(high: high, low: low), encoding: encoding,
                name: name, rights: rights, room: room, request: request))
    }

    private static func name(_ bidder: Substring, _ token: Substring) -> Session.Name? {
        guard let bidder = Bidder(String(bidder)), let token = Token(String(token)) else {
            return nil
        }
        return Session.Name(bidder: bidder, token: token)
    }
}
