import Web
import Wire

/// How the messages to a connection are encoded.
public enum Encoding: String, CaseIterable, Sendable {
    /// A line of words.
    case text
    /// A line with a JSON object.
    case json
    /// A WebSocket text frame with a JSON object.
    case webSocket = "websocket"

    /// The encoding that a client of the line protocol chooses with a format.
    init(_ format: Format) {
        switch format {
        case .text: self = .text
        case .json: self = .json
        }
    }

    /// The encoding after the client chose a format; nil if the connection cannot use it.
    func changed(to format: Format) -> Encoding? {
        guard self == .webSocket else { return Encoding(format) }
        return format == .json ? .webSocket : nil
    }
}

extension ServerMessage {
    /// Appends the message in an encoding; text has neither the number, the time, nor a state.
    package func append(
        to bytes: inout [UInt8], as encoding: Encoding, seq: Int?, isSnapshot: Bool = false,
        millisecondsSince1970 milliseconds: Int64?
    ) {
        switch encoding {
        case .text:
            if case .state = self { return }
            appendText(to: &bytes)
        case .json:
            appendJSON(
                to: &bytes, seq: seq, isSnapshot: isSnapshot, millisecondsSince1970: milliseconds)
        case .webSocket:
            var line: [UInt8] = []
            appendJSON(
                to: &line, seq: seq, isSnapshot: isSnapshot, millisecondsSince1970: milliseconds)
            WebSocketFrame.appendText(jsonLine: line[...], to: &bytes)
        }
    }
}

extension WebSocketFrame {
    /// Appends a frame with the JSON object of a line, without the line's end.
    package static func appendText(jsonLine line: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        appendText(line.dropLast(), to: &bytes)
    }
}

extension ServerMessage.CloseReason {
    /// The status code of the WebSocket frame that closes a connection for this reason.
    ///
    /// Source: RFC 6455, section 7.4.1, and the registry of close codes of IANA.
    package var webSocketCode: UInt16 {
        switch self {
        case .quit, .end: 1000
        case .shutdown, .journal: 1001
        case .moved: 1012
        case .full: 1013
        default: 1008
        }
    }
}
