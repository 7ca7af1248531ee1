import Auction
import Wire

/// The requests that wait for an answer, and the parser of the lines of the server.
///
/// The server answers in the order of the requests. The data of an answer comes right before it.
/// `Context` is what the caller stores with a request.
package struct RequestPipeline<Context> {
    /// The meaning of a line.
    package enum Event {
        /// The greeting.
        case greeting(Greeting)
        /// News, or a line that is no known message.
        case news
        /// A line of data of the next answer.
        case data
        /// `OK`, with its data; the context is nil if no request waits for it.
        case answered(Answer, data: [ReceivedLine], Context?)
        /// `ERROR`; the context is nil if no request waits for it.
        case refused(ErrorReply, tag: String?, Context?)
        /// `BYE`.
        case closing(ServerMessage.CloseReason)
    }

    /// The maximum number of lines of data in an answer; further lines are dropped.
    private static var dataLimit: Int { 100_000 }

    /// The format of the lines of the server.
    package private(set) var format = Format.text
    private var pending: [(tag: String?, context: Context)] = []
    private var data: [ReceivedLine] = []

    /// Makes the pipeline of a new connection.
    package init() {}

    /// The number of requests that wait for an answer.
    package var count: Int { pending.count }

    /// The contexts of all requests that wait for an answer, oldest first.
    package var contexts: [Context] { pending.map(\.context) }

    /// Adds a request that is sent now; without a tag it gets the next answer of any tag.
    package mutating func add(_ context: Context, tag: String? = nil) {
        pending.append((tag, context))
    }

    /// Parses a line, and matches an answer to its request; O(requests).
    package mutating func receive(_ text: String) -> (line: ReceivedLine, event: Event) {
        let line = ReceivedLine(text, format: format)
        let event = event(of: line)
        if case .data = event {
            if !pending.isEmpty, data.count < Self.dataLimit { data.append(line) }
        } else {
            data = []
        }
        return (line, event)
    }

    private mutating func event(of line: ReceivedLine) -> Event {
        if let greeting = line.message?.greeting { return .greeting(greeting) }
        switch line.message {
        case .ok(let answer, let tag):
            if case .format(let chosen) = answer { format = chosen }
            return .answered(answer, data: data, take(tag))
        case .error(let error, let tag): return .refused(error, tag: tag, take(tag))
        case .bye(let reason): return .closing(reason)
        case let message?: return message.isData ? .data : .news
        case nil: return .news
        }
    }

    private mutating func take(_ tag: String?) -> Context? {
        guard let index = pending.firstIndex(where: { $0.tag == nil || $0.tag == tag }) else {
            return nil
        }
        return pending.remove(at: index).context
    }
}

extension RequestPipeline: Sendable where Context: Sendable {}

/// Which sale it is, by the greeting of the server.
package struct Greeting: Equatable, Sendable {
    /// The identity of the server; nil if the server does not say it.
    package let serverID: Identity?
    /// The room of the sale; the main one if the server does not name it.
    package let room: RoomName
    /// The identity of the sale, which distinguishes rooms that had the same name; nil in main.
    package let sale: Identity?

    package init(serverID: Identity? = nil, room: RoomName? = nil, sale: Identity? = nil) {
        self.serverID = serverID
        self.room = room ?? .main
        self.sale = sale
    }

    /// Whether another greeting is of the same sale in the same room, whose news goes on.
    package func isOfSameSale(as other: Greeting) -> Bool {
        serverID == other.serverID && room == other.room && sale == other.sale
    }
}

extension ServerMessage {
    /// The greeting, if it is one.
    package var greeting: Greeting? {
        guard case .hello(_, _, let serverID, let room, let sale, _) = self else { return nil }
        return Greeting(serverID: serverID, room: room, sale: sale)
    }
}
