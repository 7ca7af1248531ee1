import Basics
import House
import Wire

extension Log {
    /// Writes what a step reports of connections; call it before the step's news is published.
    func write(_ outputs: StepOutputs) {
        for event in outputs.sessionEvents { write(event) }
        for reason in outputs.refusals {
            write(limited: .warning, .notAccepted) { $0.add("reason", reason) }
        }
        for (limit, count) in outputs.limitsReached { note(limit, count: count) }
    }

    /// Writes what a connection did; at a higher level if it has a name, or passed a limit.
    private func write(_ event: SessionEvent) {
        switch event.kind {
        case .connected: write(.connected, .debug, in: event.room) { $0.add(event) }
        case .named: write(.named, in: event.room) { $0.add(event) }
        case .opened: write(.roomOpened, in: event.room) { $0.add(event) }
        case .appointed: write(.appointed, in: event.room) { $0.add(event) }
        case .ordered(let verb):
            write(.ordered, in: event.room) { line in
                line.add("order", verb.rawValue)
                line.add(event)
            }
        case .left(let reason):
            let matters = event.bidder != nil || reason.isLimit
            write(closed: event, because: reason.word, matters ? .info : .debug)
        case .handshakeEnded(let end):
            let isFault = end == .invalid || end == .late
            write(closed: event, because: end.rawValue, isFault ? .warning : .debug)
        }
    }

    private func write(closed event: SessionEvent, because reason: String, _ level: LogLevel) {
        write(.closed, level, in: event.room) { line in
            line.add("reason", reason)
            line.add(event)
        }
    }
}

extension LogLine {
    /// Adds which connection it is, its name, and where it comes from.
    fileprivate mutating func add(_ event: SessionEvent) {
        if let bidder = event.bidder { add("bidder", bidder) }
        add("session", String(event.id.rawValue, radix: 16))
        add("address", event.address.description)
    }
}

extension SessionEvent.Reason {
    fileprivate var isLimit: Bool {
        switch self {
        case .stalled, .closed(.idle), .closed(.wrongToken): true
        case .closed, .http, .tls, .reset: false
        }
    }

    /// The word for it in the log.
    var word: String {
        switch self {
        case .closed(let reason): reason.rawValue
        case .http: "http"
        case .tls: "tls"
        case .stalled: "stalled"
        case .reset: "reset"
        }
    }
}
