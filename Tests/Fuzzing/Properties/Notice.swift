import Wire

/// Whatever text a client reads is a notice or none; a notice says the same in both forms.
func checkNotice(_ bytes: [UInt8]) throws(Violation) {
    let line = String(decoding: bytes, as: UTF8.self)
    if let notice = Notice(text: line) {
        // What may not be shown is escaped, and read back as what it is by then.
        let again = Notice(text: notice.text)
        let isSame = line.isPlain ? again == notice : again?.text == notice.text
        try hold(isSame, "\(notice) was printed as \(notice.text.debugged)")
        try checkRoundTrip(notice)
    }
    if let notice = Notice(json: line) {
        try checkRoundTrip(notice)
    }
}

/// A notice is one line of JSON, and is read from it as it was.
func checkRoundTrip(_ notice: Notice) throws(Violation) {
    var bytes: [UInt8] = []
    notice.appendJSON(to: &bytes, seq: nil, millisecondsSince1970: 0)
    let feed = UInt8(ascii: "\n")
    try hold(bytes.firstIndex(of: feed) == bytes.count - 1, "\(notice) is more than a line of JSON")
    let line = String(decoding: bytes.dropLast(), as: UTF8.self)
    let again = Notice(json: line)
    try hold(again == notice, "\(notice) was printed as \(line), and read as \(again as Any)")
}

extension String {
    fileprivate var debugged: String { debugDescription }

    /// Whether it has nothing but visible characters of ASCII, and spaces.
    fileprivate var isPlain: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
