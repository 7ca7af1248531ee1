/// The fuzzed parsers, each with a property that holds for any bytes.
package enum Target: String, CaseIterable, Sendable {
    /// The parser of the lines of clients.
    case request
    /// The line of a lot, in a file of lots and in the auctioneer's command.
    case lot
    /// The division of a stream into lines.
    case framer
    /// The lines of the server, in JSON and in text.
    case json
    /// The lines of a journal, each for itself.
    case record
    /// The reading of a journal.
    case journal
    /// The header that a proxy puts before a connection.
    case proxy
    /// The heads of HTTP requests.
    case http
    /// The frames of WebSocket clients.
    case websocket

    /// Checks the property for some bytes.
    ///
    /// - Throws: `Violation` if the property does not hold.
    package func check(_ bytes: [UInt8]) throws(Violation) {
        switch self {
        case .request: try checkRequest(bytes)
        case .lot: try checkLotLine(bytes)
        case .framer: try checkFramer(bytes)
        case .json: try checkServerMessage(bytes)
        case .record: try checkRecord(bytes)
        case .journal: try checkJournal(bytes)
        case .proxy: try checkProxyHeader(bytes)
        case .http: try checkHTTPHead(bytes)
        case .websocket: try checkWebSocketFrames(bytes)
        }
    }
}
