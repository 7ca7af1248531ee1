import Wire

/// Any text that a client reads is a message or none; a message has the same content in both forms.
func checkServerMessage(_ bytes: [UInt8]) throws(Violation) {
    let line = String(decoding: bytes, as: UTF8.self)
    if let message = ServerMessage(text: line) {
        // What may not be shown is escaped, and read back as what it is by then.
        let again = ServerMessage(text: message.text)
        let isSame = line.isPlain ? again == message : again?.text == message.text
        try hold(isSame, "\(message) was printed as \(message.text.debugged)")
        try checkRoundTrip(message)
    }
    if let message = ServerMessage(json: line) {
        try checkRoundTrip(message)
    }
}

/// A message is one line of JSON, and is read from it as it was.
func checkRoundTrip(_ message: ServerMessage) throws(Violation) {
    var bytes: [UInt8] = []
    message.appendJSON(to: &bytes, seq: nil, millisecondsSince1970: 0)
    let feed = UInt8(ascii: "\n")
    try hold(
        bytes.firstIndex(of: feed) == bytes.count - 1, "\(message) is more than a line of JSON")
    let line = String(decoding: bytes.dropLast(), as: UTF8.self)
    let again = ServerMessage(json: line)
    try hold(again == message, "\(message) was printed as \(line), and read as \(again as Any)")
}

extension String {
    fileprivate var debugged: String { debugDescription }

    /// Whether it has nothing but visible characters of ASCII, and spaces.
    fileprivate var isPlain: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
