import Addresses
import Saleroom
import Wire

extension Log {
    /// Writes that somebody has come in.
    func write(connected id: SessionID, from address: PeerAddress) {
        write(limited: .debug, .connected) { $0.add(id, from: address) }
    }

    /// Writes that a connection was closed that never came into the room.
    func write(
        _ level: LogLevel, closed id: SessionID, from address: PeerAddress, because reason: String
    ) {
        write(limited: level, .closed) { line in
            line.add("reason", reason)
            line.add(id, from: address)
        }
    }

    /// Writes that somebody was named, gave an order, or has left; that matters more of one who had a name, or who
    /// was sent away by a limit.
    func write(_ passage: Passage) {
        switch passage.step {
        case .named:
            write(limited: .info, .named) { $0.add(passage) }
        case .appointed:
            write(.info, "appointed") { $0.add(passage) }
        case .ordered(let verb):
            write(.info, "ordered") { line in
                line.add("order", verb.rawValue)
                line.add(passage)
            }
        case .left(let reason):
            let matters = passage.bidder != nil || reason.isLimit
            write(limited: matters ? .info : .debug, .closed) { line in
                line.add("reason", reason.word)
                line.add(passage)
            }
        }
    }
}

extension LogLine {
    fileprivate mutating func add(_ passage: Passage) {
        if let bidder = passage.bidder { add("bidder", bidder) }
        add(passage.id, from: passage.address)
    }

    /// Adds which connection it is, and where it comes from.
    mutating func add(_ id: SessionID, from address: PeerAddress) {
        add("session", String(id.rawValue, radix: 16))
        add("address", address.description)
    }
}

extension Passage.Reason {
    fileprivate var isLimit: Bool {
        switch self {
        case .stalled, .farewell(.idle), .farewell(.wrongToken): true
        case .farewell, .browser, .tls, .reset: false
        }
    }

    fileprivate var word: String {
        switch self {
        case .farewell(let farewell): farewell.rawValue
        case .browser: "browser"
        case .tls: "tls"
        case .stalled: "stalled"
        case .reset: "reset"
        }
    }
}
