/// What is fuzzed: for each a property that holds for any bytes.
package enum Target: String, CaseIterable, Sendable {
    /// The parser of what a client says in a line.
    case request
    /// The cutting of a stream into lines.
    case framer
    /// What the server says, in JSON and in text.
    case json
    /// The reading of a journal.
    case journal
    /// The header that a proxy puts before a connection.
    case proxy

    /// Holds the property against some bytes.
    ///
    /// - Throws: `Violation`, with what is not as it should be.
    package func check(_ bytes: [UInt8]) throws(Violation) {
        switch self {
        case .request: try checkRequest(bytes)
        case .framer: try checkFramer(bytes)
        case .json: try checkServerMessage(bytes)
        case .journal: try checkJournal(bytes)
        case .proxy: try checkProxyHeader(bytes)
        }
    }
}
